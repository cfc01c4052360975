# A dozen networks of GluonCV and GluonNLP on the CPU, and on a GPU: on the emulator of one.
execute_process(COMMAND "${MXINFER_ORACLE_PYTHON}" "${sweep}" --ci --list
  OUTPUT_VARIABLE swept COMMAND_ERROR_IS_FATAL ANY OUTPUT_STRIP_TRAILING_WHITESPACE)
string(REPLACE "\n" ";" swept "${swept}")
foreach(network ${swept})
  set(on_cpu oracle.network_sweep.${network})
  set(on_cuda oracle.network_sweep_cuda.${network})
  add_test(NAME ${on_cpu}
    COMMAND "${MXINFER_ORACLE_PYTHON}" "${sweep}" --mxinfer "$<TARGET_FILE:mxinfer_cli>" --again all
      --results "${CMAKE_CURRENT_BINARY_DIR}/${on_cpu}.jsonl" ${network})
  add_test(NAME ${on_cuda}
    COMMAND "${MXINFER_ORACLE_PYTHON}" "${sweep}" --mxinfer "$<TARGET_FILE:mxinfer_cli>" --device cuda:0 --again all
      --results "${CMAKE_CURRENT_BINARY_DIR}/${on_cuda}.jsonl" ${network})
  set_tests_properties(${on_cpu} ${on_cuda} PROPERTIES LABELS "oracle;sweep" TIMEOUT 1200
    ENVIRONMENT "OMP_NUM_THREADS=1;MXINFER_CUDA_LIBRARY=$<TARGET_FILE:mxinfer_cuda_simt>")
endforeach()
