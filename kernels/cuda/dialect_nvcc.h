// The side of kernels/cuda/dialect.h that nvcc compiles: what CUDA C++ has no function for, in PTX. Included
// by dialect.h alone.
#pragma once

#include <cuda_runtime.h>

#include <tuple>

// Behind what it calls.
#include "kernels/cuda/device_scope.h"

namespace mxinfer::simt {

using kernels::cuda::Status;
using kernels::cuda::Stream;

/// The shared memory of the block, as the struct of the kernel. Its size stands in the PTX, where
/// scripts/cuda_report.py finds it; no instruction comes of it.
template <class S>
__device__ __forceinline__ S& shared_memory() {
  asm volatile("{ .reg .u32 shared_memory_bytes; mov.u32 shared_memory_bytes, %0; }" ::"n"(sizeof(S)));
  extern __shared__ __align__(1024) unsigned char raw_shared_memory[];
  return *reinterpret_cast<S*>(raw_shared_memory);
}

/// Blocks of the kernel may have so much.
inline cudaError_t allow_shared_memory(const void* kernel, std::size_t bytes) {
  constexpr std::size_t kWithoutAsking = 48 * 1024;
  if (bytes <= kWithoutAsking) return cudaSuccess;
  return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
}

/// Enqueues a kernel with `shared_bytes` of shared memory.
template <class... P, class... A>
Status launch(void (*kernel)(P...), dim3 grid, dim3 block, std::size_t shared_bytes, const Stream& stream,
              A... args) {
  const DeviceScope scope(stream.device);
  if (scope.status() != cudaSuccess) return scope.status();
  if (const cudaError_t status = allow_shared_memory(reinterpret_cast<const void*>(kernel), shared_bytes);
      status != cudaSuccess)
    return status;
  kernel<<<grid, block, shared_bytes, static_cast<cudaStream_t>(stream.handle)>>>(static_cast<P>(args)...);
  return cudaGetLastError();
}

/// The same of a kernel whose blocks wait for each other: at most one for each multiprocessor, so that all
/// are on the GPU at once.
template <class... P, class... A>
Status launch_cooperative(void (*kernel)(P...), dim3 grid, dim3 block, std::size_t shared_bytes,
                          const Stream& stream, A... args) {
  const DeviceScope scope(stream.device);
  if (scope.status() != cudaSuccess) return scope.status();
  if (const cudaError_t status = allow_shared_memory(reinterpret_cast<const void*>(kernel), shared_bytes);
      status != cudaSuccess)
    return status;
  const std::tuple<P...> arguments(static_cast<P>(args)...);
  return std::apply(
      [&](const P&... each) -> Status {
        void* pointers[] = {const_cast<void*>(static_cast<const void*>(&each))...};
        const cudaError_t status =
            cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), grid, block, pointers,
                                        shared_bytes, static_cast<cudaStream_t>(stream.handle));
        // An error that is returned is not to be found again by the next launch.
        if (status != cudaSuccess) cudaGetLastError();
        return status;
      },
      arguments);
}

/// Counts one more, for blocks of a cooperative launch that wait: they see what this thread has written, and
/// what its block has in front of a __syncthreads.
__device__ __forceinline__ void signal(unsigned* counter) {
  asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(counter) : "memory");
}
/// Waits until the counter has reached `count`. The block's other threads see what was signalled behind a
/// __syncthreads.
__device__ __forceinline__ void wait_for(const unsigned* counter, unsigned count) {
  unsigned now;
  do {
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(now) : "l"(counter) : "memory");
  } while (now < count);
}
/// Whether all `count` blocks of any launch that call it with this counter, 0 before, have called it: the
/// last one sees what they have written, if one thread of each calls it behind a __syncthreads, and the
/// others of its block wait behind another one. The counter is 0 again then.
__device__ __forceinline__ bool is_last_of(unsigned* counter, unsigned count) {
  unsigned before;
  asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], 1;" : "=r"(before) : "l"(counter) : "memory");
  if (before + 1 != count) return false;
  *counter = 0;
  return true;
}
/// What another block of the launch has written, past the multiprocessor's own cache.
__device__ __forceinline__ uint4 load_from_blocks(const uint4* from) {
  uint4 v;
  asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(from)
               : "memory");
  return v;
}

/// Loads and stores of 16 bytes; the address is a multiple of 16.
__device__ __forceinline__ float4 load4(const float* from) {
  return *reinterpret_cast<const float4*>(from);
}
__device__ __forceinline__ void store4(float* to, float4 value) {
  *reinterpret_cast<float4*>(to) = value;
}

