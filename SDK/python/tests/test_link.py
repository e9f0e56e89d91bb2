"""The socket to the host when the system lacks something for the moment."""

import array
import asyncio
import errno
import socket
import struct
import sys
import unittest
from unittest import mock

from test_agent_module import PUBLISH, PYTHON

sys.path.insert(0, PYTHON)
from agent_module.worker import link as link_module  # noqa: E402
from agent_module.worker.link import Link  # noqa: E402
from agent_module.worker.protocol import DESCRIPTOR, INLINE_BODY, ProtocolError  # noqa: E402


class LackingSocket(socket.socket):
    """A socket whose sends fail, a number of times."""

    failures = 0
    error = errno.ETOOMANYREFS

    def _fail(self) -> None:
        if self.failures > 0:
            self.failures -= 1
            raise OSError(self.error, "lacking")

    def send(self, *arguments):
        self._fail()
        return super().send(*arguments)

    def sendmsg(self, *arguments):
        self._fail()
        return super().sendmsg(*arguments)


class LackTests(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self) -> None:
        mine, self.host = socket.socketpair()
        self.host.settimeout(10)
        self.socket = LackingSocket(fileno=mine.detach())
        self.link = Link(self.socket, asyncio.get_running_loop())
        self.link.open()
        self.addCleanup(self.host.close)
        self.addCleanup(self.link.close)

    async def test_a_lack_delays_frames_and_loses_none(self) -> None:
        for error in (errno.ETOOMANYREFS, errno.ENOBUFS, errno.ENOMEM):
            with self.subTest(error=errno.errorcode[error]):
                self.socket.error, self.socket.failures = error, 3
                self.link.send(PUBLISH, 0, b" " * (INLINE_BODY + 1), True)
                await asyncio.wait_for(self.link.flush(), 60)
                data, ancillary, _, _ = self.host.recvmsg(1 << 16, socket.CMSG_SPACE(4))
                self.assertEqual(struct.unpack("<IBI", data[:9])[1], PUBLISH | DESCRIPTOR)
                received = array.array("i")
                received.frombytes(ancillary[0][2])
                self.assertEqual(len(received), 1)
                socket.close(received[0])

    async def test_a_lack_that_lasts_ends_the_worker_with_a_sentence(self) -> None:
        self.socket.failures = 1 << 30
        with mock.patch.object(link_module, "_PATIENCE", 0.0):
            self.link.send(PUBLISH, 0, b"[]", True)
            with self.assertRaisesRegex(ProtocolError, "no room"):
                await asyncio.wait_for(self.link.receive(), 60)

    async def test_the_end_of_the_host_is_no_lack(self) -> None:
        self.socket.error, self.socket.failures = errno.EPIPE, 1
        self.link.send(PUBLISH, 0, b"[]", True)
        await asyncio.wait_for(self.link.flush(), 60)
        self.assertEqual(self.link.waiting, 0)
        self.host.close()
        self.assertIsNone(await asyncio.wait_for(self.link.receive(), 60))


if __name__ == "__main__":
    unittest.main()
