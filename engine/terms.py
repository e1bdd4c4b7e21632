"""What a term of a rulebook is: a word in the file with its meaning in Chinese and English."""

from __future__ import annotations

from enum import StrEnum
from typing import Self


class Term(StrEnum):
    """A value of a rulebook that is one of a closed set; ``zh`` and ``en`` say what it means."""

    zh: str
    en: str

    def __new__(cls, value: str, zh: str, en: str) -> Term:
        """Make a term of its text in the file and its meaning in both languages."""
        term = str.__new__(cls, value)
        term._value_ = value
        term.zh = zh
        term.en = en
        return term

    @classmethod
    def of(cls, text: str) -> Self:
        """The term of that text.

        :raises ValueError: naming the terms there are.
        """
        for term in cls:
            if term == text:
                return term
        raise ValueError(f"is {text!r}; expected one of {', '.join(cls)}")
