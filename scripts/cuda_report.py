#!/usr/bin/env python3
"""What nvcc made of the kernels of libmxinfer_cuda.so: registers, shared memory, spills, and how many blocks of each a
multiprocessor holds. No GPU is needed: all is read from the library by cuobjdump and c++filt, and from the logs of ptxas that
the preset cuda keeps.

    scripts/cuda_report.py build/cuda/libmxinfer_cuda.so             prints the table
    scripts/cuda_report.py build/cuda/libmxinfer_cuda.so --update    writes it into docs/reference/cuda-kernels.md
    scripts/cuda_report.py build/cuda/libmxinfer_cuda.so --check     fails if one of MAIN spills, if a kernel lacks the
                                                                     instructions that it is for, or if the table in
                                                                     docs/reference/cuda-kernels.md differs
    scripts/cuda_report.py LIBRARY --check --architectures 75,80     the same of a library that was built for these alone

Threads are those of __launch_bounds__, shared memory is the struct of simt::shared_memory (kernels/cuda/dialect_nvcc.h): both
stand in the library's PTX. A kernel without launch bounds is taken to run with 256 threads.
"""
import argparse
import concurrent.futures
import dataclasses
import math
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- kernels: scripts/cuda_report.py --update -->\n", "<!-- end of kernels -->\n"
THREADS = 256  # of a kernel that states none
ARCHITECTURES = ("75", "80", "86", "89", "90")
WARPGROUPS = "warpgroup.cu"  # the end of files of kernels by wgmma, which are compiled for sm_90a alone


@dataclasses.dataclass(frozen=True)
class Gpu:
    """A multiprocessor's limits, from the CUDA programming guide."""
    title: str
    architecture: str
    threads: int
    blocks: int
    shared: int  # bytes
    of_block: int
    reserved: int  # by the driver, for each block
    unit: int  # of shared memory


GPUS = (Gpu("T4", "75", 1024, 16, 64 << 10, 64 << 10, 0, 256),
        Gpu("A100", "80", 2048, 32, 164 << 10, 163 << 10, 1024, 128),
        Gpu("L4", "89", 1536, 24, 100 << 10, 99 << 10, 1024, 128),
        Gpu("H100, H200", "90", 2048, 32, 228 << 10, 227 << 10, 1024, 128))

# Kernels that take nearly all of the time of a network, by the beginning of their names: these may not spill.
MAIN = ("gemm_", "vector_kernel", "softmax_", "row_norm_", "element_", "four_", "reduce_", "step_", "sequence_",
        "winograd_", "tensor_conv_", "depthwise_", "patch_", "scale_shift_", "pool_tile", "flat_kernel", "persistent_")
# What an instruction of PTX must become, and from which architecture on: products of tensor cores, loads of their operands from
# shared memory, copies to shared memory that do not wait.
INSTRUCTIONS = ((r"mma\.sync\S*\.(tf32|bf16)\.", "HMMA", 80), (r"mma\.sync\S*\.f16\.", "HMMA", 75),
                (r"mma\.sync\S*\.s8\.", "IMMA", 80), (r"ldmatrix\.", "LDSM", 75), (r"cp\.async\.c[ag]\.", "LDGSTS", 80),
                (r"wgmma\.mma_async", "HGMMA", 90))
PRODUCTS = ("HMMA", "IMMA", "HGMMA")


@dataclasses.dataclass
class Kernel:
    """One function of the library: what differs between architectures is by their number, "80"."""
    mangled: str
    name: str = ""
    threads: int = 0  # 0: not stated
    shared: int = 0
    registers: dict = dataclasses.field(default_factory=dict)
    stack: dict = dataclasses.field(default_factory=dict)
    spilled: dict = dataclasses.field(default_factory=dict)
    opcodes: dict = dataclasses.field(default_factory=dict)
    wanted: dict = dataclasses.field(default_factory=dict)  # opcodes, and the first architecture that must have each

    @property
    def base(self):
        return self.name.split("<")[0]

    @property
    def file(self):
        """copy.cu: nvcc puts the name of the file into that of its anonymous namespace."""
        found = re.search(r"_GLOBAL__N__[0-9a-f]+_\d+_(\w+?)_cu_[0-9a-f]", self.mangled)
        return found.group(1) + ".cu" if found else ""

    @property
    def architectures(self):
        return ARCHITECTURES[-1:] if self.file.endswith(WARPGROUPS) else ARCHITECTURES

    @property
    def is_main(self):
        return self.name.startswith(MAIN)


