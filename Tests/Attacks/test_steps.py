"""A sandbox of which the kernel refuses a step starts nothing; one of which the kernel lacks a step says
so. The launcher runs behind a filter that plays such a kernel."""

import ctypes
import errno
import json
import os
import platform
import struct
import subprocess
import unittest

from places import AGENT

LAUNCH = os.path.join(os.path.dirname(AGENT), "agent-launch")
X86 = platform.machine() == "x86_64"
CALLS = {
    "landlock_create_ruleset": 444, "landlock_add_rule": 445, "landlock_restrict_self": 446,
    "seccomp": 317 if X86 else 277, "capset": 126 if X86 else 91, "prlimit64": 302 if X86 else 261,
}
libc = ctypes.CDLL(None, use_errno=True)


def kernel(call, error):
    """Makes this process one whose kernel answers a call with an error."""
    code = [
        struct.pack("HBBI", 0x20, 0, 0, 0),                 # load the number
        struct.pack("HBBI", 0x15, 0, 1, CALLS[call]),       # is it the call?
        struct.pack("HBBI", 0x06, 0, 0, 0x00050000 | error),
        struct.pack("HBBI", 0x06, 0, 0, 0x7FFF0000),
    ]
    text = ctypes.create_string_buffer(b"".join(code), 32)
    program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", 4, ctypes.addressof(text)))
    assert libc.prctl(38, 1, 0, 0, 0) == 0
    assert libc.prctl(22, ctypes.c_ulong(2), ctypes.c_void_p(ctypes.addressof(program)), 0, 0) == 0


def launch(level, call=None, error=errno.EINVAL):
    """Status, what was written to standard error, and the record of what was reached."""
    reading, writing = os.pipe()
    result = subprocess.run(
        [LAUNCH, "--sandbox", level, "--", "sh", "-c", "echo started"], text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, pass_fds=[writing],
        env={"PATH": "/usr/bin:/bin", "AGENT_CRASH_FD": str(writing), "LLVM_PROFILE_FILE": "/dev/null"},
        preexec_fn=(lambda: kernel(call, error)) if call else None)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        record = pipe.read()
    return result, json.loads(record) if record else None


class Steps(unittest.TestCase):
    def test_a_step_that_fails_starts_nothing_whatever_the_level(self):
        # The first call also asks for the version; where that is refused, there is no landlock.
        for call in CALLS.keys() - {"landlock_create_ruleset"}:
            for level in ("default", "required"):
                with self.subTest(call=call, level=level):
                    result, record = launch(level, call)
                    self.assertEqual(result.returncode, 126)
                    self.assertEqual(result.stdout, "")
                    self.assertIn("can't be", result.stderr)
                    self.assertIsNone(record)

    def test_what_the_kernel_lacks_is_said_and_refused_where_all_is_required(self):
        lacking = ("landlock_create_ruleset", errno.ENOSYS)
        result, record = launch("default", *lacking)
        self.assertEqual((result.returncode, result.stdout), (0, "started\n"))
        self.assertEqual(record["sandbox"], "partial")
        self.assertIn("no landlock", record["detail"])
        result, record = launch("required", *lacking)
        self.assertEqual((result.returncode, result.stdout, record), (126, "", None))

    def test_all_of_it_is_full(self):
        result, record = launch("required")
        self.assertEqual((result.returncode, result.stdout), (0, "started\n"))
        self.assertEqual(record, {"sandbox": "full", "detail": ""})

    def test_none_of_it_is_none(self):
        self.assertEqual(launch("off")[1]["sandbox"], "none")


if __name__ == "__main__":
    unittest.main()
