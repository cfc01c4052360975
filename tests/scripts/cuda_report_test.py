"""scripts/cuda_report.py, of what cuobjdump and nvcc said of two kernels (cuda_report/, shortened): a template, of which one
instance spills, and one for tensor cores.

    python3 tests/scripts/cuda_report_test.py
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "scripts"))

import cuda_report  # noqa: E402


def recorded(name):
    return (HERE / "cuda_report" / f"{name}.txt").read_text()


def read():
    """(kernels by name, architectures with PTX)"""
    kernels = {}
    cuda_report.parse_resources(recorded("resources"), kernels)
    ptx = cuda_report.parse_ptx(recorded("ptx"), kernels)
    cuda_report.parse_sass(recorded("sass"), kernels)
    spills = cuda_report.parse_spills(recorded("ptxas"))
    for mangled, demangled in cuda_report.demangle(list(kernels)).items():
        kernels[mangled].name = cuda_report.plain_name(demangled)
        kernels[mangled].spilled["80"] = spills[mangled, "80"]
    return {kernel.name: kernel for kernel in kernels.values()}, ptx


def faults(kernels, ptx, *architectures):
    return cuda_report.faults_of(list(kernels.values()), ptx, *architectures)


class Reading(unittest.TestCase):
    def test_names_are_those_of_the_source(self):
        kernels, _ = read()
        self.assertEqual(sorted(kernels), ["many_values<40>", "many_values<80>", "product"])
        self.assertEqual({kernel.file for kernel in kernels.values()}, {"sample.cu"})

    def test_arguments_are_no_part_of_a_name(self):
        for demangled, name in (
                ("void mxinfer::kernels::cuda::(anonymous namespace)::f<mxinfer::kernels::cuda::(anonymous namespace)::Tile<1, 2>, "
                 "(mxinfer::kernels::cuda::(anonymous namespace)::Along)0>(float const*, mxinfer::kernels::GemmArgs)",
                 "f<Tile<1, 2>, (Along)0>"),
                ("mxinfer::kernels::cuda::(anonymous namespace)::f(mxinfer::kernels::cuda::(anonymous namespace)::Args)", "f")):
            self.assertEqual(cuda_report.plain_name(demangled), name)

    def test_numbers_are_those_of_the_compiler(self):
        kernels, ptx = read()
        product = kernels["product"]
        self.assertEqual((product.threads, product.shared), (32, (64 + 8) * 40 * 2))
        self.assertEqual(product.registers, {"75": 19, "80": 14, "86": 14, "89": 14, "90": 14})
        self.assertEqual(kernels["many_values<80>"].registers["80"], 64)
        self.assertEqual(kernels["many_values<80>"].threads, 256)
        self.assertEqual(product.opcodes["75"]["HMMA"], 2)  # two of depth 8
        self.assertEqual(product.opcodes["80"]["HMMA"], 1)
        self.assertEqual(ptx, {"90"})


class Checking(unittest.TestCase):
    def test_a_spill_of_a_main_kernel_is_a_fault(self):
        self.assertEqual(faults(*read()), [])
        with unittest.mock.patch.object(cuda_report, "MAIN", ("product", "many_")):
            found = faults(*read())
        self.assertEqual(len(found), 1)
        self.assertRegex(found[0], r"^many_values<80> \(sample.cu\) spills 660 bytes on sm_80, with 64 registers")

    def test_a_spill_where_no_block_fits_is_none(self):
        kernels, ptx = read()
        kernels["many_values<80>"].shared = 200 << 10
        with unittest.mock.patch.object(cuda_report, "MAIN", ("product", "many_")):
            self.assertEqual(faults(kernels, ptx), [])

    def test_what_the_source_asks_for_must_be_in_the_machine_code(self):
        kernels, ptx = read()
        product = kernels["product"]
        self.assertEqual(product.wanted, {"HMMA": 75, "LDSM": 75, "LDGSTS": 80})
        self.assertNotIn("LDGSTS", product.opcodes["75"])
        del product.opcodes["75"]["LDSM"], product.opcodes["89"]["LDGSTS"]
        self.assertEqual(sorted(faults(kernels, ptx)), ["product (sample.cu) has no LDGSTS on sm_89",
                                                        "product (sample.cu) has no LDSM on sm_75"])

    def test_a_kernel_that_is_called_after_tensor_cores_has_their_products(self):
        kernels, ptx = read()
        kernels["many_values<40>"].name = "gemm_tensor<40>"
        self.assertRegex(faults(kernels, ptx)[0], "^gemm_tensor<40> .* has no product of tensor cores")

    def test_a_library_for_fewer_gpus_is_a_fault(self):
        kernels, ptx = read()
        del kernels["product"].registers["86"]
        self.assertRegex(faults(kernels, ptx)[0], "product .* is not compiled for sm_86")
        self.assertRegex(faults({}, set())[0], "no PTX of sm_90")

    def test_a_library_may_be_asked_for_fewer_gpus(self):
        kernels, ptx = read()
        for kernel in kernels.values():
            del kernel.registers["86"], kernel.registers["89"], kernel.registers["90"]
        self.assertEqual(faults(kernels, {"80"}, ["75", "80"]), [])
        self.assertRegex(faults(kernels, ptx, ["75", "80"])[0], "no PTX of sm_80")
        self.assertRegex(faults(kernels, {"86"}, ["80", "86"])[0], "is not compiled for sm_86")


class Logs(unittest.TestCase):
    """cmake/keep_ptxas_log.sh, and what is read from what it keeps."""

    def compile(self, folder, script):
        compiler = folder / "compiler"
        compiler.write_text("#!/bin/sh\n" + script)
        compiler.chmod(0o755)
        objects = folder / "CMakeFiles" / "mxinfer_cuda.dir"
        objects.mkdir(parents=True)
        return subprocess.run(["sh", HERE.parents[1] / "cmake" / "keep_ptxas_log.sh", compiler, "-c", "sample.cu", "-o",
                               objects / "sample.cu.o"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def test_ptxas_is_kept_and_warnings_are_shown(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            done = self.compile(folder, f"echo $* | grep -q -- '-Xptxas -v' || exit 2\ncat {HERE}/cuda_report/ptxas.txt >&2\n"
                                        "echo 'a warning' >&2\nexit 3\n")
            self.assertEqual((done.returncode, done.stdout, done.stderr), (3, "", "a warning\n"))
            kernels, _ = read()
            for kernel in kernels.values():
                kernel.spilled = {}
                kernel.stack = {"80": kernel.stack["80"]}
            with unittest.mock.patch.object(cuda_report, "MAIN", ("many_",)):
                cuda_report.read_spills(folder / "libmxinfer_cuda.so", list(kernels.values()))
                self.assertEqual(kernels["many_values<80>"].spilled, {"80": 660})
                kernels["many_values<80>"].stack["75"] = 8
                with self.assertRaisesRegex(SystemExit, r"no log of ptxas that names many_values<80> \(sample.cu\) for sm_75"):
                    cuda_report.read_spills(folder / "libmxinfer_cuda.so", list(kernels.values()))

    def test_code_for_90a_is_of_90(self):
        self.assertEqual(cuda_report.parse_spills(recorded("ptxas").replace("sm_80", "sm_90a")).keys(),
                         {(kernel.mangled, "90") for kernel in read()[0].values()})


class Occupancy(unittest.TestCase):
    def blocks(self, registers, threads, shared):
        return [cuda_report.blocks_on(gpu, registers, threads, shared) for gpu in cuda_report.GPUS]

    def test_the_scarcest_of_all_limits_counts(self):
        # As cuda_occupancy.h of CUDA 13.0 says for the same limits.
        self.assertEqual(self.blocks(128, 256, 16640), [2, 2, 2, 2])  # registers
        self.assertEqual(self.blocks(136, 256, 61440), [1, 1, 1, 1])
        self.assertEqual(self.blocks(123, 256, 61440), [1, 2, 1, 2])  # shared memory
        self.assertEqual(self.blocks(32, 512, 0), [2, 4, 3, 4])  # threads
        self.assertEqual(self.blocks(16, 32, 0), [16, 32, 24, 32])  # blocks
        self.assertEqual(self.blocks(37, 32, 0)[0], 16)
        self.assertEqual(self.blocks(44, 160, 0)[0], 6)

    def test_a_block_that_is_too_large_does_not_run(self):
        self.assertEqual(self.blocks(32, 256, 100 << 10), [0, 1, 0, 2])


class Tables(unittest.TestCase):
    def test_instances_of_a_template_are_one_row(self):
        kernels, _ = read()
        rows = cuda_report.table(list(kernels.values())).splitlines()
        self.assertEqual(rows[2], "| `sample.cu` | `many_values<...>` | 256 | - | "
                                  "54–64, 54–64, 50–64, 50–64, 50–64 | 192 | "
                                  "4, 100 % | 4, 50 % | 4, 66 % | 4, 50 % |")
        self.assertEqual(rows[3], "| `sample.cu` | `product` | 32 | 5760 | 19, 14, 14, 14, 14 | - | "
                                  "11, 34 % | 24, 37 % | 15, 31 % | 32, 50 % |")

    def test_tables_are_compared_where_both_know_something(self):
        kernels, _ = read()
        page, fewer = cuda_report.table(list(kernels.values())), ["75", "80"]
        for kernel in kernels.values():
            del kernel.registers["86"], kernel.registers["89"], kernel.registers["90"]
        library = cuda_report.table(list(kernels.values()))
        self.assertFalse(cuda_report.is_same(library, page, cuda_report.ARCHITECTURES))
        self.assertTrue(cuda_report.is_same(library, page, fewer))
        self.assertFalse(cuda_report.is_same(library, page.replace("| 19, ", "| 20, "), fewer))
        self.assertFalse(cuda_report.is_same(library, page.replace("| 24, 37 %", "| 25, 37 %"), fewer))  # on an A100
        self.assertTrue(cuda_report.is_same(library, page.replace("| 32, 50 %", "| 25, 37 %"), fewer))  # on an H100
        self.assertFalse(cuda_report.is_same(library, page.replace("5760", "5761"), fewer))

    def test_only_what_is_between_the_markers_is_replaced(self):
        self.assertEqual(cuda_report.replaced("a <b> old <e> c", "<b>", "<e>", "new"), "a <b>new<e> c")
        with self.assertRaises(SystemExit):
            cuda_report.replaced("a <b> old", "<b>", "<e>", "new")


if __name__ == "__main__":
    unittest.main()
