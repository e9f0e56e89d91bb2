"""The form of values between a module and its host: JSON in UTF-8."""

from __future__ import annotations

import json
from typing import Any, Dict

JSONObject = Dict[str, Any]
"""A JSON object in the form of json.loads."""


def encode(value: Any) -> bytes:
    """Writes a value as JSON.

    Raises TypeError, ValueError or RecursionError for a value that isn't JSON. NaN, the infinities and
    lone surrogates are ValueErrors.
    """
    return json.dumps(value, ensure_ascii=False, allow_nan=False).encode()


def without_none(**members: Any) -> JSONObject:
    """Makes an object of the members that aren't None. In the protocol a missing member has its default,
    and null is a value."""
    return {name: value for name, value in members.items() if value is not None}
