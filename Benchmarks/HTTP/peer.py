"""The peer: a FastAPI app that does what the agent's two routes do, in memory, with a bearer token
that is looked up by its digest, scopes, a request id, and Prometheus' counters and histogram. The
access log is uvicorn's own."""

import hashlib
import json
import os
import pathlib
import time
from collections import deque
from typing import Annotated

from fastapi import Depends, FastAPI, HTTPException
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from prometheus_client import Counter, Histogram
from pydantic import BaseModel, ConfigDict

folder = pathlib.Path(os.environ["PEER_FOLDER"])
status = json.loads((folder / "status.json").read_text())
tokens = {
    hashlib.sha256((folder / "token").read_bytes()).hexdigest(): {"read", "execute"}}
events = deque(maxlen=100_000)

requests = Counter("http_requests_total", "Requests.", ["method", "path", "status"])
seconds = Histogram("http_request_seconds", "How long they took.", ["method", "path"])


class Counted:
    """Middleware without more than ASGI, which costs least."""

    def __init__(self, app):
        self.app = app
        self.number = 0

    async def __call__(self, scope, receive, send):
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        began = time.perf_counter()
        code = 500
        self.number += 1
        number = str(self.number).encode()

        async def answer(message):
            nonlocal code
            if message["type"] == "http.response.start":
                code = message["status"]
                message["headers"].append((b"x-request-id", number))
            await send(message)

        try:
            await self.app(scope, receive, answer)
        finally:
            route = scope.get("route")
            path = route.path if route else "none"
            requests.labels(scope["method"], path, code).inc()
            seconds.labels(scope["method"], path).observe(time.perf_counter() - began)


bearer = HTTPBearer()


def needs(scope):
    async def check(credentials: Annotated[HTTPAuthorizationCredentials, Depends(bearer)]):
        digest = hashlib.sha256(credentials.credentials.encode()).hexdigest()
        scopes = tokens.get(digest)
        if scopes is None:
            raise HTTPException(401)
        if scope not in scopes:
            raise HTTPException(403)

    return Depends(check)


class Event(BaseModel):
    model_config = ConfigDict(extra="allow")
    type: str


app = FastAPI()
app.add_middleware(Counted)


@app.get("/api/v1/status", dependencies=[needs("read")])
async def get_status():
    return status


@app.post("/api/v1/events", status_code=201, dependencies=[needs("execute")])
async def publish(event: Event):
    events.append(event)
    return {"accepted": 1}
