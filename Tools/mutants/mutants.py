"""mutants.py [--folder F] [--jobs N] [--list] [NAME...] : plants faults in a copy of the sources, one at a
time, and runs the tests that are to find them.

A fault is a file NAME.mutant: lines "what:", "file:" and "test:" (a filter of `swift test`) or "run:" (a shell
command in the sources' folder, with the built programs' folder as BUILD), then what is
replaced between "<<<<" and "====", and what takes its place up to ">>>>". A fault may have several such parts;
each belongs to the "file:" before it. What is replaced must be there exactly once.

Each test runs once without any fault first. A fault whose test fails then, or runs nothing, isn't caught by it.
"""

import argparse
import filecmp
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[1]
# Longer than the slowest suite needs; a fault that makes a test hang is caught by this.
TEST_SECONDS = 300
BUILD_SECONDS = 3600


class Wrong(Exception):
    """A fault that can't be planted."""


class Mutant:
    def __init__(self, path):
        self.name = path.stem
        self.what, self.test, self.command, self.parts = "", "", "", []
        file, lines = None, iter(path.read_text(encoding="utf-8").split("\n"))
        for line in lines:
            key, _, value = line.partition(":")
            if key == "what":
                self.what = value.strip()
            elif key == "test":
                self.test = value.strip()
            elif key == "run":
                self.command = value.strip()
            elif key == "file":
                file = value.strip()
            elif line == "<<<<":
                self.parts.append((file, self.upto("====", lines), self.upto(">>>>", lines)))
            elif line.strip():
                raise Wrong(f"{path.name}: {line!r} isn't understood")
        if not (self.what and (self.test or self.command) and self.parts and file):
            raise Wrong(f"{path.name} needs what, file, test or run, and a replacement")

    @property
    def proof(self):
        """What is to find it."""
        return self.test or self.command

    @staticmethod
    def upto(end, lines):
        found = []
        for line in lines:
            if line == end:
                return "\n".join(found)
            found.append(line)
        raise Wrong(f"{end} is missing")

    def plant(self, tree):
        """Restores the files."""
        former = {}
        for file, old, new in self.parts:
            path = tree / file
            if not path.exists():
                raise Wrong(f"there is no {file}")
            text = path.read_text(encoding="utf-8")
            former.setdefault(path, text)
            if text.count(old) != 1:
                raise Wrong(f"{file} has {text.count(old)} times what is to be replaced")
            path.write_text(text.replace(old, new), encoding="utf-8")
        return former


class Copy:
    """A copy of the sources with a build folder of its own."""

    def __init__(self, folder, flags=()):
        self.tree = folder / "tree"
        self.scratch = folder / "build"
        self.log = folder / "log"
        self.flags = flags

    def refresh(self):
        """Only what differs is written: what keeps its time isn't compiled again."""
        here = set()
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True,
            capture_output=True).stdout
        for name in listed.decode().split("\0"):
            source, target = ROOT / name, self.tree / name
            if not name or not (source.is_file() or source.is_symlink()):
                continue
            here.add(target)
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_symlink():
                target.unlink(missing_ok=True)
                target.symlink_to(os.readlink(source))
            elif not target.is_file() or not filecmp.cmp(source, target, shallow=False):
                shutil.copy(source, target)
        for path in sorted(self.tree.rglob("*"), reverse=True):
            if path not in here and (path.is_file() or path.is_symlink()):
                path.unlink()

    def swift(self, *words, seconds):
        """Whether it worked, and what it printed; False as well when it takes too long."""
        return self.logged(["swift", *words, "--scratch-path", str(self.scratch), *self.flags], seconds)

    def logged(self, command, seconds, **options):
        with open(self.log, "wb") as log:
            try:
                code = subprocess.run(
                    command, cwd=self.tree, stdout=log, stderr=subprocess.STDOUT, timeout=seconds,
                    **options).returncode
            except subprocess.TimeoutExpired:
                code = -1
        return code == 0, self.log.read_text(encoding="utf-8", errors="replace")

    def build(self):
        return self.swift("build", "--build-tests", seconds=BUILD_SECONDS)

    def test(self, mutant):
        if mutant.test:
            return self.swift("test", "--skip-build", "--filter", mutant.test, seconds=TEST_SECONDS)
        environment = {**os.environ, "BUILD": str(self.scratch / "debug"), "PYTHONDONTWRITEBYTECODE": "1"}
        return self.logged(mutant.command, TEST_SECONDS, shell=True, env=environment)

    def baseline(self, mutant):
        """Why the test proves nothing, though no fault is planted; empty when it passes."""
        passed, said = self.test(mutant)
        if not passed:
            return "fails without the fault"
        # A filter that names a suite which was renamed runs nothing, and passes.
        if mutant.test and not re.search(r"(Test run with|Executed) [1-9]\d* test", said):
            return "runs nothing"
        return ""

    def attempt(self, mutant):
        """The outcome's name, and what to say of it."""
        try:
            former = mutant.plant(self.tree)
        except Wrong as error:
            return "misfit", str(error)
        try:
            is_built, said = self.build()
            if not is_built:
                return "broken", "\n".join(line for line in said.split("\n") if "error:" in line)[:500]
            passed, said = self.test(mutant)
        finally:
            for path, text in former.items():
                path.write_text(text, encoding="utf-8")
        if passed:
            return "missed", f"{mutant.proof} passes all the same"
        failed = re.findall(r'✘ Test (?:"([^"]+)"|(\S+)) .*failed', said)
        failed += [(name, "") for name in re.findall(r"^(?:FAIL|ERROR): (\S+)", said, re.MULTILINE)]
        names = sorted({quoted or plain for quoted, plain in failed} - {"run"})
        return "caught", names[0] if names else "the tests end or hang"


