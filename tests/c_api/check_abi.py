"""The ABI of the C interface as its headers state it, against the one that is recorded.

    check_abi.py CC HEADERS RECORDED [--selftest]

Every declared function is defined as one that does nothing, and abidiff (libabigail) compares what the compiler made of that
with RECORDED: functions and structs may not be taken away or change; functions may be added. MXINFER_UPDATE_ABI=1 records.
--selftest sees that changes which break programs are found.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
DECLARATION = re.compile(r"(MXINFER_C_API[^;{}]*?\))\s*;")
DUMP = ["--no-corpus-path", "--no-comp-dir-path", "--no-show-locs", "--no-elf-needed", "--type-id-style", "hash"]


def dump(cc, headers, out, change=lambda text: text):
    """Writes the ABI of these headers."""
    with tempfile.TemporaryDirectory() as work:
        copy = pathlib.Path(work) / "include"
        (copy / "mxinfer_c").mkdir(parents=True)
        for header in [headers / "mxinfer_c.h", *sorted((headers / "mxinfer_c").glob("*.h"))]:
            text = change(header.read_text())
            (copy / header.relative_to(headers)).write_text(DECLARATION.sub(r"\1 { __builtin_trap(); }", text))
        (pathlib.Path(work) / "all.c").write_text("#include <mxinfer_c.h>\n")
        subprocess.run([cc, "-std=c11", "-g", "-fPIC", "-shared", "-fvisibility=hidden", "-Wno-unused-parameter",
                        "-Iinclude", "all.c", "-o", "libmxinfer_c.so.1", "-Wl,-soname,libmxinfer_c.so.1"], cwd=work, check=True)
        subprocess.run(["abidw", *DUMP, "--out-file", str(out), f"{work}/libmxinfer_c.so.1"], check=True)


def compare(recorded, current):
    """What abidiff says, empty if nothing was taken away or changed."""
    done = subprocess.run(["abidiff", "--no-added-syms", str(recorded), str(current)], stdout=subprocess.PIPE, text=True)
    return done.stdout if done.returncode != 0 else ""


def selftest(cc, headers, recorded, work):
    """Each change of the headers, and whether it must be found."""
    def replaced(old, new):
        def change(text):
            return text.replace(old, new)
        return change

    changes = [
        ("a function that is gone", replaced("MXINFER_C_API size_t mxinfer_options_known(void);", ""), True),
        ("members in another order", replaced("  float score_threshold;   ///< objects that score less are left out\n"
                                              "  int32_t max_detections;", "  int32_t max_detections;\n  float score_threshold;"), True),
        ("an argument of another type", replaced("size_t index, mxinfer_desc* desc", "int index, mxinfer_desc* desc"), True),
        ("a member in the middle", replaced("const char* label;", "const char* label;\n  double more;"), True),
        ("a function more", replaced("MXINFER_C_API size_t mxinfer_options_known(void);",
                                     "MXINFER_C_API size_t mxinfer_options_known(void);\nMXINFER_C_API int mxinfer_more(void);"), False),
    ]
    for what, change, is_wrong in changes:
        dump(cc, headers, work / "changed.abi", change)
        text = compare(recorded, work / "changed.abi")
        if (text != "") != is_wrong:
            sys.exit(f"abidiff {'does not see' if is_wrong else 'rejects'} {what}:\n{text}")
    print(f"{len(changes)} changes judged rightly")


def main():
    cc, headers, recorded = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    if not shutil.which("abidiff") or not shutil.which("abidw"):
        print("SKIPPED: abidiff is not here; the Debian package abigail-tools has it")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        if "--selftest" in sys.argv:
            return selftest(cc, headers, recorded, work)
        current = work / "current.abi"
        dump(cc, headers, current)
        if os.environ.get("MXINFER_UPDATE_ABI"):
            shutil.copy(current, recorded)
        text = compare(recorded, current)
        if text:
            sys.exit(f"{text}\nThe ABI of the C interface has changed; docs/reference/abi.md says what may. MXINFER_UPDATE_ABI=1 records it.")
        print("the ABI is as recorded")


if __name__ == "__main__":
    main()
