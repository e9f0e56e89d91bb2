"""Publishes the lines of a log file as they are written."""

from __future__ import annotations

from agent_module import Datasource, Event, LogFollower


class LogFile(Datasource):
    async def run(self) -> None:
        path = self.settings["path"]
        kept = await self.host.state.get("position")
        # Another file than before is a new one, and so is what it has.
        if kept is not None and kept["path"] != path:
            kept = None
        follower = LogFollower(path, self.settings.get("from", "end"), kept)
        try:
            await self.follow(follower)
        finally:
            follower.close()

    async def follow(self, follower: LogFollower) -> None:
        missing = False
        kept = None
        while True:
            lines = follower.read()
            if lines:
                await self.host.events.publish(*[self.event(line) for line in lines])
            # Behind the lines that are in the log: after a restart none is missing, and none but
            # those of a batch that was under way comes twice.
            if follower.position != kept:
                kept = follower.position
                await self.host.state.set("position", kept)
            if follower.missing and not missing:
                self.host.log(f"{follower.path} isn't there yet.", "warning")
            missing = follower.missing
            # A file that has just given lines may have more.
            if not lines:
                await self.host.sleep(self.settings.get("pause_ms", 500) / 1000)

    def event(self, line: str) -> Event:
        words = self.settings.get("error_words", ["error"])
        is_error = any(word.lower() in line.lower() for word in words)
        level = "error" if is_error else "info"
        return Event("log_line", {"file": self.settings["path"], "line": line, "level": level})
