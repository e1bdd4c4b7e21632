"""The exported networks on a processor, through OpenVINO: how precisely they count there, and on how many threads."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path
from typing import Any


def precision(capabilities: Collection[str]) -> str:
    """How the networks count on a processor of these capabilities (OpenVINO's names).

    In bfloat16 (AMX) they take less than half the time that they take in single precision, and read as well. Half precision (AVX-512 FP16) takes
    longer than single where both were measured, so it is never used.
    """
    return "bf16" if "BF16" in capabilities else "f32"


def compiled(model: Path) -> tuple[Any, str]:
    """A network made ready for this processor, and the name of what runs it; ``TRICKWATCH_THREADS`` bounds its threads.

    Only what goes into the convolutions is rounded; outputs are in single precision.

    :raises ImportError: where there is no OpenVINO.
    :raises RuntimeError: when the model cannot be read.
    """
    import openvino as ov

    core = ov.Core()
    way = precision(core.get_property("CPU", "OPTIMIZATION_CAPABILITIES"))
    config: dict[str, Any] = {"PERFORMANCE_HINT": "LATENCY", "INFERENCE_PRECISION_HINT": way}
    threads = os.environ.get("TRICKWATCH_THREADS")
    if threads:
        config["INFERENCE_NUM_THREADS"] = int(threads)
    return core.compile_model(core.read_model(model), "CPU", config), f"OpenVINO {way}"
