"""Plants a bug into a kernel, and expects the tests of tests/cuda to find it.

  python3 planted.py CONFIG BUG      CONFIG: the file that CMake writes for it
  python3 planted.py CONFIG --list

The edited source is compiled and linked with the objects of the other kernels; the tests run with that library.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from bugs import BUGS, Bug


def fail(text: str) -> None:
    sys.exit(f"planted.py: {text}")


def edited(root: pathlib.Path, bug: Bug) -> str:
    text = (root / bug.file).read_text()
    if text.count(bug.old) != 1:
        fail(f"{bug.file} has {text.count(bug.old)} times what '{bug.name}' replaces; expected once. "
             f"Write the bug anew for the kernel as it is now, in bugs.py:\n{bug.old}")
    return text.replace(bug.old, bug.new)


def run(command: list[str]) -> None:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        fail(f"{' '.join(command)}\n{done.stdout}")


def build(config: dict, bug: Bug, folder: pathlib.Path) -> pathlib.Path:
    root = pathlib.Path(config["root"])
    kind = bug.build or bug.found_by
    source = folder / bug.file
    source.parent.mkdir(parents=True)
    source.write_text(edited(root, bug))
    kernel = bug.kernel or bug.file
    # A header is found in the folder before that of the tree.
    compiled = folder / kernel if kernel == bug.file else root / kernel
    sanitizer = {"race": ["-fsanitize=thread"], "bounds": ["-fsanitize=bounds", "-fno-sanitize-recover=all"]}
    flags = config["flags"] + sanitizer.get(kind, []) + ["-I", str(folder)]
    for include in config["includes"]:
        flags += ["-I", include]
    made = folder / "planted.o"
    run([config["compiler"], *flags, "-x", "c++", "-c", str(compiled), "-o", str(made)])
    suffix = f"/{kernel}.o"
    objects = config["race_objects" if kind == "race" else "objects"]
    others = [name for name in objects if not name.endswith(suffix)]
    if len(others) != len(objects) - 1:
        fail(f"{len(objects) - len(others)} objects end with {suffix}; expected one")
    library = folder / "libmxinfer_cuda.so"
    link = ["-fsanitize=bounds"] if kind == "bounds" else []
    run([config["compiler"], "-shared", *link, "-Wl,-z,nodelete", "-o", str(library), str(made), *others, "-ldl",
         "-lpthread"])
    return library


def check(bug: Bug, code: int, output: str) -> None:
    message = "SIMT emulator: kernel" in output
    race = "race: thread" in output or "that are not within" in output
    bounds = "runtime error: index" in output
    found = [name for name, is_so in (("race", race), ("bounds", bounds), ("message", message and not race),
                                      ("result", "[  FAILED  ]" in output and not message)) if is_so]
    if bug.found_by == "nothing":
        if code != 0:
            fail(f"{bug.tests} fails, and there is no bug:\n{output[-4000:]}")
        return
    if code == 0:
        fail(f"'{bug.name}' passes {bug.tests}; expected that it is found by: {bug.found_by}")
    if bug.found_by not in found or bug.says not in output:
        fail(f"'{bug.name}' is found by {found}; expected {bug.found_by} '{bug.says}':\n{output[-4000:]}")
    lines = [line for line in output.splitlines() if "SIMT emulator:" in line or "runtime error" in line]
    print(f"{bug.name}: found by {bug.found_by}" + (f": {lines[0]}" if lines else ""))


def main() -> None:
    config = json.loads(pathlib.Path(sys.argv[1]).read_text())
    if sys.argv[2] == "--list":
        print("\n".join(f"{bug.name}: {bug.found_by}" for bug in BUGS))
        return
    bug = next(bug for bug in BUGS if bug.name == sys.argv[2])
    with tempfile.TemporaryDirectory() as name:
        library = build(config, bug, pathlib.Path(name))
        environment = dict(os.environ, MXINFER_CUDA_LIBRARY=str(library))
        tests = subprocess.run([config["tests"], f"--gtest_filter={bug.tests}", "--gtest_fail_fast"],
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, timeout=500)
        output = tests.stdout.decode(errors="replace")
        if "Running 0 tests" in output:
            fail(f"there is no test {bug.tests}")
        check(bug, tests.returncode, output)


main()
