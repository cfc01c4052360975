"""Results as lines and as a page."""

from sweep import compare

AGREES, DIFFERS, FAILS, LACKS = "agree", "differ", "do not run", "do not load"
NOT_TRACED, STOPPED, UNSTABLE = "have no graph to run", "were stopped", "are unstable in MXNet itself"
# What a single node may differ by, given the very values that MXNet gives it.
NODE_TOLERANCE = 1e-5


def is_unstable(result):
    """Every node agrees by itself, and MXNet does not agree with itself after a change too small to notice."""
    return (result["runs"] and not result["agrees"] and "alone" in result
            and result["alone"]["difference"] <= NODE_TOLERANCE and (result["moves"] or 0) > compare.TOLERANCE)


def status(result):
    if result.get("stopped"):
        return STOPPED
    if result["agrees"]:
        return AGREES
    if result["runs"]:
        return UNSTABLE if is_unstable(result) else DIFFERS
    if result["loads"]:
        return FAILS
    return LACKS if result["traced"] else NOT_TRACED


WORDS = {AGREES: "ok", DIFFERS: "DIFFERS", FAILS: "FAILS", LACKS: "NOT LOADED", NOT_TRACED: "no graph", STOPPED: "STOPPED",
         UNSTABLE: "UNSTABLE"}


def line(result):
    difference = f"{result['difference']:8.1e}" if "difference" in result else " " * 8
    return f"{result['network']:48} {WORDS[status(result)]:10} {difference} {result.get('seconds', 0):6.1f} s  {result.get('reason', '')}"


def shapes_text(result):
    return ", ".join(" x ".join(map(str, shape)) for shape in result.get("shapes", []))


def row(name, result):
    yes = {True: "yes", False: "no"}
    cells = [name, shapes_text(result), yes[result["loads"]], yes[result["runs"]],
             f"{result['difference']:.0e}" if "difference" in result else "",
             "yes" if result["agrees"] else "no", result["reason"].replace("|", "\\|")]
    return "| " + " | ".join(cells) + " |\n"


TITLES = {"numpy": "NumPy interface"}

HEAD = """# Networks

Look up here whether a network of GluonCV 0.10.5's model zoo, a language model of GluonNLP 0.10.0, or a network written with
MXNet's NumPy interface (`tests/oracle/sweep/np_*.py`) gives MXNet's results.
Each network runs in MXNet 1.9.1 and in mxinfer with the same seeded random weights and the same inputs. "difference" is the
largest difference of any output, relative to the largest magnitude in that output; up to 1e-4 agrees. Detections whose scores
are closer than that may therefore swap places. For regions with a negative batch index, MXNet's ROIAlign leaves memory
unwritten; MXNet's answer counts as zeros there.

These commands write this page:

    sh tests/oracle/setup.sh --networks
    build/oracle/bin/python tests/oracle/network_sweep.py --mxinfer build/release/bin/mxinfer
    build/oracle/bin/python tests/oracle/network_sweep.py --write-docs docs/reference/networks.md

"""


def unstable_text(count):
    """About networks that cannot be compared as a whole."""
    if count == 0:
        return ""
    return f"""
Of the networks that do not agree, {count} cannot be compared as a whole. Each of their nodes agrees to
{NODE_TOLERANCE:.0e} when it is given MXNet's own values, and MXNet's own result moves by more than
{compare.TOLERANCE:.0e} when the input changes by {compare.NUDGE:.0e} of its largest magnitude.
"""


def page(known, results):
    ran = {name: results[name] for name in known if name in results and status(results[name]) != STOPPED}
    traced = [result for result in ran.values() if result["traced"]]
    text = HEAD + (f"{len(ran)} of {len(known)} networks were tried. MXNet can export and run {len(traced)} of them. Of these, mxinfer loads "
                   f"{sum(r['loads'] for r in traced)}, runs {sum(r['runs'] for r in traced)}, and agrees on "
                   f"{sum(r['agrees'] for r in traced)}.\n" + unstable_text(sum(map(is_unstable, traced))))
    for family in dict.fromkeys(network.family for network in known.values()):
        rows = [(name, result) for name, result in ran.items() if result["traced"] and known[name].family == family]
        if rows:
            text += f"\n## {TITLES.get(family, family.capitalize())}\n\n| network | inputs | loads | runs | difference | agrees | |\n"
            text += "|---|---|---|---|---|---|---|\n" + "".join(row(name, result) for name, result in rows)
    rest = [(name, result) for name, result in ran.items() if not result["traced"]]
    if rest:
        text += "\n## Not compared\n\nMXNet itself cannot export these as a graph, or this comparison does not cover them.\n\n"
        text += "| network | why |\n|---|---|\n"
        text += "".join(f"| {name} | {result['reason']} |\n".replace("\\|", "|") for name, result in rest)
    return text
