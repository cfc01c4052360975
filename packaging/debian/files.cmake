# What Debian's policy wants in each package beside what is installed: copyright, changelog, a compressed manual; and what it
# does not want: a path of the loader. CPack runs this before it packs.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()

set(packages runtime c_runtime predict_runtime development command cuda_runtime)
find_program(GZIP gzip REQUIRED)

# Writes copyright, with `more` at its end, and changelog of a package below its folder.
function(write_documents folder package more)
  set(documents "${folder}/usr/share/doc/${package}")
  file(MAKE_DIRECTORY "${documents}")
  string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
  file(WRITE "${documents}/copyright" "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: mxinfer

Files: *
Copyright: ${year} the mxinfer maintainers
License: Apache-2.0
 On Debian systems the whole text is in /usr/share/common-licenses/Apache-2.0.
${more}")
  file(WRITE "${documents}/changelog" "mxinfer (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * As CHANGELOG.md of these sources says.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
  execute_process(COMMAND "${GZIP}" -9nf "${documents}/changelog" COMMAND_ERROR_IS_FATAL ANY)
endfunction()

string(TIMESTAMP year "%Y" UTC)
foreach(component ${packages})
  set(folder "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${component}")
  if(NOT IS_DIRECTORY "${folder}")
    continue()
  endif()
  string(TOUPPER ${component} upper)
  set(more "")
  if(component STREQUAL "cuda_runtime")
    set(more "
Files: usr/lib/libmxinfer_cuda.so
Copyright: ${year} the mxinfer maintainers
 NVIDIA Corporation
License: Apache-2.0 and NVIDIA-CUDA
 The CUDA runtime (cudart) that is linked into it is NVIDIA's, which may be
 passed on with programs under the CUDA Toolkit End User License Agreement,
 https://docs.nvidia.com/cuda/eula/.
")
  endif()
  write_documents("${folder}" "${CPACK_DEBIAN_${upper}_PACKAGE_NAME}" "${more}")
  file(GLOB_RECURSE manuals "${folder}/usr/share/man/*.1")
  foreach(manual ${manuals})
    execute_process(COMMAND "${GZIP}" -9nf "${manual}" COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
  file(GLOB libraries "${folder}/usr/lib/libmxinfer*.so.*")
  foreach(library ${libraries})
    if(NOT IS_SYMLINK "${library}")
      file(RPATH_REMOVE FILE "${library}")
    endif()
  endforeach()
endforeach()
