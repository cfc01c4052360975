"""Bugs to plant into the kernels, one edit each, and what must find them.

found_by is one of
  result   a test of tests/cuda computes something wrong
  message  a check of the emulator
  race     the race detector, by two accesses in no order or by one of no memory
  bounds   the sanitizer of array indices
  nothing  the kernel is as it was, built as for `build`: what finds bugs must not find any there
"""
from dataclasses import dataclass


@dataclass(frozen=True)
class Bug:
    name: str
    file: str  # that is edited, from the root of the tree
    old: str  # stands there once
    new: str
    tests: str  # a filter of mxinfer_cuda_tests
    found_by: str
    says: str = ""  # part of what is printed
    kernel: str = ""  # the .cu file to compile, where that is another one
    build: str = ""  # found_by, where nothing is found


GEMM = "kernels/gemm/gemm.cu"
TENSOR = "kernels/gemm/gemm_tensor_tf32.cu"
TENSOR_TILE = "kernels/gemm/tensor_tile_device.h"
WARPGROUP = "kernels/gemm/gemm_warpgroup.cu"
WARPGROUP_TILE = "kernels/gemm/warpgroup_tile_device.h"
CONV = "kernels/conv/implicit_gemm/implicit_gemm.cu"
REDUCE = "kernels/reduce/reduce.cu"
WINOGRAD = "kernels/conv/winograd/device_winograd.cu"
SOFTMAX = "kernels/softmax/softmax.cu"
ATTENTION = "kernels/attention/attention_f16.cu"
ATTENTION_TILE = "kernels/attention/attention_tile-inl.h"
RNN = "kernels/rnn/rnn_persistent.cu"

GEMM_TILES = "CudaGemm.TilesOfOperandsThatLieAnyWay"
GEMM_VECTORS = "CudaGemm.VectorsWithAMatrix"
WARPGROUPS = "CudaGemm.TensorTilesOfOperandsAsTheyLie"
CONVOLUTION = "*Convolution*"
REDUCTION = "ReduceOnCuda.AnyLength"

