"""Packs the package `agent_module` into one archive without dependencies.

    python3 pack.py agent_module.zip

A module imports the package from the archive when the archive is on `sys.path`. The bytes of the archive
depend on nothing but the files of the package: the same package makes the same archive on every machine.
"""

from __future__ import annotations

import os
import sys
import zipfile
from typing import Iterator

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGE = "agent_module"
MOMENT = (1980, 1, 1, 0, 0, 0)
"""The time of all entries: the first that the format knows."""


def names(folder: str = PACKAGE) -> Iterator[str]:
    """Iterates over the files of the package, relative to this folder, in the order of the archive."""
    for name in sorted(os.listdir(os.path.join(HERE, folder))):
        path = f"{folder}/{name}"
        if os.path.isdir(os.path.join(HERE, path)):
            # Compiled files belong to one machine, and hidden folders to tools.
            if name != "__pycache__" and not name.startswith("."):
                yield from names(path)
        elif name.endswith(".py") or name == "py.typed":
            yield path


def pack(archive: str) -> None:
    """Writes the archive, in place of one that is there. Raises OSError."""
    partial = f"{archive}.partial"
    try:
        # Stored and not compressed: compressors differ in their output, and importing needs none.
        with zipfile.ZipFile(partial, "w", zipfile.ZIP_STORED) as file:
            for name in names():
                entry = zipfile.ZipInfo(name, MOMENT)
                entry.create_system = 3  # Unix, wherever it is packed.
                entry.external_attr = 0o100644 << 16
                with open(os.path.join(HERE, name), "rb") as source:
                    file.writestr(entry, source.read())
        # At once: a worker that starts meanwhile sees the old archive or the new one.
        os.replace(partial, archive)
    except OSError:
        if os.path.exists(partial):
            os.remove(partial)
        raise


def main() -> None:
    """Packs into the file that the command line names."""
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(f"usage: {os.path.basename(sys.argv[0])} ARCHIVE")
    try:
        pack(sys.argv[1])
    except OSError as error:
        sys.exit(f"{sys.argv[1]} can't be written: {error}")


if __name__ == "__main__":
    main()
