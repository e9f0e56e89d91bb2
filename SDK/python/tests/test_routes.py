"""Requests and answers of routes in Python."""

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from agent_module import Module, ModuleError, Reply, Request, Route  # noqa: E402


class RouteTests(unittest.TestCase):
    def test_a_request_is_read(self) -> None:
        request = Request.from_json({
            "method": "POST", "path": "a/b", "parameters": {"x": "b"}, "query": {"q": ["1", "2"]},
            "headers": {"accept": "a/b"}, "principal": "ada", "body": '{"n": 7}',
        })
        self.assertEqual(request.parameters["x"], "b")
        self.assertEqual(request.first("q"), "1")
        self.assertEqual(request.first("r", "none"), "none")
        self.assertEqual(request.json(), {"n": 7})
        binary = Request.from_json({"method": "GET", "path": "", "body_base64": "/wA="})
        self.assertEqual(binary.body, b"\xff\x00")

    def test_what_is_wrong_is_the_askers_fault(self) -> None:
        for input in ({}, {"method": "GET", "path": "", "body_base64": "x"}):
            with self.assertRaises(ModuleError) as raised:
                Request.from_json(input)
            self.assertEqual(raised.exception.code, "invalid_argument")
        with self.assertRaises(ModuleError):
            Request(body=b"{").json()

    def test_an_answer_is_written(self) -> None:
        self.assertEqual(Reply({"a": 1}).to_json(), {"status": 200, "json": {"a": 1}})
        self.assertEqual(
            Reply("<p>", "text/html", 201, {"etag": "1"}).to_json(),
            {"status": 201, "headers": {"etag": "1"}, "content_type": "text/html", "body": "<p>"})
        self.assertEqual(Reply(b"\xff\x00").to_json(), {"status": 200, "body_base64": "/wA="})
        self.assertEqual(Reply(status=204).to_json(), {"status": 204})

    def test_a_module_offers_routes(self) -> None:
        module = Module("m", "1.0.0")

        @module.route("summary")
        class Summary(Route):
            async def respond(self, request):
                return request.path

        self.assertIs(module.contributions[("route", "summary")], Summary)


if __name__ == "__main__":
    unittest.main()