class Here(Copy):
    """The sources themselves, where a clone is there for nothing else and is built already."""

    def __init__(self, scratch, flags):
        super().__init__(ROOT, flags)
        self.tree, self.scratch, self.log = ROOT, scratch, scratch / "mutants.log"

    def refresh(self):
        changed = subprocess.run(
            ["git", "status", "--porcelain", "--untracked-files=no"], cwd=ROOT, check=True, capture_output=True)
        if changed.stdout:
            raise Wrong("the sources have changes that a planted fault could take with it; commit them")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--here", metavar="SCRATCH", help="in these sources, which are built in SCRATCH")
    parser.add_argument("--flags", default="", help="further options of swift build and swift test")
    parser.add_argument("--folder", default=".build-mutants")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    mutants = [Mutant(path) for path in sorted(HERE.glob("*.mutant"))]
    unknown = set(given.names) - {mutant.name for mutant in mutants}
    if unknown:
        raise Wrong(f"there is no fault {', '.join(sorted(unknown))}")
    if given.names:
        mutants = [mutant for mutant in mutants if mutant.name in given.names]
    # Faults of one target after each other: the next build then compiles that target once, not two.
    mutants.sort(key=lambda mutant: (mutant.parts[0][0], mutant.name))
    if given.list:
        check(mutants)
        return
    flags = given.flags.split()
    if given.here:
        copies = [Here(pathlib.Path(given.here).resolve(), flags)]
    else:
        folder = pathlib.Path(given.folder).resolve()
        copies = [Copy(folder / str(n), flags) for n in range(min(max(1, given.jobs), len(mutants)))]
    outcomes = run(mutants, copies)
    bad = [name for name, outcome in outcomes.items() if outcome != "caught"]
    print(f"mutants: {len(outcomes) - len(bad)} of {len(outcomes)} faults are caught")
    if bad:
        raise Wrong(f"not caught: {', '.join(sorted(bad))}")


def check(mutants):
    """Whether each still fits the sources, without building."""
    misfits = 0
    for mutant in mutants:
        problem = ""
        for file, old, _ in mutant.parts:
            path = ROOT / file
            count = path.read_text(encoding="utf-8").count(old) if path.exists() else 0
            if count != 1:
                problem = f"  MISFIT: {file} has {count} times what is to be replaced"
        misfits += bool(problem)
        print(f"{mutant.name}: {mutant.what} ({mutant.proof}){problem}")
    if misfits:
        raise Wrong(f"{misfits} of {len(mutants)} faults don't fit the sources any more")


def run(mutants, copies):
    """The outcome of each fault by its name."""
    waiting, outcomes, lock = list(mutants), {}, threading.Lock()
    # One mutant for each test: many share one.
    untried = list({mutant.proof: mutant for mutant in mutants}.values())
    unfounded = {}
    # No fault is planted before every test has run without one.
    all_tried = threading.Barrier(len(copies))

    def taken(queue):
        with lock:
            return queue.pop(0) if queue else None

    def work(copy):
        copy.refresh()
        is_built, said = copy.build()
        if not is_built:
            raise Wrong(f"the sources without a fault can't be built; see {copy.log}")
        while mutant := taken(untried):
            unfounded[mutant.proof] = copy.baseline(mutant)
        all_tried.wait()
        while mutant := taken(waiting):
            begin = time.monotonic()
            if problem := unfounded[mutant.proof]:
                outcome, said = "unfounded", f"{mutant.proof} {problem}"
            else:
                outcome, said = copy.attempt(mutant)
            with lock:
                outcomes[mutant.name] = outcome
                print(f"mutants: {outcome} {mutant.name}, {mutant.what}: {said} "
                      f"({time.monotonic() - begin:.0f} s)", flush=True)

    failures = []

    def guarded(copy):
        try:
            work(copy)
        except Exception as error:
            failures.append(error)
            all_tried.abort()

    threads = [threading.Thread(target=guarded, args=(copy,)) for copy in copies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    return outcomes


if __name__ == "__main__":
    try:
        main()
    except Wrong as wrong:
        print(f"mutants: {wrong}", file=sys.stderr)
        sys.exit(1)
