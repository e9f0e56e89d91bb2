"""Looks through a folder: files that anybody may change, programs with set-uid, keys in plain text."""
import os
import re
import stat

KEYS = re.compile(rb"-----BEGIN [A-Z ]*PRIVATE KEY-----|AKIA[0-9A-Z]{16}|(?i:password)\s*[=:]\s*\S{8}")

BITS = {stat.S_IWOTH: "anybody may change it", stat.S_ISUID: "runs as somebody else"}


class Found(Exception):
    final = True


def scan(context):
    found, files = [], 0
    for folder, _, names in os.walk(context["data"]["folder"]):
        for path in (os.path.join(folder, name) for name in names):
            mode = os.lstat(path).st_mode
            if not stat.S_ISREG(mode):
                continue
            files += 1
            found += [f"{path}: {words}" for bits, words in BITS.items() if mode & bits]
            with open(path, "rb") as file:
                if KEYS.search(file.read(1 << 20)):
                    found.append(f"{path}: a key or a password in plain text")
    if found:
        raise Found(f"{len(found)} findings in {files} files: {'; '.join(found)}")
    return {"files": files}
