"""The form of all errors between a module and its host."""

from __future__ import annotations

import os
import traceback
from typing import Any, Optional

CODES = (
    "invalid_argument", "invalid_settings", "failed", "cancelled", "unsupported",
    "deadline_exceeded", "overloaded", "closed", "conflict",
)
"""The codes that both sides of the protocol know."""

_SDK = os.path.dirname(os.path.abspath(__file__)) + os.sep


class ModuleError(Exception):
    """Why a call failed.

    A contribution raises one to choose the code that the host sees. The host reports any other
    exception that leaves a contribution as "failed". The SDK raises one for each request that the host
    refuses.
    """

    def __init__(self, code: str, message: str, cause: Optional[str] = None) -> None:
        """Makes an error.

        `code` is one of `CODES`; ValueError is raised for another. `message` is a sentence for the person
        who must act. `cause` is the text of the error that caused this one.
        """
        super().__init__(message)
        if code not in CODES:
            raise ValueError(f'"{code}" is not one of {", ".join(CODES)}')
        self.code = code
        self.message = message
        self.cause = cause

    @staticmethod
    def from_json(body: Any) -> ModuleError:
        """Reads an error of the host. An unknown code becomes "failed", because a newer host may have
        more codes."""
        members = body if isinstance(body, dict) else {}
        code = members.get("code")
        message = members.get("message") or "The host gave no reason."
        return ModuleError(code if code in CODES else "failed", str(message), members.get("cause"))


def describe(error: BaseException) -> ModuleError:
    """Makes the error that reports an exception to the host. Never raises.

    A ModuleError stays as it is. For any other exception the stack trace is written to standard error,
    which the host keeps as log records, and the message names the last line of the module's own code.
    """
    if isinstance(error, ModuleError):
        return error
    traceback.print_exception(type(error), error, error.__traceback__)
    try:
        text = str(error)
    except Exception:  # noqa: BLE001: __str__ is the module's code, and the error must reach the host
        text = "(its text can't be had)"
    return ModuleError("failed", f"{type(error).__name__}: {text}{_place(error)}")


def _place(error: BaseException) -> str:
    """The file and line of the module's code that an exception passed last. The SDK's own lines don't
    help the module's author."""
    place = ""
    for entry in traceback.extract_tb(error.__traceback__):
        if not os.path.abspath(entry.filename).startswith(_SDK):
            place = f" ({os.path.basename(entry.filename)}:{entry.lineno})"
    return place
