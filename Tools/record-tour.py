#!/usr/bin/env python3
"""record-tour.py FOLDER [FILE] : runs a few commands with the programs in FOLDER, such as PREFIX/bin, in a
pseudo-terminal, and draws what the terminal shows as an SVG, docs/images/tour.svg by default.

The commands are real, and so is each line of the picture. A line "…" stands for lines that are left out.
"""

import fcntl
import html
import json
import math
import os
import pathlib
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time

COLUMNS, ROWS = 96, 13

# A comment, a command, which of its lines are kept, and a command before it that isn't shown.
STEPS = [
    ("An agent is a folder: settings, and modules that watch, answer and work.",
     "create-agent shop && cd shop", ("The settings are valid",), None),
    (None, "agent build && agent start", ("built", "The agent runs"), None),
    (None, 'agent ask "how many errors in the last 5 minutes?"', None, None),
    ("Each process has a sandboxed worker of its own. One is killed: only that one starts again.",
     "kill -9 $(agent status | awk '$1 == \"log\" { print $3 }')", None, None),
    (None, "agent status", None, "sleep 1.5"),
    ("Events are in a durable log. A query sums them up, in the past or live, and draws a chart.",
     "agent query 'sale => sum(amount) by shop every minute' --span 'last hour' --past --plot", None,
     "agent events publish - < sales.jsonl"),
    ("A mistake is found before anything starts.",
     "sed -i 's/\"count\"/\"cuont\"/' settings.json && agent validate", None, None),
]


def sales():
    """An hour of sales of two shops, a line each."""
    now = int(time.time() * 1000)
    for minute in range(60):
        for shop, phase in (("Berlin", 0), ("Lima", 2)):
            amount = round(60 + 40 * math.sin(minute / 9 + phase))
            yield json.dumps({"type": "sale", "timestamp": now - (60 - minute) * 60_000, "shop": shop,
                              "amount": amount})


class Screen:
    """What a terminal shows: rows of pairs, a character and its style."""

    CODE = re.compile(r"\x1b\[([0-9;?]*)([A-Za-z])")

    def __init__(self):
        self.rows, self.row, self.column, self.style = [[]], 0, 0, ()

    def write(self, text):
        at = 0
        while at < len(text):
            code = self.CODE.match(text, at)
            if code:
                self.obey(code[2], code[1])
                at = code.end()
                continue
            self.put(text[at])
            at += 1

    def put(self, character):
        if character == "\r":
            self.column = 0
        elif character == "\n":
            self.row += 1
            while len(self.rows) <= self.row:
                self.rows.append([])
        elif character >= " ":
            row = self.rows[self.row]
            row.extend([(" ", ())] * (self.column + 1 - len(row)))
            row[self.column] = (character, self.style)
            self.column += 1

    def obey(self, letter, numbers):
        count = int(numbers) if numbers.isdigit() else 0
        if letter == "m":
            for number in numbers.split(";"):
                self.style = () if number in ("", "0") else (*self.style, int(number))
        elif letter == "A":
            self.row = max(0, self.row - max(1, count))
        elif letter == "K":
            del self.rows[self.row][self.column:]
        elif letter == "J":
            del self.rows[self.row][self.column:]
            del self.rows[self.row + 1:]


