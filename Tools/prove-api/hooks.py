"""What schemathesis doesn't know of by itself: lines of JSON as a request's body, patience, and that a
key is for one request."""

import itertools

import schemathesis

MOST_MILLISECONDS = 50
LONGEST_KEY = 255
NUMBERS = itertools.count(1)


@schemathesis.serializer("application/x-ndjson")
def lines(context, value):
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")


@schemathesis.hook
def before_call(context, case, kwargs):
    wait_shortly(case)
    take_own_key(case)


def wait_shortly(case):
    """A waiting request is answered before the client gives up."""
    for place in (case.query, case.body):
        wait = place.get("wait_ms") if hasattr(place, "get") else None
        # In a query string it may be a text already.
        if str(wait).isdecimal() and int(wait) > MOST_MILLISECONDS:
            place["wait_ms"] = type(wait)(MOST_MILLISECONDS)


def take_own_key(case):
    """Each request has a key of its own, where it has a right one.

    The same few keys are made for all requests. With one that was used before, a request is refused for
    that (422) before its body is looked at, and whatever the body was counts as refused: wrong bodies
    that were accepted went unnoticed."""
    for name in list(case.headers or ()):
        if name.lower() == "idempotency-key" and 1 <= len(str(case.headers[name])) <= LONGEST_KEY:
            case.headers[name] = f"prove-{next(NUMBERS)}"