__device__ __forceinline__ unsigned shared_address(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

/// Copies 16 bytes from global to shared memory, without waiting: `bytes` (0 to 16) from src, the rest zero.
/// Both are multiples of 16. Before sm_80 the copy has been made when it returns.
__device__ __forceinline__ void cp_async16(void* dst, const void* src, int bytes) {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;\n" ::"r"(shared_address(dst)), "l"(src),
               "r"(bytes)
               : "memory");
#else
  uint4 value = make_uint4(0, 0, 0, 0);
  if (bytes == 16) {
    value = *static_cast<const uint4*>(src);
  } else {
    for (int i = 0; i < bytes; ++i)
      reinterpret_cast<unsigned char*>(&value)[i] = static_cast<const unsigned char*>(src)[i];
  }
  *static_cast<uint4*>(dst) = value;
#endif
}
/// The same of all 16 bytes, or of none, which is fewer instructions. src is not read if it is not there.
__device__ __forceinline__ void cp_async16_if(bool is_there, void* dst, const void* src) {
#if __CUDA_ARCH__ >= 800
  asm volatile(
      "{ .reg .pred ignored; setp.eq.s32 ignored, %2, 0; cp.async.cg.shared.global [%0], [%1], 16, ignored; "
      "}\n" ::"r"(shared_address(dst)),
      "l"(src), "r"(static_cast<int>(is_there))
      : "memory");
#else
  cp_async16(dst, src, is_there ? 16 : 0);
#endif
}
/// The same of 4 bytes, 0 or 4 of them from src.
__device__ __forceinline__ void cp_async4(void* dst, const void* src, int bytes) {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;\n" ::"r"(shared_address(dst)), "l"(src),
               "r"(bytes)
               : "memory");
#else
  *static_cast<unsigned*>(dst) = bytes == 4 ? *static_cast<const unsigned*>(src) : 0u;
#endif
}
/// Ends a group of copies.
__device__ __forceinline__ void cp_async_commit() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;\n" ::: "memory");
#endif
}
/// Returns when at most N of this thread's groups are not done.
template <int N>
__device__ __forceinline__ void cp_async_wait() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;\n" ::"n"(N) : "memory");
#endif
}

/// Four 8 x 8 matrices of 16-bit elements from shared memory: lane l gives the address of row l % 8 of matrix
/// l / 8, 16 bytes; register j gets the 32-bit word lane % 4 of row lane / 4 of matrix j.
__device__ __forceinline__ void ldmatrix_x4(std::uint32_t (&r)[4], const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];\n"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(shared_address(row))
               : "memory");
}
/// The matrices transposed: halves (2t, g) and (2t + 1, g), g = lane / 4, t = lane % 4.
__device__ __forceinline__ void ldmatrix_x4_trans(std::uint32_t (&r)[4], const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];\n"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(shared_address(row))
               : "memory");
}

/// One tile of a product: mma_f16, mma_bf16 and mma_tf32 say of which.
__device__ __forceinline__ void mma_f16_tile(float (&d)[4], const std::uint32_t (&a)[4],
                                             const std::uint32_t (&b)[2]) {
#if __CUDA_ARCH__ >= 800
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};\n"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};\n"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[2 * half]), "r"(a[2 * half + 1]), "r"(b[half]));
  }
#endif
}
__device__ __forceinline__ void mma_bf16_tile(float (&d)[4], const std::uint32_t (&a)[4],
                                              const std::uint32_t (&b)[2]) {
#if __CUDA_ARCH__ >= 800
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};\n"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else
  __trap();
#endif
}
__device__ __forceinline__ void mma_tf32_tile(float (&d)[4], const std::uint32_t (&a)[4],
                                              const std::uint32_t (&b)[2]) {
#if __CUDA_ARCH__ >= 800
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};\n"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else
  __trap();
#endif
}

/// All tiles, by one of these.
template <auto kTile, int M, int N>
__device__ __forceinline__ void mma_tiles(float (&d)[M][N][4], const std::uint32_t (&a)[M][4],
                                          const std::uint32_t (&b)[N][2]) {
#pragma unroll
  for (int m = 0; m < M; ++m) {
#pragma unroll
    for (int n = 0; n < N; ++n) kTile(d[m][n], a[m], b[n]);
  }
}

