"""Speech from an installed espeak-ng, for sentences that have no clip."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from typing import Final

VOICES: Final[Mapping[str, str]] = {"zh": "cmn-latn-pinyin", "en": "en-gb"}
"""``cmn`` itself reads Hanzi as English letters in espeak-ng 1.51; the pinyin voice reads both."""

_TIMEOUT_S: Final = 10.0


def speak(words: str, lang: str) -> bytes | None:
    """Render words to a WAV file in memory; None when there is no synthesiser or it fails."""
    program = shutil.which("espeak-ng")
    if program is None:
        return None
    command = [program, "-v", VOICES[lang], "-s", "165" if lang == "en" else "190", "-p", "45", "-a", "180", "--stdout", "--", words]
    try:
        done = subprocess.run(command, capture_output=True, timeout=_TIMEOUT_S, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout or None
