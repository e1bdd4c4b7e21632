"""What can go wrong at a running table, said in Chinese and in English."""

from __future__ import annotations


class KioskError(Exception):
    """Something that a person at the table must be told; ``zh`` and ``en`` say the same."""

    def __init__(self, zh: str, en: str) -> None:
        super().__init__(f"{zh}  /  {en}")
        self.zh = zh
        self.en = en

    def words(self) -> dict[str, str]:
        """Both languages, for a page."""
        return {"zh": self.zh, "en": self.en}


class StoreError(KioskError):
    """The log cannot be opened, read or written; nothing that was in it is touched."""


class ChangedError(StoreError):
    """What was recorded was changed afterwards; the message names what does not fit."""


class RefusedError(KioskError):
    """A request that makes no sense in the present state; nothing was changed."""


class ConflictError(RefusedError):
    """Somebody else changed the same thing first; nothing was changed."""


class NotFoundError(RefusedError):
    """The thing that a request names does not exist; nothing was changed."""


class ForbiddenError(KioskError):
    """The asker may not do this."""


class TooManyAttemptsError(ForbiddenError):
    """Too many wrong PINs from one address."""
