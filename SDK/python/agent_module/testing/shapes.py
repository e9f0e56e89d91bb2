"""How the services of the fake host refuse inputs of another shape, in the host's words."""

from __future__ import annotations

from typing import Any, Callable, Iterable

from ..errors import ModuleError


def byte_size(text: str) -> int:
    """Returns the length of a text in bytes of UTF-8, which all limits count."""
    return len(text.encode())


def wrong_input(subject: str, what: str) -> ModuleError:
    """Returns the error for an input of another shape."""
    return ModuleError("invalid_argument", f"{subject} is wrong: {what}.")


def check_members(
    input: Any, members: Iterable[str], wrong: Callable[[str], ModuleError]
) -> None:
    """Raises what `wrong` makes when the input isn't an object, or has a member that isn't known."""
    if not isinstance(input, dict):
        raise wrong("expected an object")
    for member in input:
        if member not in members:
            raise wrong(f'"{member}" isn\'t known')
