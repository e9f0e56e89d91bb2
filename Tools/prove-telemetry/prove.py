"""prove.py AGENT : checks that telemetry readers understand what a running agent reports.

The metrics must be read by both parsers of prometheus_client, the strict one of OpenMetrics among
them, and say the same to each; the spans must be what opentelemetry-proto takes for an export, and
hang together."""

import json
import pathlib
import signal
import sys
import tempfile
import time
import urllib.error
import urllib.request

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "prove-api"))

import agent
import metrics
import spans

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
CALLER = "00f067aa0ba902b7"

SETTINGS = {
    "enabled_modules": ["prober"],
    "processes": {"values": {"type": "values"}},
    "http": {"listen": "127.0.0.1:0", "allow_local_without_token": True},
}


def ask(url, method="GET", body=None, **headers):
    """Status, headers and text of an answer."""
    headers = {"traceparent": f"00-{TRACE}-{CALLER}-01", "tracestate": "vendor=1"} | headers
    if body is not None:
        headers["Content-Type"] = "application/json"
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, method=method, headers=headers, data=data)
    try:
        with urllib.request.urlopen(request) as reply:
            return reply.status, reply.headers, reply.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read().decode()


def eventually(what, look):
    end = time.monotonic() + 30
    while time.monotonic() < end:
        found = look()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError(f"{what} doesn't come")


def work(url):
    """A little of everything that is counted and traced."""
    api = f"{url}/api/v1"
    assert ask(f"{api}/events", "POST", [{"type": "a"}])[0] == 201
    status, _, said = ask(f"{api}/modules/prober/actions/act", "POST", {})
    assert status == 200, said
    assert ask(f"{api}/modules/prober/actions/fail", "POST", {})[0] >= 400
    assert ask(f"{api}/nothing")[0] == 404
    assert ask(f"{url}/", "DELETE")[0] == 405


def page(url, form):
    status, headers, text = ask(f"{url}/metrics", Accept=form)
    assert status == 200, text
    assert headers["Content-Type"].startswith(form), headers["Content-Type"]
    return metrics.check(text, headers["Content-Type"])


def prove_metrics(url):
    def reported():
        found = page(url, metrics.OPEN)
        return found if "bulkhead_module_prober_wait_seconds" in found else None

    found = eventually("what the module reports", reported)
    # Each scrape is counted by the one behind it: from then on the pages have the same series.
    page(url, metrics.PLAIN)
    strict, loose = metrics.shape(page(url, metrics.OPEN)), metrics.shape(page(url, metrics.PLAIN))
    for name in sorted(strict.keys() | loose.keys()):
        assert strict.get(name) == loose.get(name), (name, strict.get(name), loose.get(name))
    odd = found["bulkhead_module_prober_odd"]
    assert any(one.labels["which"].count("\n") == 1 for one in odd.samples), odd.samples
    return len(found)


def prove_spans(collector):
    def exported():
        found = [one for _, _, body in collector.requests for one in spans.check(spans.read(body))]
        return found if any(one.name == "prober/fail" for one in found) else None

    found = eventually("the spans", exported)
    for path, kind, _ in collector.requests:
        assert (path, kind) == ("/v1/traces", "application/json"), (path, kind)
    known = {one.span_id for one in found} | {bytes.fromhex(CALLER)}
    for one in found:
        if one.trace_id == bytes.fromhex(TRACE):
            assert one.parent_span_id in known, one
    names = {one.name for one in found}
    assert {"prober/act", "state/1 write", "store write"} <= names, names
    failed = next(one for one in found if one.name == "prober/fail")
    assert failed.status.code == 2 and failed.status.message, failed
    return len(found)


def main():
    # A signal that ends this process ends the agent too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    collector = spans.Collector()
    settings = SETTINGS | {"traces": {"endpoint": collector.endpoint, "service_name": "proved"}}
    with tempfile.TemporaryDirectory(prefix="prove-telemetry.") as folder:
        running = agent.Agent(
            sys.argv[1], pathlib.Path(folder) / "agent", HERE / "module", settings)
        try:
            url = running.url()
            work(url)
            families, sent = prove_metrics(url), prove_spans(collector)
        except (AssertionError, ValueError) as error:
            raise SystemExit(f"prove-telemetry: {error!r}\n{running.said()}")
        finally:
            running.end()
    print(f"prove-telemetry: ok, {families} families, {sent} spans")


if __name__ == "__main__":
    main()
