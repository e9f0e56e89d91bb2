"""A log follower reads files that grow, are cut short or are replaced."""

import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from agent_module import LogFollower  # noqa: E402


class LogFollowerTests(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(self.folder.name, "log")

    def write(self, name: str, text: str, mode: str = "w") -> None:
        with open(os.path.join(self.folder.name, name), mode) as file:
            file.write(text)

    def test_a_file_is_followed_when_it_grows_is_cut_short_and_is_replaced(self) -> None:
        follower = LogFollower(self.path, "end")
        self.addCleanup(follower.close)
        self.assertEqual(follower.read(), [])
        self.assertTrue(follower.missing)
        self.write("log", "first\nsec")
        self.assertEqual(follower.read(), ["first"])
        self.write("log", "ond\n", "a")
        self.assertEqual(follower.read(), ["second"])
        self.write("log", "3\n")
        self.assertEqual(follower.read(), ["3"])
        os.rename(self.path, self.path + ".1")
        self.write("log.1", "late\n", "a")
        self.write("log", "fourth\n")
        self.assertEqual(follower.read(), ["late"])
        self.assertEqual(follower.read(), [])
        self.assertEqual(follower.read(), ["fourth"])

    def test_it_goes_on_where_it_was_also_in_a_file_that_was_replaced(self) -> None:
        self.write("log", "first\nsecond\nhal")
        follower = LogFollower(self.path, "start")
        self.assertEqual(follower.read(), ["first", "second"])
        follower.close()
        self.write("log", "f\n", "a")
        follower = LogFollower(self.path, "start", follower.position)
        self.assertEqual(follower.read(), ["half"])
        self.assertEqual(follower.read(), [])
        follower.close()
        os.rename(self.path, self.path + ".1")
        self.write("log", "new\n")
        follower = LogFollower(self.path, "end", follower.position)
        self.assertEqual(follower.read(), ["new"])
        follower.close()
        self.write("log", "3\n")
        follower = LogFollower(self.path, "end", follower.position)
        self.addCleanup(follower.close)
        self.assertEqual(follower.read(), ["3"])

    def test_a_long_line_is_cut_and_bytes_that_are_no_text_are_replaced(self) -> None:
        with open(self.path, "wb") as file:
            file.write(b"a" * 20_000 + b"\n\xff\r\n\nlast\n")
        follower = LogFollower(self.path, "start")
        self.addCleanup(follower.close)
        self.assertEqual(follower.read(), ["a" * 16_384, "\ufffd", "last"])


if __name__ == "__main__":
    unittest.main()
