"""Results as lines and as a page."""

from sweep import compare

AGREES, DIFFERS, FAILS, LACKS = "agree", "differ", "do not run", "do not load"
NOT_TRACED, STOPPED, UNSTABLE = "have no graph to run", "were stopped", "are unstable in MXNet itself"
# What a single node may differ by, given the very values that MXNet gives it.
NODE_TOLERANCE = 1e-5


def is_unstable(result):
    """Every node agrees by itself, and MXNet does not agree with itself after a change that no one would see."""
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


HEAD = """# Networks

Whole networks of GluonCV 0.10.5's model zoo, and language models of GluonNLP 0.10.0, with seeded random weights, in MXNet
1.9.1 and in mxinfer on the same inputs. The difference is the largest of any output, relative to that output's largest
magnitude; up to 1e-4 agrees. So detections whose scores are closer than that may swap places. Where MXNet's ROIAlign
leaves memory as it was, for regions with a negative batch index, its answer is taken with zeros there. This page is made by

    sh tests/oracle/setup.sh --networks
    build/oracle/bin/python tests/oracle/network_sweep.py --mxinfer build/release/bin/mxinfer
    build/oracle/bin/python tests/oracle/network_sweep.py --write-docs docs/reference/networks.md

"""


def unstable_text(count):
    """About networks of which nothing can be said as a whole."""
    if count == 0:
        return ""
    return f"""
Not to be compared as a whole among those that do not agree: {count}. Every node of such a network agrees to
{NODE_TOLERANCE:.0e} when it is given MXNet's own values, and MXNet's own result moves by more than
{compare.TOLERANCE:.0e} when the input changes by {compare.NUDGE:.0e} of its largest magnitude.
"""


def page(known, results):
    ran = {name: results[name] for name in known if name in results and status(results[name]) != STOPPED}
    traced = [result for result in ran.values() if result["traced"]]
    text = HEAD + (f"Of {len(known)} networks {len(ran)} were tried. Of those MXNet can export and run {len(traced)}, of which mxinfer loads "
                   f"{sum(r['loads'] for r in traced)}, runs {sum(r['runs'] for r in traced)}, and agrees on "
                   f"{sum(r['agrees'] for r in traced)}.\n" + unstable_text(sum(map(is_unstable, traced))))
    for family in dict.fromkeys(network.family for network in known.values()):
        rows = [(name, result) for name, result in ran.items() if result["traced"] and known[name].family == family]
        if rows:
            text += f"\n## {family.capitalize()}\n\n| network | inputs | loads | runs | difference | agrees | |\n"
            text += "|---|---|---|---|---|---|---|\n" + "".join(row(name, result) for name, result in rows)
    rest = [(name, result) for name, result in ran.items() if not result["traced"]]
    if rest:
        text += "\n## Not compared\n\nMXNet itself makes no graph of these, or they are outside of what is covered.\n\n"
        text += "| network | why |\n|---|---|\n"
        text += "".join(f"| {name} | {result['reason']} |\n".replace("\\|", "|") for name, result in rest)
    return text
