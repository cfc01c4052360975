// Products of a warpgroup, by wgmma of compute capability 9.0, in PTX: four warps multiply 64 rows of the
// left operand with up to 128 rows of the right one. Included by dialect_nvcc.h alone; tests/simt/warpgroup.h
// is the same for the emulator.
//
//   simt::group_begin();
//   simt::group_mma_f16<0, 16>(sums, left_row, right_row, slice);      // of each slice of a step
//   simt::group_commit();
//   simt::group_wait<0>();
//   simt::group_end(sums);
//
// Operands in shared memory are rows of 128 bytes, swizzled in chunks of 16: chunk c of row r is at c ^ (r %
// 8). The first row is at a multiple of 1024 bytes. A slice is 32 bytes of each row. Only code for sm_90a has
// the instructions.
#pragma once

namespace mxinfer::simt {

/// What this thread has written to shared memory, cp_async included, can be read by group_mma_*() of all
/// threads behind the next barrier.
__device__ __forceinline__ void publish_to_groups() {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
}

/// Before the first group_mma_*() behind other uses of its registers.
__device__ __forceinline__ void group_begin() {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#endif
}
/// Ends a group of products.
__device__ __forceinline__ void group_commit() {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
#endif
}
/// Returns when at most N groups of products are not done.
template <int N>
__device__ __forceinline__ void group_wait() {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory");
#endif
}
/// Behind group_wait<0>(): the compiler reads the sums no earlier.
template <int F>
__device__ __forceinline__ void group_end(float (&d)[1][F][4]) {
#pragma unroll
  for (int n = 0; n < F; ++n) {
#pragma unroll
    for (int r = 0; r < 4; ++r) asm volatile("" : "+f"(d[0][n][r])::"memory");
  }
}

/// The descriptor of a slice of rows in shared memory: swizzled by 128 bytes, groups of 8 rows 1024 bytes
/// apart.
__device__ __forceinline__ std::uint64_t group_rows(const std::uint32_t* row, int slice) {
  constexpr std::uint64_t kSwizzle128 = std::uint64_t{1} << 62;
  constexpr std::uint64_t kBetweenEights = std::uint64_t{1024 / 16} << 32;
  return kSwizzle128 | kBetweenEights | std::uint64_t{1} << 16 |
         (shared_address(row) & 0x3ffffu) / 16 + 2u * slice;
}

#define MXINFER_SUMS_64                                                                      \
  "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,"  \
  "%24,%25,%26,%27,%28,%29,%30,%31,%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45," \
  "%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63}"
#define MXINFER_SUMS_32                                                                     \
  "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23," \
  "%24,%25,%26,%27,%28,%29,%30,%31}"
#define MXINFER_SUMS_16 "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15}"
// A fragment of sums is four registers.
#define MXINFER_SUM(i)                                                                \
  "+f"(d[0][FIRST + (i)][0]), "+f"(d[0][FIRST + (i)][1]), "+f"(d[0][FIRST + (i)][2]), \
      "+f"(d[0][FIRST + (i)][3])
#define MXINFER_SUMS_OF_4(i) MXINFER_SUM(i), MXINFER_SUM((i) + 1), MXINFER_SUM((i) + 2), MXINFER_SUM((i) + 3)
#define MXINFER_SUMS_OF_8(i) MXINFER_SUMS_OF_4(i), MXINFER_SUMS_OF_4((i) + 4)
// A product; the types and the operands behind the sums are those of the instruction.
#define MXINFER_WGMMA(COLUMNS, REGISTERS, TYPES, OPERANDS)                                                   \
  "{ .reg .pred adds; setp.eq.u32 adds, 0, 0; wgmma.mma_async.sync.aligned.m64n" COLUMNS TYPES " " REGISTERS \
  ", " OPERANDS "; }"

/// What an instruction is called by its depth and its types.
struct GroupFloat16 {
  static constexpr char types[] = "k16.f32.f16.f16";
};
struct GroupBFloat16 {
  static constexpr char types[] = "k16.f32.bf16.bf16";
};

template <class TYPES, int FIRST, int N, int F>
__device__ __forceinline__ void group_mma_halves(float (&d)[1][F][4], const std::uint32_t* left,
                                                 const std::uint32_t* right, int slice) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  const std::uint64_t a = group_rows(left, slice), b = group_rows(right, slice);
  if constexpr (N == 16) {
    asm volatile(MXINFER_WGMMA("128", MXINFER_SUMS_64, "%66", "%64, %65, adds, 1, 1, 0, 0")
                 : MXINFER_SUMS_OF_8(0), MXINFER_SUMS_OF_8(8)
                 : "l"(a), "l"(b), "C"(TYPES::types)
                 : "memory");
  } else if constexpr (N == 8) {
    asm volatile(MXINFER_WGMMA("64", MXINFER_SUMS_32, "%34", "%32, %33, adds, 1, 1, 0, 0")
                 : MXINFER_SUMS_OF_8(0)
                 : "l"(a), "l"(b), "C"(TYPES::types)
                 : "memory");
  } else {
    static_assert(N == 4);
    asm volatile(MXINFER_WGMMA("32", MXINFER_SUMS_16, "%18", "%16, %17, adds, 1, 1, 0, 0")
                 : MXINFER_SUMS_OF_4(0)
                 : "l"(a), "l"(b), "C"(TYPES::types)
                 : "memory");
  }
#else
  __trap();
#endif
}

