"""What the machine code of a kernel says of the instructions that it executes: libmxinfer_cuda.so, read by cuobjdump.

The emulator counts what a kernel asks of memory, not its arithmetic. So the kernel's main loop is looked for in the machine code:
the smallest loop that has most of the products, of tensor cores or else of floats, or else most of the accesses of memory. It goes
round as often as the counted accesses say. Straight pieces of code are executed in the share of their accesses that were counted;
pieces without any as those around them, but not the special functions of activations that a launch does not have.
"""
import dataclasses
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))

import cuda_report  # noqa: E402

# Classes of instructions, by their names. Of accesses of global memory, those of 16 bytes are a class of their own.
CLASSES = {"products": ("HMMA", "IMMA"), "group_products": ("HGMMA",), "floats": ("FFMA", "FADD", "FMUL"),
           "matrix_load": ("LDSM",), "shared_load": ("LDS",), "shared_store": ("STS",), "copies": ("LDGSTS",),
           "global_load": ("LDG", "LD"), "global_store": ("STG", "ST"), "exchanges": ("SHFL", "VOTE"),
           "barriers": ("BAR",), "special": ("MUFU",)}
OF_OPCODE = {opcode: name for name, opcodes in CLASSES.items() for opcode in opcodes}
WIDE = "_16"
# What the emulator counts too. The loop's rounds are told by the first that it has.
COUNTED = ("matrix_load", "barriers", "copies", "shared_load", "global_load" + WIDE, "global_load", "exchanges",
           "global_store" + WIDE, "global_store", "shared_store")
KEPT = 6144  # instructions of 16 bytes, that a multiprocessor keeps
SWITCH = 8  # more pieces in a row without accesses are a choice between activations, of which nearly none is executed


@dataclasses.dataclass(frozen=True)
class Instruction:
    address: int
    name: str  # of the class, or ""
    target: int = -1  # of a branch
    ends: bool = False  # a piece


@dataclasses.dataclass
class Piece:
    """Code that is executed as a whole or not at all."""
    code: list = dataclasses.field(default_factory=list)
    in_loop: bool = False

    def of(self, name):
        return sum(each.name == name for each in self.code)


def parse_line(line):
    found = re.match(r"\s*/\*([0-9a-f]{4,})\*/\s+(@!?U?P\w+ )?([A-Z][A-Z0-9]*)([\w.]*)\s*([^;]*);", line)
    if not found:
        return None
    address, _, opcode, suffix, operands = found.groups()
    name, target = OF_OPCODE.get(opcode, ""), -1
    if name in ("global_load", "global_store") and ".128" in suffix:
        name += WIDE
    if opcode == "BRA" and (branch := re.search(r"0x([0-9a-f]+)\s*$", operands)):
        target = int(branch.group(1), 16)
    return Instruction(int(address, 16), name, target, opcode in ("BRA", "EXIT", "RET", "BRX", "JMP"))


def parse(text):
    """{mangled name: [Instruction]} of one architecture, from cuobjdump -sass."""
    functions, current = {}, []
    for line in text.splitlines():
        if "/*" in line:
            if instruction := parse_line(line):
                current.append(instruction)
        elif found := re.match(r"\s*Function : (\S+)", line):
            current = functions.setdefault(found.group(1), [])
    return functions


def main_loop(code):
    """(first, last) addresses; (0, -1) if there is no loop."""
    loops = [(each.target, each.address) for each in code if 0 <= each.target < each.address]
    if not loops:
        return 0, -1

    def count(loop, names):
        return sum(each.name in names for each in code if loop[0] <= each.address <= loop[1])

    for names, least in ((("group_products",), 1), (("products",), 16), (("floats",), 16), (COUNTED, 0)):
        counts = {loop: count(loop, names) for loop in loops}
        most = max(counts.values())
        if most >= least:
            return min((loop for loop in loops if counts[loop] >= 0.9 * most), key=lambda loop: loop[1] - loop[0])
    return 0, -1


def has_group_products(code):
    """Whether wgmma makes them."""
    return any(each.name == "group_products" for each in code)


def pieces_of(code):
    first, last = main_loop(code)
    starts = {each.target for each in code} | {first, last + 1}
    pieces = [Piece()]
    for each in code:
        if each.address in starts and pieces[-1].code:
            pieces.append(Piece())
        pieces[-1].in_loop = first <= each.address <= last
        pieces[-1].code.append(each)
        if each.ends:
            pieces.append(Piece())
    return [piece for piece in pieces if piece.code]


