"""Values for the fields of a schema: right ones, wrong ones, and extremes, as JSON text."""

import json

EXTREMES = [
    "-9223372036854775808", "9223372036854775807", "9223372036854775808", "18446744073709551616",
    "9007199254740992", "0", "-1", "0.5", "1e308", "-1e308", "1e999", "1e-320", '"NaN"',
    '"a\\u0000b"', '"a\\u001fr0/1"', '"a\\u009b2J"', '"\\ud800"', '""', "null", "true", "[]", "{}",
    '"../../../../etc/passwd"', "[" * 64 + "0" + "]" * 64, '{"a":' * 64 + "0" + "}" * 64,
    "[" * 70 + "0" + "]" * 70, '"' + "n" * 70_000 + '"', '"999999999d"',
]

# Longer ones make a head that no server takes; the answer to that has no reason.
MAX_PARAMETER = 2000

WORDS = ["a", "b", "quick", "echo", "nightly", "ä", "x y", "tick", "low", "user"]

PATH_WORDS = [
    "0", "-1", "9223372036854775807", "9223372036854775808", "1e308", "NaN", "a%00b", "a%1Fr0%2F1",
    "%FF", "%ED%A0%80", "..%2F..%2Fetc", "n" * 3000, "%2B1",
]


class Values:
    """Makes values with one source of random numbers, so that a seed repeats them."""

    def __init__(self, rng, schemas):
        self.rng = rng
        self.schemas = schemas

    def resolved(self, schema):
        while "$ref" in schema:
            schema = self.schemas.get(schema["$ref"].rsplit("/", 1)[-1], {})
        return schema

    def text(self, schema, known, depth=0):
        """JSON text that mostly fits a schema."""
        if self.rng.random() < 0.02:
            return self.rng.choice(EXTREMES)
        schema = self.resolved(schema)
        for key in ("anyOf", "oneOf"):
            if key in schema:
                return self.text(self.rng.choice(schema[key]), known, depth)
        if "const" in schema:
            return json.dumps(schema["const"])
        if "enum" in schema:
            return json.dumps(self.rng.choice(schema["enum"]))
        kind = schema.get("type", "object" if "properties" in schema else "string")
        if isinstance(kind, list):
            kind = self.rng.choice(kind)
        if depth > 8:
            return "null"
        return getattr(self, f"{kind}_text")(schema, known, depth)

    def object_text(self, schema, known, depth):
        required = schema.get("required", [])
        members = []
        for key, member in schema.get("properties", {}).items():
            if key in required or self.rng.random() < 0.25:
                text = self.known(key, known) or self.text(member, known, depth + 1)
                members.append(f"{json.dumps(key)}:{text}")
        return "{" + ",".join(members) + "}"

    def array_text(self, schema, known, depth):
        count = max(schema.get("minItems", 0), self.rng.choice([0, 1, 1, 2]))
        items = schema.get("items", {})
        return "[" + ",".join(self.text(items, known, depth + 1) for _ in range(count)) + "]"

    def integer_text(self, schema, known, depth):
        low, high = schema.get("minimum", -10), schema.get("maximum", 1000)
        return json.dumps(self.rng.choice([low, high, self.rng.randint(int(low), int(high)),
                                              self.rng.randint(int(low), min(int(high), int(low) + 100))]))

    def number_text(self, schema, known, depth):
        low, high = schema.get("minimum", -10), schema.get("maximum", 1000)
        return json.dumps(self.rng.choice([low, high, self.rng.uniform(low, high)]))

    def boolean_text(self, schema, known, depth):
        return self.rng.choice(["true", "false"])

    def null_text(self, schema, known, depth):
        return "null"

    def string_text(self, schema, known, depth):
        words = schema.get("examples", []) + WORDS
        text = self.rng.choice(words)
        return json.dumps(text if isinstance(text, str) else str(text))

    def known(self, key, known):
        """What earlier answers called so, mostly."""
        pool = known.get(key)
        if pool and self.rng.random() < 0.7:
            return json.dumps(self.rng.choice(pool))
        return None

    def parameter(self, name, schema, known):
        """A part of a path or a value of a query string, percent-coded."""
        if self.rng.random() < 0.05:
            return self.rng.choice(PATH_WORDS)
        pool = known.get(name)
        if pool and self.rng.random() < 0.8:
            value = self.rng.choice(pool)
        else:
            text = self.text(schema, known)
            value = (text.strip("\"") if text.startswith("\"") else text)[:MAX_PARAMETER]
        return "".join(c if c.isalnum() and c.isascii() or c in "-._" else
                       "".join(f"%{b:02X}" for b in c.encode("utf-8", "surrogatepass")) for c in str(value))
