"""The package is typed and documented throughout, and is Python 3.9."""

import ast
import importlib.util
import inspect
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest

PYTHON = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
sys.path.insert(0, PYTHON)

import agent_module  # noqa: E402

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def sources():
    for folder, _, files in os.walk(os.path.join(PYTHON, "agent_module")):
        for name in sorted(files):
            if name.endswith(".py"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    yield os.path.join(folder, name), file.read()


class SourceTests(unittest.TestCase):
    def test_each_file_is_python_3_9(self) -> None:
        for name, text in sources():
            with self.subTest(name):
                ast.parse(text, name, feature_version=(3, 9))

    def test_annotations_are_never_evaluated(self) -> None:
        for name, text in sources():
            with self.subTest(name):
                is_empty = len(text.splitlines()) < 10
                self.assertTrue(is_empty or "from __future__ import annotations" in text)

    def test_each_function_is_annotated(self) -> None:
        for name, text in sources():
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, FUNCTIONS):
                    with self.subTest(f"{name}:{node.lineno} {node.name}"):
                        self.assertIsNotNone(node.returns)
                        given = node.args
                        for argument in [*given.args, *given.kwonlyargs, given.vararg, given.kwarg]:
                            if argument is not None and argument.arg != "self":
                                self.assertIsNotNone(argument.annotation, argument.arg)

    def test_each_public_class_and_method_is_documented(self) -> None:
        for name, text in sources():
            tree = ast.parse(text)
            with self.subTest(name):
                self.assertIsNotNone(ast.get_docstring(tree))
            for owner in [tree, *(n for n in tree.body if isinstance(n, ast.ClassDef))]:
                for node in owner.body:
                    if isinstance(node, (ast.ClassDef, *FUNCTIONS)) and not node.name.startswith("_"):
                        with self.subTest(f"{name}:{node.lineno} {node.name}"):
                            self.assertIsNotNone(ast.get_docstring(node))


class PublicNameTests(unittest.TestCase):
    def test_each_public_name_is_there(self) -> None:
        self.assertEqual(len(agent_module.__all__), len(set(agent_module.__all__)))
        for name in [*agent_module.__all__, "make_contribution", "QueryRow", "Events", "Counter"]:
            self.assertTrue(inspect.isclass(getattr(agent_module, name)) or inspect.isroutine(
                getattr(agent_module, name)), name)

    def test_a_name_that_is_not_there_is_an_attribute_error(self) -> None:
        with self.assertRaisesRegex(AttributeError, "has no attribute 'Nothing'"):
            agent_module.Nothing
        with self.assertRaises(ImportError):
            from agent_module import Nothing  # noqa: F401

    def test_a_decorated_class_stays_itself(self) -> None:
        module = agent_module.Module("m", "1.0.0")

        @module.monitor("watch")
        class Watch(agent_module.Monitor):
            async def run(self) -> None:
                pass

        self.assertIs(module.contributions[("monitor", "watch")], Watch)


@unittest.skipUnless(importlib.util.find_spec("mypy"), "mypy isn't installed")
class MypyTests(unittest.TestCase):
    def mypy(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        with tempfile.TemporaryDirectory() as cache:
            return subprocess.run(
                [sys.executable, "-m", "mypy", "--strict", "--cache-dir", cache, *arguments],
                cwd=PYTHON, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600)

    def test_the_package_and_its_packer_pass_mypy_strict(self) -> None:
        said = self.mypy("-p", "agent_module", "-m", "pack")
        self.assertEqual(said.returncode, 0, said.stdout)

    def test_a_module_is_checked_against_the_public_names(self) -> None:
        module = textwrap.dedent("""
            from typing import Optional

            from agent_module import Answer, FakeHost, LogicAdapter, Module, Statement, make_contribution

            module = Module("greeter", "0.1.0")

            @module.logic_adapter("hello")
            class Hello(LogicAdapter):
                async def respond(self, statement: Statement) -> Optional[Answer]:
                    await self.host.state.update("count", lambda n: int(n) + 1, 0)
                    return Answer("Hello.", 0.8)

            hello: Hello = make_contribution(Hello, {}, FakeHost())
            """)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "main.py")
            for text, status in ((module, 0), (module + "\nAnswer('Hello.')\n", 1)):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
                said = self.mypy(path)
                self.assertEqual(said.returncode, status, said.stdout)


if __name__ == "__main__":
    unittest.main()