/// d += a b for M x N tiles of 16 x 8, depth 16, float16 operands. g = lane / 4, t = lane % 4: d[r] is row
/// g + 8 (r / 2), column 2t + r % 2; a[r] row g + 8 (r % 2), depth 2t + 8 (r / 2) + {0, 1}; b[r] column g,
/// depth 2t + 8r + {0, 1}; the lower depth is in the lower half. Before sm_80 as two products of depth 8.
template <int M, int N>
__device__ __forceinline__ void mma_f16(float (&d)[M][N][4], const std::uint32_t (&a)[M][4],
                                        const std::uint32_t (&b)[N][2]) {
  mma_tiles<mma_f16_tile>(d, a, b);
}

/// The same of bfloat16. Only from sm_80 on: callers ask for the device's architecture before they launch.
template <int M, int N>
__device__ __forceinline__ void mma_bf16(float (&d)[M][N][4], const std::uint32_t (&a)[M][4],
                                         const std::uint32_t (&b)[N][2]) {
  mma_tiles<mma_bf16_tile>(d, a, b);
}

/// d += a b for tiles of 16 x 8, depth 8, of floats whose lower 13 bits do not count: a[r] is row
/// g + 8 (r % 2), depth t + 4 (r / 2); b[r] column g, depth t + 4r. Only from sm_80 on.
template <int M, int N>
__device__ __forceinline__ void mma_tf32(float (&d)[M][N][4], const std::uint32_t (&a)[M][4],
                                         const std::uint32_t (&b)[N][2]) {
  mma_tiles<mma_tf32_tile>(d, a, b);
}

/// float16 by its bits, rounded to nearest even.
__device__ __forceinline__ std::uint16_t to_float16(float x) {
  std::uint16_t bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
  return bits;
}
__device__ __forceinline__ float from_float16(std::uint16_t bits) {
  float x;
  asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
  return x;
}

/// The same of bfloat16; every NaN is the same.
__device__ __forceinline__ std::uint16_t to_bfloat16(float x) {
#if __CUDA_ARCH__ >= 800
  std::uint16_t bits;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(x));
  return bits;
#else
  const std::uint32_t bits = __float_as_uint(x);
  return static_cast<std::uint16_t>(x != x ? 0x7fffu : (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
#endif
}

/// Two of them in a word, the first in its lower half.
__device__ __forceinline__ std::uint32_t to_float16_pair(float low, float high) {
#if __CUDA_ARCH__ >= 800
  std::uint32_t pair;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
  return pair;
#else
  return to_float16(low) | static_cast<std::uint32_t>(to_float16(high)) << 16;
#endif
}
__device__ __forceinline__ std::uint32_t to_bfloat16_pair(float low, float high) {
#if __CUDA_ARCH__ >= 800
  std::uint32_t pair;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
  return pair;
#else
  return to_bfloat16(low) | static_cast<std::uint32_t>(to_bfloat16(high)) << 16;
#endif
}

/// One operation each, rounded to nearest: the compiler fuses none of them with another, so that comparisons
/// that decide between results come out as on the CPU.
__device__ __forceinline__ float add_rn(float x, float y) {
  return __fadd_rn(x, y);
}
__device__ __forceinline__ float sub_rn(float x, float y) {
  return __fsub_rn(x, y);
}
__device__ __forceinline__ float mul_rn(float x, float y) {
  return __fmul_rn(x, y);
}
__device__ __forceinline__ float div_rn(float x, float y) {
  return __fdiv_rn(x, y);
}
/// exp(x) as the C library of the CPU rounds it, but for the rarest cases: by way of double.
__device__ __forceinline__ float exp_rn(float x) {
  return static_cast<float>(::exp(static_cast<double>(x)));
}

/// 1 / x and exp(x) by one instruction for special functions, for values that are rounded to less than
/// float32: 1 / x to a unit of the last place; exp(x) to 2^-22 + |x| 2^-23 of it, since x * log2(e) is
/// rounded. Powers below 2^-126 are 0.
__device__ __forceinline__ float nearly_reciprocal(float x) {
  float y;
  asm("rcp.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
__device__ __forceinline__ float nearly_exp(float x) {
  return __expf(x);
}

__device__ __forceinline__ std::uint32_t float_bits(float x) {
  return __float_as_uint(x);
}
__device__ __forceinline__ float bits_float(std::uint32_t bits) {
  return __uint_as_float(bits);
}

}  // namespace mxinfer::simt

// Behind what it calls.
#include "kernels/cuda/warpgroup_nvcc.h"