def plain_name(demangled):
    """gemm_tile<Tile<64, 64>, 1>, of a function with its namespaces and arguments."""
    name = re.sub(r"^void ", "", demangled)
    name = re.sub(r"(mxinfer::)?(kernels::)?(cuda::)?\(anonymous namespace\)::|mxinfer::(kernels::)?(cuda::)?", "", name)
    depth = 0
    for at, letter in enumerate(name):
        if letter == "(" and not depth and not name.startswith("(", at - 1) and at:
            return name[:at]
        depth += {"<": 1, ">": -1}.get(letter, 0)
    return name


def demangle(names):
    done = subprocess.run(["c++filt"], input="\n".join(names), stdout=subprocess.PIPE, text=True, check=True)
    return dict(zip(names, done.stdout.splitlines()))


def parse_resources(text, kernels):
    """cuobjdump --dump-resource-usage."""
    architecture, kernel = "", None
    for line in text.splitlines():
        if found := re.match(r"arch = sm_(\d+)", line):
            architecture = found.group(1)
        elif found := re.match(r" Function (\S+):", line):
            kernel = kernels.setdefault(found.group(1), Kernel(found.group(1)))
        elif found := re.match(r"  REG:(\d+) STACK:(\d+) ", line):
            kernel.registers[architecture], kernel.stack[architecture] = int(found.group(1)), int(found.group(2))


def parse_ptx(text, kernels):
    """cuobjdump -ptx: launch bounds, shared memory, and what it is to become. Returns the architectures that there is PTX of."""
    kernel, architectures = None, set()
    for line in text.splitlines():
        if found := re.match(r"\.target sm_(\d+)", line):
            architectures.add(found.group(1))
        elif found := re.search(r"\.entry (\w+)\(", line):
            kernel = kernels.get(found.group(1))
        elif kernel and (found := re.match(r"\.maxntid (\d+)(?:, (\d+))?(?:, (\d+))?", line)):
            kernel.threads = math.prod(int(n or 1) for n in found.groups())
        elif kernel and (found := re.search(r"mov\.u32 shared_memory_bytes, (\d+);", line)):
            kernel.shared = max(kernel.shared, int(found.group(1)))
        elif kernel:
            kernel.wanted.update({opcode: first for pattern, opcode, first in INSTRUCTIONS if re.search(pattern, line)})
    return architectures


def parse_sass(text, kernels):
    """cuobjdump -sass: how often each instruction stands in a kernel, without what follows its first point."""
    architecture, counts = "", {}
    for line in text.splitlines():
        if found := re.match(r"\s*code for sm_(\d+)", line):
            architecture = found.group(1)
        elif found := re.match(r"\s*Function : (\S+)", line):
            counts = kernels[found.group(1)].opcodes.setdefault(architecture, {}) if found.group(1) in kernels else {}
        elif found := re.match(r"\s*/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+ )?([A-Z][A-Z0-9]*)", line):
            counts[found.group(1)] = counts.get(found.group(1), 0) + 1


def parse_spills(text):
    """nvcc -Xptxas -v: bytes that each function stores and loads, by its mangled name and the architecture."""
    spills, architecture, function = {}, "", ""
    for line in text.splitlines():
        if found := re.search(r"Compiling entry function '\S+' for 'sm_(\d+)a?'", line):
            architecture = found.group(1)
        elif found := re.search(r"Function properties for (\S+)", line):
            function = found.group(1)
        elif found := re.search(r"(\d+) bytes spill stores, (\d+) bytes spill loads", line):
            spills[function, architecture] = int(found.group(1)) + int(found.group(2))
    return spills


