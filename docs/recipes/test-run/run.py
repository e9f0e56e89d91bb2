"""Runs the unit tests of a folder, one by one, and says how far it has come."""
import unittest


class Failed(Exception):
    final = True  # The same tests fail again: trying once more is of no use.


def each(suite):
    for item in suite:
        yield from each(item) if isinstance(item, unittest.TestSuite) else [item]


def tests(context):
    cases = list(each(unittest.defaultTestLoader.discover(context["data"]["folder"])))
    result = unittest.TestResult()
    for number, case in enumerate(cases, 1):
        case.run(result)
        print(f"::progress {number / len(cases)} {case.id()}")
    for case, trace in result.failures + result.errors:
        print(f"{case.id()}: {trace.strip().splitlines()[-1]}")
    broken = len(result.failures) + len(result.errors)
    if broken:
        raise Failed(f"{broken} of {result.testsRun} tests failed.")
    return {"tests": result.testsRun, "skipped": len(result.skipped)}
