# Packages of what is installed, by CPack in a build folder (docs/start/packages.md):
#
#   cpack -G DEB      libmxinfer0.1, libmxinfer-c1, libmxinfer-predict1, libmxinfer-dev, mxinfer; mxinfer-cuda with MXINFER_CUDA
#   cpack -G TGZ      all of it, in a folder that may be put anywhere
set(CPACK_PACKAGE_NAME mxinfer)
set(CPACK_PACKAGE_VENDOR "the mxinfer maintainers")
set(CPACK_PACKAGE_CONTACT "the mxinfer maintainers <maintainers@mxinfer.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGE_FILE_NAME "mxinfer-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_STRIP_FILES ON)
set(CPACK_ARCHIVE_COMPONENT_INSTALL OFF)
set(CPACK_COMPONENTS_ALL runtime c_runtime predict_runtime development command)
if(MXINFER_CUDA)
  list(APPEND CPACK_COMPONENTS_ALL cuda_runtime)
endif()

# Debian: a package of each library, called after what programs load, as its policy wants.
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${PROJECT_BINARY_DIR}")
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)
set(CPACK_PROJECT_CONFIG_FILE "${PROJECT_BINARY_DIR}/PackagesOfGenerator.cmake")
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/packaging/debian/files.cmake")
set(CPACK_MXINFER_SOURCE_DIR "${PROJECT_SOURCE_DIR}")

# mxinfer_deb(COMPONENT PACKAGE SECTION DEPENDS_ON "summary" "text of lines")
macro(mxinfer_deb component package section depends summary text)
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${package})
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
  set(CPACK_COMPONENT_${upper}_DEPENDS ${depends})
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${summary}\nmxinfer reads models of Apache MXNet (symbol files and parameters) and\ncomputes what MXNet 1.9 computes, on any number of threads.\n${text}")
  if(${section} STREQUAL "libs")
    set(CPACK_DEBIAN_${upper}_PACKAGE_CONTROL_EXTRA "${PROJECT_SOURCE_DIR}/packaging/debian/triggers")
  endif()
endmacro()

mxinfer_deb(runtime libmxinfer${MXINFER_SOVERSION} libs "" "library that runs Apache MXNet models"
  "This package has the library for programs in C++.")
mxinfer_deb(c_runtime libmxinfer-c1 libs runtime "library that runs Apache MXNet models, for C"
  "This package has the library for programs in C, whose ABI stays.")
mxinfer_deb(predict_runtime libmxinfer-predict1 libs runtime "MXNet's C predict API without MXNet"
  "This package has the library for programs that were written for MXNet's\nc_predict_api.h.")
mxinfer_deb(development libmxinfer-dev libdevel "runtime;c_runtime;predict_runtime" "headers and static library of mxinfer"
  "This package has what programs are compiled and linked with, and the\ndocumentation.")
mxinfer_deb(command mxinfer science "" "inspects and runs Apache MXNet models"
  "This package has the command, which inspects models, classifies images and\nmeasures.")
mxinfer_deb(cuda_runtime mxinfer-cuda libs runtime "kernels of mxinfer for NVIDIA GPUs"
  "This package has the library that mxinfer opens when it is to run on a GPU.\nIt needs NVIDIA's driver, 580 or later.")
# Loaded when an operator of linear algebra first needs it (kernels/common/openblas.h), and when an address is first fetched
# (src/sources/remote/http/curl_library.h, src/sources/digest.cpp).
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS "libopenblas0-openmp, libcurl4, libssl3, ca-certificates")
set(CPACK_DEBIAN_COMMAND_PACKAGE_RECOMMENDS "libopenblas0-openmp, libcurl4, libssl3, ca-certificates")

# The tarball lies in a folder of its own.
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/PackagesOfGenerator.cmake" CONTENT [[
if(CPACK_GENERATOR STREQUAL "TGZ")
  set(CPACK_PACKAGING_INSTALL_PREFIX "/")
endif()
]] @ONLY)
include(CPack)