def key_of(name):
    """A kernel's name, as the emulator and the compiler both have it."""
    return re.sub(r"mxinfer::(kernels::)?(cuda::)?| ", "", cuda_report.plain_name(name))


def read_library(path, bin_folder, architectures):
    """{(key_of its name, architecture): {"registers", "pieces"}} of a library or of a file of machine code."""
    kernels = {}
    cuda_report.parse_resources(cuda_report.run(bin_folder / "cuobjdump", "--dump-resource-usage", path), kernels)
    names = cuda_report.demangle(list(kernels))
    found = {}
    for architecture in architectures:
        for target in (architecture, "90a") if architecture == "90" else (architecture,):
            text = cuda_report.run("env", f"PATH={bin_folder}:/usr/bin:/bin", bin_folder / "cuobjdump", "-sass", "-arch",
                                   f"sm_{target}", path)
            for mangled, code in parse(text).items():
                registers = kernels[mangled].registers
                found[key_of(names[mangled]), architecture] = {"registers": registers.get(architecture, registers.get("")),
                                                               "by_groups": has_group_products(code),
                                                               "pieces": pieces_of(code)}
    return found


def rounds_of(counts, inside, outside):
    """How often the loop goes round."""
    for name in COUNTED:
        here, before = (sum(piece.of(name) for piece in pieces) for pieces in (inside, outside))
        if here and counts.get(name):
            done = counts[name] - before if name == "barriers" else counts[name]
            return max(0, done) / here
    return 0


def are_adjacent(pieces, i, j):
    """Whether no other region lies between them."""
    return pieces[j].code[0].address - pieces[i].code[-1].address == 16


def runs_of(pieces, weights):
    """[(first, end)] of adjacent pieces that have no weight."""
    runs = []
    for i, weight in enumerate(weights):
        if weight is None and runs and runs[-1][1] == i and are_adjacent(pieces, i - 1, i):
            runs[-1] = runs[-1][0], i + 1
        elif weight is None:
            runs.append((i, i + 1))
    return runs


def weights_of(counts, pieces, most):
    """How often each piece of one region is executed, at most `most` times, if so many of its accesses are."""
    static = {name: sum(piece.of(name) for piece in pieces) for name in COUNTED}
    rate = {name: min(most, counts.get(name, 0) / static[name]) for name in COUNTED if static[name]}
    weights = []
    for piece in pieces:
        own = [(piece.of(name), rate[name]) for name in rate if piece.of(name)]
        weights.append(sum(n * r for n, r in own) / sum(n for n, _ in own) if own else None)
    for first, end in runs_of(pieces, weights):
        before = weights[first - 1] if first and are_adjacent(pieces, first - 1, first) else most
        behind = weights[end] if end < len(weights) and are_adjacent(pieces, end - 1, end) else most
        for i in range(first, end):
            is_choice = end - first > SWITCH or (len(weights) > SWITCH and pieces[i].of("special"))
            weights[i] = 0 if is_choice else (before + behind) / 2
    return weights


def fetched(pieces, rounds):
    """How many instructions a multiprocessor fetches for each block: those outside of the loop, if it cannot keep the kernel."""
    if sum(len(piece.code) for piece in pieces) <= KEPT:
        return 0
    return sum(len(piece.code) for piece in pieces if rounds < 1.5 or not piece.in_loop)


def executed(counts, code):
    """Of a warp: instructions that it executes, products of floats, and instructions that are fetched. `counts`: accesses of a
    warp, of the names in COUNTED."""
    inside, outside = ([piece for piece in code["pieces"] if piece.in_loop == in_loop] for in_loop in (True, False))
    rounds = rounds_of(counts, inside, outside)
    in_loop = {name: min(counts.get(name, 0), rounds * sum(piece.of(name) for piece in inside)) for name in COUNTED}
    left = {name: counts.get(name, 0) - in_loop[name] for name in COUNTED}
    weighted = [*zip(weights_of(in_loop, inside, rounds), inside), *zip(weights_of(left, outside, 1), outside)]
    return {"instructions": float(sum(weight * len(piece.code) for weight, piece in weighted)),
            "floats": float(sum(weight * piece.of("floats") for weight, piece in weighted)),
            "fetched": float(fetched(code["pieces"], rounds))}
