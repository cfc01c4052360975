# cmake -DJNI=libmxinfer_jni.so -DLIBRARY_DIR=... -DTO=... -P PackLibraries.cmake
#
# Copies the library, and all that it needs and a machine may lack, into a folder, by the names that they are loaded by; their
# list is files.txt. The C and C++ runtimes are the system's: a program has one of each.
set(of_system "linux-vdso|ld-linux.*|libc|libm|libdl|libpthread|librt|libresolv|libstdc\\+\\+|libgcc_s")

set(ENV{LD_LIBRARY_PATH} "${LIBRARY_DIR}")
execute_process(COMMAND ldd "${JNI}" OUTPUT_VARIABLE needed COMMAND_ERROR_IS_FATAL ANY)
if(needed MATCHES "([^\n]*not found[^\n]*)")
  message(FATAL_ERROR "${JNI} needs a library that is not here: ${CMAKE_MATCH_1}")
endif()

file(REMOVE_RECURSE "${TO}")
file(MAKE_DIRECTORY "${TO}")
get_filename_component(name "${JNI}" NAME)
file(COPY_FILE "${JNI}" "${TO}/${name}")
set(names "${name}\n")
string(REGEX MATCHALL "[^\n\t ]+ => [^\n ]+" lines "${needed}")
foreach(line ${lines})
  string(REGEX MATCH "^(.+) => (.+)$" line "${line}")
  set(name "${CMAKE_MATCH_1}")
  set(path "${CMAKE_MATCH_2}")
  if(name MATCHES "^(${of_system})[.]so")
    continue()
  endif()
  get_filename_component(path "${path}" REALPATH)
  file(COPY_FILE "${path}" "${TO}/${name}")
  file(RPATH_REMOVE FILE "${TO}/${name}")  # the folder of this build
  string(APPEND names "${name}\n")
endforeach()
file(WRITE "${TO}/files.txt" "${names}")
