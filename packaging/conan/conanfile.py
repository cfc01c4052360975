"""mxinfer for Conan 2: `conan create packaging/conan` in this tree.

What mxinfer needs comes from the system (Debian's packages, which Conan's system package manager installs if it is told to:
-c tools.system.package_manager:mode=install), as it does without Conan.
"""
import os

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load
from conan.tools.system.package_manager import Apt


class MxinferConan(ConanFile):
    name = "mxinfer"
    license = "Apache-2.0"
    description = "Runs Apache MXNet models without MXNet"
    topics = ("mxnet", "inference", "deep-learning")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "tools": [True, False]}
    default_options = {"shared": True, "tools": True}

    @property
    def _tree(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def set_version(self):
        self.version = load(self, os.path.join(self._tree, "include", "mxinfer", "version.h")).split('MXINFER_VERSION "')[1].split('"')[0]

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "CMakePresets.json", "LICENSE", "README.md", "CHANGELOG.md", "SECURITY.md", "cmake/*", "include/*",
                        "src/*", "kernels/*", "docs/*", "examples/*", "models/*", "packaging/debian/*"):
            copy(self, pattern, self._tree, self.export_sources_folder)

    def validate(self):
        if self.settings.os != "Linux":
            raise ConanInvalidConfiguration("mxinfer is built on Linux alone")

    def system_requirements(self):
        Apt(self).install(["libtbb-dev", "libhwy-dev", "libjpeg-dev", "libpng-dev", "libexif-dev", "zlib1g-dev", "libcurl4-openssl-dev",
                           "libutf8proc-dev", "libsentencepiece-dev", "libopenblas-openmp-dev", "nlohmann-json3-dev", "pkg-config"] + (["libcli11-dev"] if self.options.tools else []))

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["MXINFER_BUILD_TESTS"] = False
        toolchain.cache_variables["MXINFER_BUILD_EXAMPLES"] = False
        toolchain.cache_variables["MXINFER_BUILD_CLI"] = bool(self.options.tools)
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        self.cpp_info.set_property("cmake_find_mode", "none")  # the package has a mxinferConfig.cmake of its own
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "mxinfer")]
        self.cpp_info.libs = ["mxinfer"]