BUGS = [
    Bug("nothing_for_the_tests", GEMM, "kStages = 3;", "kStages = 3;", "CudaGemm.Vectors*", "nothing", build="result"),
    Bug("nothing_for_the_race_detector", GEMM, "kStages = 3;", "kStages = 3;", "CudaGemm.Vectors*", "nothing",
        build="race"),
    Bug("nothing_for_the_sanitizer", GEMM, "kStages = 3;", "kStages = 3;", "CudaGemm.Vectors*", "nothing",
        build="bounds"),
    Bug("no_barrier_behind_the_first_store", REDUCE,
        "  smem.parts[lane * tile.columns + column] = mine;\n  __syncthreads();\n",
        "  smem.parts[lane * tile.columns + column] = mine;\n",
        REDUCTION, "result"),
    Bug("no_barrier_before_memory_is_used_again", REDUCE,
        "  const A result = smem.parts[column];\n  __syncthreads();\n",
        "  const A result = smem.parts[column];\n",
        "ReduceOnCuda.*", "race", "no barrier is between them"),
    Bug("no_barrier_in_the_loop_over_the_depth", GEMM,
        "    __syncthreads();  // the stage is there for all",
        "    // the stage is there for all",
        GEMM_TILES, "result"),
    Bug("a_group_too_few_is_waited_for", GEMM,
        "    simt::cp_async_wait<T::kStages - 2>();",
        "    simt::cp_async_wait<T::kStages - 1>();",
        GEMM_TILES, "result"),
    Bug("a_group_too_few_is_waited_for_in_a_convolution", CONV,
        "    simt::cp_async_wait<kStages - 2>();",
        "    simt::cp_async_wait<kStages - 1>();",
        CONVOLUTION, "message", "has not waited for its cp_async"),
    Bug("a_shared_index_is_two_too_large", GEMM,
        "smem.sums[warp][r][lane] = sums[r];",
        "smem.sums[warp][r][lane + 2] = sums[r];",
        GEMM_VECTORS, "bounds", "runtime error: index 33 out of bounds"),
    Bug("shared_memory_is_written_past_its_end", GEMM,
        "smem.sums[warp][r][lane] = sums[r];",
        "(&smem.sums[warp])[1][r][lane] = sums[r];",
        GEMM_VECTORS, "race", "not within"),
    Bug("a_barrier_in_a_branch", REDUCE,
        "      own = F::join(own, smem.parts[(lane + step) * tile.columns + column]);\n    }\n    __syncthreads();\n",
        "      own = F::join(own, smem.parts[(lane + step) * tile.columns + column]);\n      __syncthreads();\n    }\n",
        REDUCTION, "message", "__syncthreads()"),
    Bug("a_return_before_a_barrier", GEMM,
        "    __syncthreads();\n    if (thread >= ROWS) return;\n",
        "    if (thread >= ROWS) return;\n    __syncthreads();\n",
        GEMM_VECTORS, "message", "all threads of a block must reach the barrier"),
    Bug("a_shuffle_of_half_a_warp", GEMM,
        "sums[r] = simt::warp_sum(sums[r]);",
        "if (lane < 16) sums[r] = simt::warp_sum(sums[r]);",
        GEMM_VECTORS, "message", "__shfl_xor_sync()"),
    Bug("rows_are_stored_without_a_guard", "kernels/gemm/gemm_device.h",
        "      if (i >= args.rows || j >= args.columns) continue;\n      const std::int64_t at",
        "      if (j >= args.columns) continue;\n      const std::int64_t at",
        GEMM_TILES, "race", "not within", kernel=GEMM),
    Bug("a_bound_is_one_too_large", SOFTMAX,
        "    for (std::int64_t i = lane; i < length; i += Threads)\n      largest =",
        "    for (std::int64_t i = lane; i <= length; i += Threads)\n      largest =",
        "SoftmaxOnCuda.*", "result"),
    Bug("a_tile_reads_a_row_behind_the_image", WINOGRAD,
        "const bool inside = h >= 0 && h < w.input[1]",
        "const bool inside = h >= 0 && h <= w.input[1]",
        "CudaWinograd.ImagesOfEverySize", "race", "not within"),
    Bug("fragments_of_b_are_swapped", TENSOR_TILE,
        "to[n + r / 2][r % 2] = both[r];",
        "to[n + r % 2][r / 2] = both[r];",
        "CudaGemm.TensorTilesOfEachPrecision", "result", kernel=TENSOR),
    Bug("a_group_too_few_is_waited_for_by_tensor_tiles", TENSOR_TILE,
        "    simt::cp_async_wait<T::stages - 2>();",
        "    simt::cp_async_wait<T::stages - 1>();",
        "CudaGemm.TensorTilesOfEachPrecision", "result", kernel=TENSOR),
    Bug("a_group_too_few_is_waited_for_by_warpgroups", WARPGROUP_TILE,
        "    simt::cp_async_wait<kAhead - 1>();",
        "    simt::cp_async_wait<kAhead>();",
        WARPGROUPS, "result", kernel=WARPGROUP),
    Bug("stages_are_overwritten_while_warpgroups_read_them", WARPGROUP_TILE,
        "    __syncthreads();  // the stage is there for all, and all are done with the one that is filled next\n",
        "",
        WARPGROUPS, "race", "no barrier is between them", kernel=WARPGROUP),
    Bug("stages_are_overwritten_before_products_are_waited_for", WARPGROUP_TILE,
        "    simt::group_wait<kInFlight>();\n    stage =",
        "    simt::group_wait<kInFlight + 1>();\n    stage =",
        WARPGROUPS, "result", kernel=WARPGROUP),
    Bug("copies_are_one_step_too_far_ahead_of_warpgroups", WARPGROUP_TILE,
        "kAhead = T::stages - 1 - kInFlight;",
        "kAhead = T::stages - 1;",
        WARPGROUPS, "race", "to which a copy is on its way", kernel=WARPGROUP),
    Bug("fragments_are_overwritten_before_products_are_waited_for", WARPGROUP_TILE,
        "T::blocks == 1 && sizeof(typename O::Element) == 2 ? 1 : 0;",
        "T::blocks == 1 ? 1 : 0;",
        WARPGROUPS, "result", kernel=WARPGROUP),
    Bug("sums_are_ended_before_products_are_waited_for", WARPGROUP_TILE,
        "  simt::group_wait<0>();\n  simt::group_end(sums);\n",
        "  simt::group_wait<kInFlight>();\n  simt::group_end(sums);\n",
        WARPGROUPS, "message", "call group_commit() and group_wait()", kernel=WARPGROUP),
    Bug("sums_are_read_before_their_end", WARPGROUP_TILE,
        "  simt::group_end(sums);\n",
        "",
        WARPGROUPS, "result", kernel=WARPGROUP),
    Bug("products_are_not_committed", WARPGROUP_TILE,
        "  simt::group_commit();\n}\n",
        "}\n",
        WARPGROUPS, "message", "call group_commit() and group_wait()", kernel=WARPGROUP),
    Bug("fragments_are_not_published_to_products", WARPGROUP_TILE,
        "load_left<O>(fragments[slice], left, 16 * warp, slice);\n    simt::group_begin();\n",
        "load_left<O>(fragments[slice], left, 16 * warp, slice);\n",
        WARPGROUPS, "message", "call group_begin() before", kernel=WARPGROUP),
    Bug("keys_are_overwritten_while_others_multiply_them", ATTENTION_TILE,
        "    __syncthreads();  // all are done with the keys\n",
        "",
        "CudaAttention.NumbersOfWords", "race", "no barrier is between them", kernel=ATTENTION),
    Bug("blocks_do_not_wait_for_each_other", RNN,
        "    if (speaks) simt::wait_for(counter, gridDim.x * static_cast<unsigned>(i + 1));\n",
        "",
        "*CudaRnn.BlocksThatWaitForEachOther/0", "result"),
    Bug("blocks_signal_before_all_threads_have_written", RNN,
        "    if (!last) __syncthreads();  // all of the block have written their states\n",
        "",
        "*CudaRnn.BlocksThatWaitForEachOther/0", "race", "blocks are in no order"),
    Bug("states_are_overwritten_while_other_blocks_read_them", RNN,
        "    T* const next = group_state + i % 2 * turn + part.first_unit;",
        "    T* const next = group_state + (i + 1) % 2 * turn + part.first_unit;",
        "*CudaRnn.BlocksThatWaitForEachOther/0", "race", "blocks are in no order"),
    Bug("lanes_add_to_one_sum_at_once", REDUCE,
        """  for (int step = kBlock / tile.columns / 2; step > 0; step /= 2) {
    if (lane < step) {
      A& own = smem.parts[lane * tile.columns + column];
      own = F::join(own, smem.parts[(lane + step) * tile.columns + column]);
    }
    __syncthreads();
  }
""",
        """  if (lane > 0) smem.parts[column] = F::join(smem.parts[column], mine);
  __syncthreads();
""",
        REDUCTION, "race", "no barrier is between them"),
    Bug("an_index_is_cast_without_a_test_of_its_range", "kernels/cuda/index_array.h",
        "return convert<std::int64_t>(static_cast<const float*>(array.data)[i]);",
        "return static_cast<std::int64_t>(static_cast<const float*>(array.data)[i]);",
        "GatherOnCuda.FloatsThatAreNoIndices", "message", "call convert()", kernel="kernels/take/take.cu"),
    Bug("a_cast_to_an_integer_saturates", "kernels/elementwise/element_program_device.h",
        "static_cast<std::int32_t*>(data)[at] = convert<std::int32_t>(value);",
        "static_cast<std::int32_t*>(data)[at] = static_cast<std::int32_t>(value);",
        "ElementwiseOnCuda.Casts", "message", "a GPU gives the nearest number",
        kernel="kernels/elementwise/elementwise.cu"),
    Bug("the_last_index_of_a_row_is_that_of_the_last_thread", "kernels/scatter/scatter.cu",
        "atomicMax(&chosen.last[row_of(args, indices, k, rows)], static_cast<std::int32_t>(k));",
        "chosen.last[row_of(args, indices, k, rows)] = static_cast<std::int32_t>(k);",
        "ScatterOnCuda.TheLastOfSeveralIndicesStays", "result"),
    Bug("pixels_behind_the_last_column_are_read", "kernels/sampler/sampler.cu",
        "r >= 0 && r < height && c >= 0 && c < width;",
        "r >= 0 && r < height && c >= 0 && c <= width;",
        "SamplerOnCuda.PlacesInsideAndOutside", "result"),
    Bug("a_replay_draws_the_numbers_of_the_run_before", "kernels/image/random_image.cu",
        "atomicAdd(runs.count, 1ull)",
        "*runs.count",
        "RandomImagesOnCuda.Colors", "result"),
    Bug("threads_draw_before_the_run_is_known", "kernels/image/random_image.cu",
        "  __syncthreads();\n  return smem.run;",
        "  return smem.run;",
        "RandomImagesOnCuda.Flips", "result"),
]