def blocks_on(gpu, registers, threads, shared):
    """How many blocks a multiprocessor holds at a time, as the occupancy calculator of CUDA's runtime computes it."""
    warps = math.ceil(threads / 32)
    of_warp = math.ceil(registers * 32 / 256) * 256
    by_registers = 65536 // 4 // of_warp * 4 // warps
    bytes_of_block = math.ceil((shared + gpu.reserved) / gpu.unit) * gpu.unit
    if shared > gpu.of_block:
        return 0
    by_shared = gpu.shared // bytes_of_block if bytes_of_block else gpu.blocks
    return min(gpu.threads // (warps * 32), gpu.blocks, by_registers, by_shared)


def kernel_blocks(kernel, gpu):
    if gpu.architecture not in kernel.registers:
        return 0
    return blocks_on(gpu, kernel.registers[gpu.architecture], kernel.threads or THREADS, kernel.shared)


def arguments_of(name):
    """Of a template: "f<A<1, 2>, 3>" has "A<1, 2>" and "3"."""
    if "<" not in name:
        return []
    parts, depth = [""], 0
    for letter in name[name.index("<") + 1:name.rindex(">")]:
        depth += {"<": 1, ">": -1, "(": 1, ")": -1}.get(letter, 0)
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def title_of(group):
    """The name of kernels of one template, with those of its arguments that they share from the first on."""
    lists = [arguments_of(kernel.name) for kernel in group]
    shared = []
    for at in zip(*lists):
        if len(set(at)) > 1:
            break
        shared.append(at[0])
    if len(shared) < max(map(len, lists)):
        shared.append("...")
    return f"{group[0].base}<{', '.join(shared)}>" if shared else group[0].base


def from_to(numbers):
    least, most = min(numbers), max(numbers)
    return str(least) if least == most else f"{least}–{most}"


def cell_of(group, gpu):
    blocks = min(kernel_blocks(kernel, gpu) for kernel in group)
    threads = group[0].threads or THREADS
    return f"{blocks}, {100 * blocks * math.ceil(threads / 32) * 32 // gpu.threads} %" if blocks else "-"


def table(kernels):
    """Kernels of one template that differ in neither threads nor shared memory are one row."""
    groups = {}
    for kernel in sorted(kernels, key=lambda k: (k.file, k.base, -k.shared, k.name)):
        groups.setdefault((kernel.file, kernel.base, kernel.threads, kernel.shared), []).append(kernel)
    lines = ["| file | kernel | threads | shared memory | registers " + ", ".join(ARCHITECTURES) + " | stack | "
             + " | ".join(gpu.title for gpu in GPUS) + " |", "|" + "---|" * (6 + len(GPUS))]
    for (file, _, threads, shared), group in groups.items():
        registers = ", ".join(from_to([kernel.registers[a] for kernel in group]) if a in group[0].registers else "-"
                              for a in ARCHITECTURES)
        stack = max(most for kernel in group for most in kernel.stack.values())
        lines.append(f"| `{file}` | `{title_of(group)}` | {threads or '-'} | {shared or '-'} | {registers} | {stack or '-'} | "
                     + " | ".join(cell_of(group, gpu) for gpu in GPUS) + " |")
    return "\n".join(lines) + "\n"


def known_cells(row, architectures):
    """Of a row of table(): the cells that a library of these architectures alone has, too."""
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    registers = dict(zip(ARCHITECTURES, cells[4].split(", ")))
    return (*cells[:4], *[registers.get(a) for a in architectures],
            cells[5] if len(architectures) == len(ARCHITECTURES) else "",
            *[cell for gpu, cell in zip(GPUS, cells[6:]) if gpu.architecture in architectures])


def is_same(table_of_library, table_of_page, architectures):
    """Whether the tables agree in what they say of these architectures."""
    return ([known_cells(row, architectures) for row in table_of_library.splitlines()]
            == [known_cells(row, architectures) for row in table_of_page.splitlines()])


def runs_on(kernel, architecture):
    """Whether a GPU of that architecture holds a block, where one is known: the planner offers no kernel that does not fit."""
    gpus = [gpu for gpu in GPUS if gpu.architecture == architecture]
    return not gpus or any(kernel_blocks(kernel, gpu) for gpu in gpus)


def spill_faults(kernel):
    return [f"{kernel.name} ({kernel.file}) spills {spilled} bytes on sm_{architecture}, with {kernel.registers[architecture]} "
            "registers; it keeps too many values for its __launch_bounds__, or calls what is not compiled into it, such as a "
            "division of 64 bits" for architecture, spilled in sorted(kernel.spilled.items())
            if spilled and kernel.is_main and runs_on(kernel, architecture)]


def instruction_faults(kernel):
    # Where the GPU lacks the products that a kernel is for, nothing of it is left.
    products = max((first for opcode, first in kernel.wanted.items() if opcode in PRODUCTS), default=0)
    faults = [f"{kernel.name} ({kernel.file}) has no {opcode} on sm_{architecture}"
              for opcode, first in kernel.wanted.items() for architecture in sorted(kernel.registers)
              if int(architecture) >= max(first, products) and not kernel.opcodes.get(architecture, {}).get(opcode)]
    if "tensor" in kernel.name and not set(PRODUCTS) & set(kernel.wanted):
        faults.append(f"{kernel.name} ({kernel.file}) has no product of tensor cores, which its name speaks of")
    return faults


def faults_of(kernels, ptx, architectures=ARCHITECTURES):
    """What --check fails for: messages."""
    faults = []
    for kernel in kernels:
        lacking = [a for a in kernel.architectures if a in architectures and a not in kernel.registers]
        if lacking:
            faults.append(f"{kernel.name} ({kernel.file}) is not compiled for sm_{', sm_'.join(lacking)}; build with the "
                          "default of MXINFER_CUDA_ARCHITECTURES")
        faults += spill_faults(kernel) + instruction_faults(kernel)
    if architectures[-1] not in ptx:
        faults.append(f"the library has no PTX of sm_{architectures[-1]}, so that no later GPU can run it")
    return faults


def run(*command):
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        raise SystemExit(f"cuda_report: {command[0]} fails: {done.stderr.strip() or done.stdout.strip()[-300:]}")
    return done.stdout


def toolkit(option):
    """The folder that has cuobjdump, nvdisasm and nvcc."""
    folder = pathlib.Path(option or os.environ.get("MXINFER_CUDA_TOOLKIT") or ROOT / "build" / "cuda-toolkit")
    for bin_folder in [*folder.glob("lib/python3*/site-packages/nvidia/cu13/bin"), folder / "bin"]:
        if (bin_folder / "cuobjdump").exists():
            return bin_folder
    raise SystemExit(f"cuda_report: there is no cuobjdump in {folder}; run scripts/install-dependencies.sh cuda, or name a "
                     "toolkit with --toolkit")


def read_spills(library, kernels):
    """Kernels have a stack for what they spill, and for arrays that they index with a variable: ptxas says which, where
    cmake/keep_ptxas_log.sh has kept it beside the object files."""
    asked = [kernel for kernel in kernels if kernel.is_main and any(kernel.stack.values())]
    spills = {}
    for log in library.parent.glob("CMakeFiles/**/*.ptxas"):
        spills.update(parse_spills(log.read_text()))
    unknown = [(kernel, a) for kernel in asked for a in kernel.stack if (kernel.mangled, a) not in spills]
    if unknown:
        kernel, architecture = unknown[0]
        raise SystemExit(f"cuda_report: beside {library} there is no log of ptxas that names {kernel.name} ({kernel.file}) for "
                         f"sm_{architecture}; build it with -DMXINFER_PTXAS_LOGS=ON, as the preset cuda does")
    for kernel in asked:
        kernel.spilled = {a: spills[kernel.mangled, a] for a in kernel.stack}


def read_library(path, bin_folder):
    """(kernels without what is counted in machine code, architectures that there is PTX of)"""
    cuobjdump, kernels = bin_folder / "cuobjdump", {}
    parse_resources(run(cuobjdump, "--dump-resource-usage", path), kernels)
    ptx = parse_ptx(run(cuobjdump, "-ptx", path), kernels)
    for mangled, demangled in demangle(list(kernels)).items():
        kernels[mangled].name = plain_name(demangled)
    return kernels, ptx


def read_machine_code(path, bin_folder, kernels):
    """Of kernels that must become certain instructions, which takes minutes."""
    wanting = [kernel.mangled for kernel in kernels.values() if kernel.wanted]
    parts = [wanting[at:at + 50] for at in range(0, len(wanting), 50)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for text in pool.map(lambda part: run("env", f"PATH={bin_folder}:/usr/bin:/bin", bin_folder / "cuobjdump", "-sass", "-fun",
                                              ",".join(part), path), parts):
            parse_sass(text, kernels)


def split(text, begin, end):
    """(what is before two markers, between them, and behind them)"""
    head, found, rest = text.partition(begin)
    part, ended, tail = rest.partition(end)
    if not found or not ended:
        raise SystemExit(f"cuda_report: the page has no {begin.strip()} ... {end.strip()}")
    return head, part, tail


def between(text, begin, end):
    return split(text, begin, end)[1]


def replaced(text, begin, end, part):
    """The text with what is between two markers replaced."""
    head, _, tail = split(text, begin, end)
    return head + begin + part + end + tail


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", type=pathlib.Path)
    parser.add_argument("--toolkit", help="where cuobjdump, nvdisasm and nvcc are (default MXINFER_CUDA_TOOLKIT, build/cuda-toolkit)")
    parser.add_argument("--architectures", metavar="A,B", default=",".join(ARCHITECTURES),
                        help="what the library must have, and --check compares of the table (default %(default)s)")
    parser.add_argument("--page", type=pathlib.Path, default=ROOT / "docs" / "reference" / "cuda-kernels.md")
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--update", action="store_true")
    action.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if not options.library.exists():
        raise SystemExit(f"cuda_report: there is no {options.library}; build the target mxinfer_cuda with -DMXINFER_CUDA=ON")
    architectures = options.architectures.split(",")
    bin_folder = toolkit(options.toolkit)
    by_name, ptx = read_library(options.library, bin_folder)
    kernels = list(by_name.values())
    if options.update:
        options.page.write_text(replaced(options.page.read_text(), BEGIN, END, table(kernels)))
        return
    read_machine_code(options.library, bin_folder, by_name)
    if not options.check:
        print(table(kernels), end="")
    read_spills(options.library, kernels)
    faults = faults_of(kernels, ptx, architectures)
    if options.check and not is_same(table(kernels), between(options.page.read_text(), BEGIN, END), architectures):
        faults.append(f"the table of kernels in {options.page} is not that of the library; write it anew with --update")
    for fault in faults:
        print(f"cuda_report: {fault}", file=sys.stderr)
    if options.check and faults:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
