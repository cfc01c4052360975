# mxinfer_commit.cpp: the git commit of these sources (src/base/commit.h). Every build looks, and only a new commit compiles
# that file again. -DMXINFER_COMMIT=... states the commit of sources that came without a repository.
#
# As a script (cmake -DSOURCE_DIR=... -DOUTPUT=... -P Commit.cmake) this file writes it.
if(CMAKE_SCRIPT_MODE_FILE)
  cmake_minimum_required(VERSION 3.21)
  set(commit "${COMMIT}")
  find_program(git git)
  if(git AND NOT commit)
    # Only where these files are the repository's, not where some other one has them in a folder that it ignores.
    execute_process(COMMAND "${git}" ls-files --error-unmatch include/mxinfer/version.h
      WORKING_DIRECTORY "${SOURCE_DIR}" RESULT_VARIABLE foreign OUTPUT_QUIET ERROR_QUIET)
    if(foreign EQUAL 0)
      execute_process(COMMAND "${git}" describe --always --dirty --abbrev=12 --exclude=*
        WORKING_DIRECTORY "${SOURCE_DIR}" OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    endif()
  endif()
  # Leaves the file as it is where it says so already.
  file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT "// Made by cmake/Commit.cmake.
#include \"base/commit.h\"

const char* mxinfer::commit() noexcept {
  return \"@commit@\";
}
" @ONLY)
  return()
endif()

set(MXINFER_COMMIT "" CACHE STRING "The commit of the sources; empty: what git says, where they are in a repository")
set(commit_source "${PROJECT_BINARY_DIR}/generated/mxinfer_commit.cpp")
add_custom_target(mxinfer_commit
  COMMAND "${CMAKE_COMMAND}" "-DSOURCE_DIR=${PROJECT_SOURCE_DIR}" "-DOUTPUT=${commit_source}" "-DCOMMIT=${MXINFER_COMMIT}"
    -P "${CMAKE_CURRENT_LIST_FILE}"
  BYPRODUCTS "${commit_source}" COMMENT "Looking which commit this is" VERBATIM)
target_sources(mxinfer_warm PRIVATE "${commit_source}")
add_dependencies(mxinfer_warm mxinfer_commit)
