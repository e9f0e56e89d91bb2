"""The validators of PyPI, asked through a pipe.

A line `VALIDATOR MODE SCHEMA DOCUMENT COUNT` is answered by the CPU seconds of COUNT checks, or by
`-` where the validator can't take the schema. MODE is `validate` (of a document parsed before) or
`parse` (parse it by Python's json, then validate).
"""

import json
import sys
import time

import fastjsonschema
import jsonschema
import jsonschema_rs


def fast(schema):
    check = fastjsonschema.compile(schema, use_default=False)

    def is_valid(value):
        try:
            check(value)
        except fastjsonschema.JsonSchemaException:
            return False
        return True

    return is_valid


MAKERS = {
    "jsonschema-rs": lambda schema: jsonschema_rs.validator_for(schema).is_valid,
    "fastjsonschema": fast,
    "jsonschema": lambda schema: jsonschema.validators.validator_for(schema)(schema).is_valid,
}

checks = {}


def check_for(validator, path):
    if (validator, path) not in checks:
        with open(path, encoding="utf-8") as file:
            schema = json.load(file)
        # fastjsonschema reads 2020-12 as draft 7. It knows no dynamic references.
        knows = validator != "fastjsonschema" or "$dynamicAnchor" not in schema
        checks[validator, path] = MAKERS[validator](schema) if knows else None
    return checks[validator, path]


def seconds(is_valid, mode, text, count):
    value = json.loads(text)
    if not is_valid(value):
        raise SystemExit("a peer finds that a document doesn't fit")
    start = time.process_time()
    if mode == "parse":
        for _ in range(count):
            is_valid(json.loads(text))
    else:
        for _ in range(count):
            is_valid(value)
    return time.process_time() - start


for line in sys.stdin:
    validator, mode, schema, document, count = line.split()
    is_valid = check_for(validator, schema)
    if is_valid is None:
        print("-", flush=True)
        continue
    with open(document, "rb") as file:
        text = file.read()
    print(seconds(is_valid, mode, text, int(count)), flush=True)
