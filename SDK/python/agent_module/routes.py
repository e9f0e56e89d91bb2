"""Requests and responses of a module's routes."""

from __future__ import annotations

import binascii
import json
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional

from .errors import ModuleError
from .wire import JSONObject


@dataclass
class Request:
    """A request to a route.

    `parameters` has the values of the manifest's `{parameter}`s in the path. `query` has all values of
    each name. `headers` has lower-case names, without those that carry credentials. `principal` is
    the caller's name for people.
    """

    method: str = "GET"
    path: str = ""
    parameters: Dict[str, str] = field(default_factory=dict)
    query: Dict[str, List[str]] = field(default_factory=dict)
    headers: Dict[str, str] = field(default_factory=dict)
    principal: Optional[str] = None
    body: bytes = b""

    @property
    def text(self) -> str:
        """The body as text. Bytes that aren't UTF-8 are replaced."""
        return self.body.decode(errors="replace")

    def json(self) -> Any:
        """Reads the body as JSON. Raises ModuleError "invalid_argument" for any other body, which becomes
        the status 400."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError) as error:
            raise ModuleError("invalid_argument", f"The body isn't JSON: {error}") from error

    def first(self, name: str, default: Optional[str] = None) -> Optional[str]:
        """Returns the first value of a name in the query."""
        values = self.query.get(name)
        return values[0] if values else default

    @staticmethod
    def from_json(input: JSONObject) -> Request:
        """Reads a request from its JSON form. Raises ModuleError "invalid_argument" for anything else."""
        if not isinstance(input.get("method"), str) or not isinstance(input.get("path"), str):
            raise ModuleError("invalid_argument", 'A request needs a "method" and a "path".')
        body = str(input.get("body") or "").encode()
        if "body_base64" in input:
            try:
                body = binascii.a2b_base64(input["body_base64"])
            except (ValueError, TypeError) as error:
                raise ModuleError("invalid_argument", f"The body isn't base64: {error}") from error
        return Request(
            input["method"], input["path"], input.get("parameters") or {}, input.get("query") or {},
            input.get("headers") or {}, input.get("principal"), body)


@dataclass
class Reply:
    """A route's response.

    `body` is a text, bytes, or any other value, which is sent as JSON; None sends no body. The host adds
    headers that keep a browser from running scripts of the body. docs/module-routes.md has the headers
    and the size that a module may send.
    """

    body: Any = None
    content_type: Optional[str] = None
    status: int = 200
    headers: Dict[str, str] = field(default_factory=dict)

    def to_json(self) -> JSONObject:
        """Returns the response as JSON."""
        answer: JSONObject = {"status": self.status}
        if self.headers:
            answer["headers"] = dict(self.headers)
        if self.content_type is not None:
            answer["content_type"] = self.content_type
        if isinstance(self.body, str):
            answer["body"] = self.body
        elif isinstance(self.body, (bytes, bytearray)):
            answer["body_base64"] = binascii.b2a_base64(self.body, newline=False).decode()
        elif self.body is not None:
            answer["json"] = self.body
        return answer
