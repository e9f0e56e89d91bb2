"""The attempts as a command: the same code as the library's, in a process of Python's."""

import array
import asyncio
import contextlib
import ctypes
import json
import os
import socket
import struct
import threading

from agent_module import Action, Datasource, Module

module = Module("command", "1.0.0")
attempts = ctypes.CDLL(os.path.abspath("libattempts.so"))
kept = []


@module.action("attempt")
class Attempt(Action):
    async def perform(self, input, progress):
        answer = ctypes.create_string_buffer(64 << 10)
        attempts.attempts_run(
            input["agent"].encode(), os.getppid(), int(input["sibling"]),
            input["only"].encode(), answer, ctypes.c_ulong(len(answer)))
        return json.loads(answer.value)


@module.action("read")
class Read(Action):
    async def perform(self, input, progress):
        """The errno of reading a file; 0 when it was read. More than a frame carries inline for `large`."""
        if input["path"] == "large":
            return "x" * (2 << 20)
        try:
            with open(input["path"], "rb") as file:
                file.read(1)
            return 0
        except OSError as error:
            return error.errno


@module.datasource("idle")
class Idle(Datasource):
    async def run(self):
        await getattr(self, self.settings.get("does", "nothing"))()
        while True:
            await self.host.sleep(3600)

    async def nothing(self):
        pass

    async def hoard(self):
        """Memory that is mapped nowhere."""
        kept.append(os.memfd_create("hoard"))
        for _ in range(100):
            os.write(kept[0], b"x" * (1 << 20))

    async def drop(self):
        """Memory that is mapped, and whose descriptor is closed: its pages are touched by nobody."""
        mmap = ctypes.CDLL(None).mmap
        mmap.restype = ctypes.c_void_p
        for _ in range(10):
            file = os.memfd_create("drop")
            for _ in range(10):
                os.write(file, b"x" * (1 << 20))
            # PROT_READ, MAP_PRIVATE
            mmap(None, ctypes.c_size_t(4096), 1, 2, file, ctypes.c_long(0))
            os.close(file)

    async def bury(self):
        """The same, behind more mappings than anybody has."""
        await self.drop()
        libc = ctypes.CDLL(None)
        libc.mmap.restype = ctypes.c_void_p
        pages = 50_000
        # PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS: below all that is mapped already.
        start = libc.mmap(None, ctypes.c_size_t(pages * 4096), 0, 0x22, -1, ctypes.c_long(0))
        for page in range(0, pages, 2):
            libc.mprotect(ctypes.c_void_p(start + page * 4096), ctypes.c_size_t(4096), 1)

    async def multiply(self):
        """Threads, none of which is a process."""
        never = threading.Event()
        threading.stack_size(64 << 10)
        for _ in range(1100):
            threading.Thread(target=never.wait, daemon=True).start()
        await asyncio.sleep(0)

    async def linger(self):
        """Sends the host a socket whose close waits for a peer that doesn't read."""
        connected = socket.create_connection(("127.0.0.1", self.settings["port"]))
        connected.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            while True:
                connected.send(bytes(1 << 16))
        connected.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 40))
        host = socket.socket(fileno=os.dup(int(os.environ["AGENT_WORKER_FD"])))
        rights = array.array("i", [connected.fileno()])
        # A HEARTBEAT, which announces no descriptor.
        host.sendmsg([struct.pack("<IBI", 5, 20, 0)],
                     [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
        connected.close()

    async def hide(self):
        """Has a memory file wait in a pair of its own, where no list shows it."""
        kept.extend(pair := socket.socketpair())
        with contextlib.suppress(OSError):
            self.send_file(pair[0])
        print(f"{self.settings['does']} is through", flush=True)

    async def crowd(self):
        """Has descriptors wait in pairs of its own, as many as the kernel takes."""
        rights = array.array("i", [os.open("/dev/null", os.O_RDONLY)] * 253)
        count = 0
        with contextlib.suppress(OSError):
            while True:
                kept.extend(pair := socket.socketpair())
                for _ in range(20):
                    pair[0].sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
                    count += len(rights)
        print(f"crowd is through with {count}", flush=True)

    async def replace(self):
        """The same after it has put the pair in the place of the socket to the host."""
        host = int(os.environ["AGENT_WORKER_FD"])
        kept.extend(pair := socket.socketpair())
        for request in (lambda: os.dup2(pair[0].fileno(), host), lambda: os.close(host)):
            with contextlib.suppress(OSError):
                request()
        # Would have the number that is free.
        kept.append(os.dup(pair[0].fileno()))
        with contextlib.suppress(OSError):
            self.send_file(socket.socket(fileno=kept[-1]))
        await self.hide()

    @staticmethod
    def send_file(end):
        file = os.memfd_create("hidden")
        try:
            rights = array.array("i", [file])
            end.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
        finally:
            os.close(file)

    async def outlive(self):
        """Starts a program that has no group, session or variable of the worker's."""
        if os.fork() == 0:
            os.setsid()
            os.execve("/bin/sleep", ["sleep", "604.25"], {})

    async def redirect(self):
        """Puts a link in place of a folder that it may write."""
        os.rmdir(self.settings["place"])
        os.symlink(self.settings["target"], self.settings["place"])


if __name__ == "__main__":
    module.run()
