// CUDA's vectors, aligned as on a GPU: kernels load them from arrays of their elements.
#pragma once

struct uint3 {
  unsigned x, y, z;
};

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x_size = 1, unsigned y_size = 1, unsigned z_size = 1)
      : x(x_size), y(y_size), z(z_size) {}
};

struct __attribute__((aligned(8), may_alias)) float2 {
  float x, y;
};
struct __attribute__((aligned(16), may_alias)) float4 {
  float x, y, z, w;
};
struct __attribute__((aligned(8), may_alias)) int2 {
  int x, y;
};
struct __attribute__((aligned(16), may_alias)) int4 {
  int x, y, z, w;
};
struct __attribute__((aligned(8), may_alias)) uint2 {
  unsigned x, y;
};
struct __attribute__((aligned(16), may_alias)) uint4 {
  unsigned x, y, z, w;
};

inline float2 make_float2(float x, float y) {
  return {x, y};
}
inline float4 make_float4(float x, float y, float z, float w) {
  return {x, y, z, w};
}
inline int2 make_int2(int x, int y) {
  return {x, y};
}
inline int4 make_int4(int x, int y, int z, int w) {
  return {x, y, z, w};
}
inline uint2 make_uint2(unsigned x, unsigned y) {
  return {x, y};
}
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) {
  return {x, y, z, w};
}

namespace mxinfer::simt {

/// Loads and stores of 16 bytes; the address is a multiple of 16.
inline float4 load4(const float* from) {
  return *reinterpret_cast<const float4*>(from);
}
inline void store4(float* to, float4 value) {
  *reinterpret_cast<float4*>(to) = value;
}

}  // namespace mxinfer::simt
