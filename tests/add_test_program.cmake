include(GoogleTest)

# mxinfer_has_suite(NAME RESULT): whether MXINFER_TEST_SUITES has it.
function(mxinfer_has_suite name result)
  set(${result} ON PARENT_SCOPE)
  if(MXINFER_TEST_SUITES AND NOT name IN_LIST MXINFER_TEST_SUITES)
    set(${result} OFF PARENT_SCOPE)
  endif()
endfunction()

# mxinfer_add_test_program(TARGET NAME [ENVIRONMENT VARIABLE=VALUE...]): its tests are NAME.<suite>.<test> for ctest, each in a
# process of its own. Under a sanitizer a process takes half a second to start: there they are NAME.1 to NAME.12, each with a
# twelfth of the tests.
function(mxinfer_add_test_program target name)
  set(environment ${ARGN})
  list(REMOVE_ITEM environment ENVIRONMENT)
  if(NOT MXINFER_SANITIZE)
    set(properties TIMEOUT 600 LABELS ${name})
    if(environment)
      list(APPEND properties ${ARGN})
    endif()
    gtest_discover_tests(${target} TEST_PREFIX "${name}." DISCOVERY_TIMEOUT 120 PROPERTIES ${properties})
    return()
  endif()
  foreach(part RANGE 1 12)
    math(EXPR index "${part} - 1")
    add_test(NAME ${name}.${part} COMMAND ${target} --gtest_brief=1)
    set_tests_properties(${name}.${part} PROPERTIES TIMEOUT 1200 LABELS ${name}
      ENVIRONMENT "${environment};GTEST_TOTAL_SHARDS=12;GTEST_SHARD_INDEX=${index}")
  endforeach()
endfunction()
