"""The catalogue: every word that a page shows, in Chinese and in English, shared by server and pages."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Final

LANGUAGES: Final = ("zh", "en")


@cache
def catalogue(lang: str) -> Mapping[str, str]:
    """The words of a language by key."""
    text = resources.files(__name__).joinpath(f"{lang}.json").read_text("utf-8")
    words: dict[str, str] = json.loads(text)
    return words