/// d[FIRST..FIRST + N) += 64 rows, from `left` on, times 8 N rows, from `right` on, of float16. The calling
/// warp gets 16 rows of sums: those of its place in the warpgroup. A fragment is as mma_f16() has it.
template <int FIRST, int N, int F>
__device__ __forceinline__ void group_mma_f16(float (&d)[1][F][4], const std::uint32_t* left,
                                              const std::uint32_t* right, int slice) {
  group_mma_halves<GroupFloat16, FIRST, N>(d, left, right, slice);
}

/// The same of bfloat16.
template <int FIRST, int N, int F>
__device__ __forceinline__ void group_mma_bf16(float (&d)[1][F][4], const std::uint32_t* left,
                                               const std::uint32_t* right, int slice) {
  group_mma_halves<GroupBFloat16, FIRST, N>(d, left, right, slice);
}

/// The same of tf32, whose left operand is in registers, as mma_tf32() has it. They stay until the wait.
template <int FIRST, int N, int F>
__device__ __forceinline__ void group_mma_tf32(float (&d)[1][F][4], const std::uint32_t (&a)[4],
                                               const std::uint32_t* right, int slice) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  const std::uint64_t b = group_rows(right, slice);
  if constexpr (N == 16) {
    asm volatile(
        MXINFER_WGMMA("128", MXINFER_SUMS_64, "k8.f32.tf32.tf32", "{%64, %65, %66, %67}, %68, adds, 1, 1")
        : MXINFER_SUMS_OF_8(0), MXINFER_SUMS_OF_8(8)
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b)
        : "memory");
  } else if constexpr (N == 8) {
    asm volatile(
        MXINFER_WGMMA("64", MXINFER_SUMS_32, "k8.f32.tf32.tf32", "{%32, %33, %34, %35}, %36, adds, 1, 1")
        : MXINFER_SUMS_OF_8(0)
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b)
        : "memory");
  } else {
    static_assert(N == 4);
    asm volatile(
        MXINFER_WGMMA("32", MXINFER_SUMS_16, "k8.f32.tf32.tf32", "{%16, %17, %18, %19}, %20, adds, 1, 1")
        : MXINFER_SUMS_OF_4(0)
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b)
        : "memory");
  }
#else
  __trap();
#endif
}

#undef MXINFER_WGMMA
#undef MXINFER_SUMS_OF_8
#undef MXINFER_SUMS_OF_4
#undef MXINFER_SUM
#undef MXINFER_SUMS_16
#undef MXINFER_SUMS_32
#undef MXINFER_SUMS_64

}  // namespace mxinfer::simt
