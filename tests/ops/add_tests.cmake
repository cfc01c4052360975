# The tests of operators: thousands of recorded cases of a millisecond each, for which a process each would take minutes. One
# entry a family of goldens, ops.golden.<family>, and four, ops.rest.<n>, for what is not recorded. Under a sanitizer, where
# each process takes five seconds to list the cases, there are ops.1 to ops.12.
if(MXINFER_SANITIZE)
  mxinfer_add_test_program(mxinfer_ops_tests ops)
  return()
endif()

# mxinfer_add_ops_test(NAME FILTER): those that the filter of GoogleTest names.
function(mxinfer_add_ops_test name filter)
  add_test(NAME ${name} COMMAND mxinfer_ops_tests --gtest_brief=1 "--gtest_filter=${filter}")
  set_tests_properties(${name} PROPERTIES TIMEOUT 600 LABELS ops FAIL_REGULAR_EXPRESSION "0 tests from 0 test suites")
endfunction()

set(MXINFER_GOLDEN_CASES "Golden/GoldenOp.EqualsMxnet/")
file(GLOB families CONFIGURE_DEPENDS RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}/golden/ops" golden/ops/*.npz)
list(TRANSFORM families REPLACE "[.]npz$" "")
foreach(family ${families})
  set(others "")  # families whose names begin with this one's: image_color is not of image
  foreach(other ${families})
    if(other MATCHES "^${family}_")
      string(APPEND others ":${MXINFER_GOLDEN_CASES}${other}_*")
    endif()
  endforeach()
  string(REGEX REPLACE "^:" "-" others "${others}")
  mxinfer_add_ops_test(ops.golden.${family} "${MXINFER_GOLDEN_CASES}${family}_*${others}")
endforeach()
foreach(part RANGE 1 4)
  mxinfer_add_ops_test(ops.rest.${part} "-${MXINFER_GOLDEN_CASES}*")
  math(EXPR index "${part} - 1")
  set_tests_properties(ops.rest.${part} PROPERTIES ENVIRONMENT "GTEST_TOTAL_SHARDS=4;GTEST_SHARD_INDEX=${index}")
endforeach()
