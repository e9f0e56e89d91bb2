"""What schemathesis doesn't know of by itself: lines of JSON as a request's body, and patience."""

import schemathesis

MOST_MILLISECONDS = 50


@schemathesis.serializer("application/x-ndjson")
def lines(context, value):
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")


@schemathesis.hook
def before_call(context, case, kwargs):
    """Who waits is answered before the request is given up."""
    for place in (case.query, case.body):
        wait = place.get("wait_ms") if hasattr(place, "get") else None
        # In a query string it may be a text already.
        if str(wait).isdecimal() and int(wait) > MOST_MILLISECONDS:
            place["wait_ms"] = type(wait)(MOST_MILLISECONDS)
