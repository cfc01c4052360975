"""The work of a launch (model.Work), from what the emulator counted of it and from the kernel's machine code."""
import dataclasses
import json

import machine_code
import model

def widths(counts, kind, warps):
    """(instructions of 4 bytes a lane, of 16) that a warp executes, if all its lanes take part."""
    requests, lanes = counts[f"global_{kind}_requests"], counts[f"global_{kind}_bytes"] / 32
    wide = min(requests, max(0.0, (lanes - 4 * requests) / 12))
    return (requests - wide) / warps, wide / warps


def per_warp(counts):
    """How many instructions of each class a warp executes, of machine_code.COUNTED."""
    warps = counts["warps"]
    names = {"matrix_load": "matrix_load_requests", "shared_load": "shared_load_requests", "copies": "copy_store_requests",
             "shared_store": "shared_store_requests", "exchanges": "exchanges"}
    executed = {name: counts[key] / warps for name, key in names.items()}
    executed["barriers"] = counts["barriers"]
    for kind in ("load", "store"):
        executed[f"global_{kind}"], executed[f"global_{kind}{machine_code.WIDE}"] = widths(counts, kind, warps)
    return executed


def work_of(counts, code, architecture):
    """`counts`: a line of what MXINFER_SIMT_COUNTS names. `code`: of machine_code.read_library."""
    warps, executed = counts["warps"], per_warp(counts)
    copy_waits = [counts[f"waits_for_copies_{i}"] / warps for i in (1, 2, 3, 4)]
    behind, loads = counts["waits_behind_work"] / warps, counts["waits_for_loads"] / warps
    if architecture == "75":  # which has no cp.async: a load and a store
        executed["global_load" + machine_code.WIDE] += executed["copies"]
        executed["shared_store"] += executed.pop("copies")
        loads, copy_waits = loads + sum(copy_waits), [0] * 4
    done = machine_code.executed(executed, code)
    loaded = counts["global_load_sectors"]
    reaching = counts["different_sectors"] + counts["global_copy_sectors"]
    written = counts["global_store_sectors"] + counts["global_atomic_sectors"]
    return model.Work(
        kernel=machine_code.key_of(counts["kernel"]), blocks=counts["grid"][0] * counts["grid"][1] * counts["grid"][2],
        threads=counts["block"][0] * counts["block"][1] * counts["block"][2], registers=code["registers"],
        shared_bytes=counts["shared_bytes"], instructions=done["instructions"], fetched=done["fetched"],
        floats=done["floats"], products=counts["products"] / warps, near_waits=counts["waits_near"] / warps, load_waits=loads,
        behind=behind, copy_waits=tuple(copy_waits),
        wavefronts=sum(counts[f"{name}_wavefronts"] for name in ("shared_load", "shared_store", "matrix_load")),
        copy_wavefronts=counts["copy_store_wavefronts"], sectors=loaded + counts["global_copy_sectors"] + written,
        cache_bytes=32 * (reaching + written),
        read_bytes=counts["footprint_read"], memory_bytes=counts["footprint_read"] + counts["footprint_written"],
        pages=counts["pages"], by_groups=code["by_groups"])


def read_counts(path):
    with open(path) as file:
        return [json.loads(line) for line in file]


def to_json(work):
    def rounded(value):
        if isinstance(value, (tuple, list)):
            return [rounded(each) for each in value]
        return float(f"{value:.4g}") if isinstance(value, float) else value

    return {key: rounded(value) for key, value in dataclasses.asdict(work).items()}


def from_json(values):
    return model.Work(**{**values, "copy_waits": tuple(values["copy_waits"])})