def run(command, folder, environment):
    """Runs a command in a terminal of its own; what that shows, without empty rows at the end."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    child = subprocess.Popen(["bash", "-c", command], cwd=folder, env=environment, stdin=theirs, stdout=theirs,
                             stderr=theirs, start_new_session=True)
    os.close(theirs)
    shown = bytearray()
    while True:
        # The read fails once nobody has the terminal open any more.
        try:
            part = os.read(ours, 65536)
        except OSError:
            break
        if not part:
            break
        shown += part
    child.wait()
    os.close(ours)
    screen = Screen()
    screen.write(shown.decode().replace(environment["HOME"], "~"))
    while screen.rows and not screen.rows[-1]:
        screen.rows.pop()
    return screen.rows


def plain(row):
    return "".join(character for character, _ in row)


def kept(rows, parts):
    """The rows that have one of the parts, with one row "…" for those between them that are left out."""
    if parts is None:
        return rows
    result = []
    for row in rows:
        if any(part in plain(row) for part in parts):
            result.append(row)
        elif not result or plain(result[-1]) != "…":
            result.append([("…", (2,))])
    return result


def styled(text, *style):
    return [(character, style) for character in text]


def record(programs, folder):
    """The rows of the picture."""
    environment = {"PATH": f"{programs}:{os.environ['PATH']}", "HOME": folder, "TERM": "xterm-256color",
                   "LANG": "C.UTF-8", "TZ": "UTC",
                   "XDG_CACHE_HOME": os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache"))}
    place, picture = folder, []
    try:
        for comment, command, parts, before in STEPS:
            if before:
                subprocess.run(["bash", "-c", before], cwd=place, env=environment, check=True, capture_output=True)
            rows = kept(run(command, place, environment), parts)
            if comment:
                picture += [[]] if picture else []
                picture.append(styled(f"# {comment}", 2))
            picture += [styled("$ ", 32) + styled(command, 1), *rows]
            if command.endswith("cd shop"):
                place = os.path.join(folder, "shop")
                pathlib.Path(place, "sales.jsonl").write_text("\n".join(sales()) + "\n")
    finally:
        subprocess.run(["bash", "-c", "agent stop"], cwd=place, env=environment, capture_output=True)
    return picture


class Picture:
    """The window of a terminal as an SVG."""

    WIDTH, HEIGHT, SIZE, LEFT, TOP = 8.4, 19, 14, 22, 58
    FONTS = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace"
    COLORS = {2: "#8b949e", 31: "#ff7b72", 32: "#7ee787", 33: "#e3b341", 34: "#79c0ff", 35: "#d2a8ff",
              36: "#76e3ea", 90: "#8b949e", 91: "#ffa198", 92: "#56d364", 93: "#e3b341", 94: "#79c0ff",
              95: "#d2a8ff", 96: "#56d4dd"}

    def __init__(self, rows):
        self.rows = rows

    def run(self, text, style, column, row):
        """One text of one style. Its length is said, so that columns are straight in every font."""
        color = next((self.COLORS[code] for code in reversed(style) if code in self.COLORS), None)
        fill = f' fill="{color}"' if color else ' fill="#f0f6fc"' if 1 in style else ""
        weight = ' font-weight="600"' if 1 in style else ""
        x, y = self.LEFT + column * self.WIDTH, self.TOP + row * self.HEIGHT
        return (f'<text x="{x:g}" y="{y:g}" textLength="{len(text) * self.WIDTH:g}"{fill}{weight}>'
                f"{html.escape(text, quote=False)}</text>")

    def line(self, cells, row):
        """The texts of a row. Several blanks end a text, since a picture shows them as one."""
        start = 0
        for end in range(1, len(cells) + 1):
            if end < len(cells) and cells[end][1] == cells[start][1]:
                continue
            for text in re.finditer(r"\S+( \S+)*", plain(cells[start:end])):
                yield self.run(text[0], cells[start][1], start + text.start(), row)
            start = end

    @property
    def svg(self):
        width = round(2 * self.LEFT + COLUMNS * self.WIDTH)
        height = round(self.TOP + (len(self.rows) - 1) * self.HEIGHT + self.LEFT)
        lines = [part for row, cells in enumerate(self.rows) for part in self.line(cells, row)]
        dots = [f'<circle cx="{x}" cy="20" r="6" fill="{color}"/>'
                for x, color in ((24, "#ff5f57"), (44, "#febc2e"), (64, "#28c840"))]
        return "\n".join([
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" role="img" aria-label="A terminal in which an agent is made, run, asked and broken">',
            f'<rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="10" fill="#0d1117" stroke="#30363d"/>',
            *dots,
            f'<g font-family="{self.FONTS}" font-size="{self.SIZE}" fill="#c9d1d9">',
            *lines, "</g>", "</svg>", ""])


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    programs = os.path.abspath(sys.argv[1])
    target = pathlib.Path(sys.argv[2] if len(sys.argv) == 3 else
                          pathlib.Path(__file__).parents[1] / "docs" / "images" / "tour.svg")
    folder = tempfile.mkdtemp(prefix="tour-")
    try:
        rows = record(programs, folder)
    finally:
        shutil.rmtree(folder)
    text = Picture(rows).svg
    if any(len(row) > COLUMNS for row in rows):
        print("record-tour: a line is wider than the picture:", max(map(plain, rows), key=len), file=sys.stderr)
    target.parent.mkdir(exist_ok=True)
    target.write_text(text)
    print(f"record-tour: wrote {target}")


if __name__ == "__main__":
    main()
