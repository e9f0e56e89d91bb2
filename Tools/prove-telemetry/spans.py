"""Spans as a collector reads them: JSON into OpenTelemetry's own messages."""

import base64
import http.server
import json
import threading

from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

#: Bytes are hexadecimal in OTLP's JSON, and base64 in that of protobuf, which is read here.
IDS = {"traceId": 16, "spanId": 8, "parentSpanId": 8}


class Collector(http.server.ThreadingHTTPServer):
    """Keeps what is posted to it."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Request)
        self.requests = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def endpoint(self):
        return f"http://127.0.0.1:{self.server_port}"


class Request(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.requests.append((self.path, self.headers["Content-Type"], body))
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_):
        pass


def encoded(value):
    """JSON with its ids in base64, each of the length that it must have."""
    if isinstance(value, list):
        return [encoded(one) for one in value]
    if not isinstance(value, dict):
        return value
    result = {}
    for key, member in value.items():
        if key in IDS:
            raw = bytes.fromhex(member)
            assert len(raw) == IDS[key] and any(raw), f"{key}: {member}"
            assert member == member.lower(), f"{key}: {member}"
            result[key] = base64.b64encode(raw).decode()
        else:
            result[key] = encoded(member)
    return result


def read(body):
    """One export; a member that the messages don't have is an error."""
    message = ExportTraceServiceRequest()
    json_format.ParseDict(encoded(json.loads(body)), message, ignore_unknown_fields=False)
    # And it can be sent on as it is usually sent.
    again = ExportTraceServiceRequest()
    again.ParseFromString(message.SerializeToString())
    assert again == message
    return message


def check(message):
    """Raises AssertionError for what the messages let pass; returns the spans."""
    spans = []
    for resource in message.resource_spans:
        names = {one.key: one.value.string_value for one in resource.resource.attributes}
        assert names["service.name"] == "proved" and names["service.version"], names
        for scope in resource.scope_spans:
            assert scope.scope.name, scope
            spans += scope.spans
    for span in spans:
        assert span.name and span.kind, span
        assert 0 < span.start_time_unix_nano <= span.end_time_unix_nano, span
        assert span.status.code in (0, 2), span
        keys = [one.key for one in span.attributes]
        assert len(keys) == len(set(keys)), span
    return spans
