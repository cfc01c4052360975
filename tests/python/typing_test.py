"""The types of the Python package, as mypy and pyright see them in strict mode: of the package itself, of all that it exports,
and of programs that use it rightly (python/tests/typing/right.py) and wrongly (wrong.py, where each line marked so is refused).

    typing_test.py SOURCE_DIR WORK_DIR

It is run by the Python that the package and both tools are installed for, by python_test.sh.
"""

from __future__ import annotations

import json
import os
import pathlib
import re
import subprocess
import sys
from typing import Any, Dict, List, Set

SOURCE, WORK = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
PROGRAMS = SOURCE / "python" / "tests" / "typing"
failures: List[str] = []


def expect(holds: bool, what: str) -> None:
    print(("ok      " if holds else "FAILED  ") + what.splitlines()[0])
    if not holds:
        failures.append(what)


def run(*words: str, folder: pathlib.Path = WORK) -> "subprocess.CompletedProcess[str]":
    # Outside of the source tree, unless it says so: the package is the one that is installed, as in a program.
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", "")])  # where pyright finds this Python
    return subprocess.run(
        [sys.executable, "-m", *words], cwd=folder, capture_output=True, text=True, env={**os.environ, "PATH": path}
    )


def mypy(*words: str) -> "subprocess.CompletedProcess[str]":
    return run("mypy", "--cache-dir", str(WORK / "mypy"), *words)


def pyright(program: pathlib.Path) -> List[Dict[str, Any]]:
    """Its errors and warnings in strict mode."""
    project = WORK / "pyright"
    project.mkdir(exist_ok=True)
    (project / "pyrightconfig.json").write_text(json.dumps({"include": [program.name], "typeCheckingMode": "strict"}))
    (project / program.name).write_text(program.read_text())
    done = run("pyright", "--outputjson", "--project", str(project))
    try:
        report = json.loads(done.stdout)
    except ValueError:
        expect(False, "pyright answers\n" + done.stdout + done.stderr)
        return []
    expect(report["summary"]["filesAnalyzed"] == 1, "pyright finds " + program.name)
    return [each for each in report["generalDiagnostics"] if each["severity"] != "information"]


def told(diagnostics: List[Dict[str, Any]]) -> str:
    return "\n".join("{}:{}: {}".format(each["file"], line_of(each), each["message"]) for each in diagnostics)


def line_of(diagnostic: Dict[str, Any]) -> int:
    return int(diagnostic["range"]["start"]["line"]) + 1


def check_the_package() -> None:
    cache = str(WORK / "mypy_package")
    done = run("mypy", "--config-file", "pyproject.toml", "--cache-dir", cache, "python/mxinfer", folder=SOURCE)
    expect(done.returncode == 0, "mypy --strict takes the package\n" + done.stdout + done.stderr)
    done = run("pyright", folder=SOURCE)
    expect(done.returncode == 0, "pyright takes the package, strictly\n" + done.stdout + done.stderr)


def check_what_is_exported() -> None:
    """Every name that programs see has a type that is known whole."""
    done = run("pyright", "--outputjson", "--ignoreexternal", "--verifytypes", "mxinfer")
    try:
        report = json.loads(done.stdout)["typeCompleteness"]
    except (ValueError, KeyError):
        expect(False, "pyright --verifytypes answers\n" + done.stdout + done.stderr)
        return
    missing = [
        "{}: {}".format(symbol["name"], "; ".join(each["message"] for each in symbol["diagnostics"]))
        for symbol in report["symbols"]
        if symbol["isExported"] and symbol["isTypeKnown"] is False and not symbol["name"].startswith("mxinfer.spark")
    ]
    expect(report["exportedSymbolCounts"]["withKnownType"] > 300, "pyright knows what is exported")
    expect(not missing, "the types of all that is exported are known\n" + "\n".join(missing))


def check_programs() -> None:
    done = mypy("--strict", str(PROGRAMS / "right.py"))
    expect(done.returncode == 0, "mypy --strict takes what is right\n" + done.stdout + done.stderr)
    found = pyright(PROGRAMS / "right.py")
    expect(not found, "pyright takes what is right\n" + told(found))

    lines = (PROGRAMS / "wrong.py").read_text().splitlines()
    wrong = {number for number, line in enumerate(lines, 1) if line.endswith("# wrong")}
    expect(len(wrong) > 30, "there are wrong lines")
    done = mypy("--strict", str(PROGRAMS / "wrong.py"))
    refused = {int(number) for number in re.findall(r"wrong\.py:(\d+): error", done.stdout)}
    expect_lines(refused, wrong, "mypy", done.stdout)
    found = pyright(PROGRAMS / "wrong.py")
    expect_lines({line_of(each) for each in found}, wrong, "pyright", told(found))


def expect_lines(refused: Set[int], wrong: Set[int], tool: str, output: str) -> None:
    expect(wrong <= refused, "{} refuses what is wrong\nbut not the lines {}".format(tool, sorted(wrong - refused)))
    expect(refused <= wrong, "{} refuses nothing else\nbut the lines {}\n{}".format(tool, sorted(refused - wrong), output))


check_the_package()
check_what_is_exported()
check_programs()
for failure in failures:
    print("\n" + failure, file=sys.stderr)
sys.exit(1 if failures else 0)
