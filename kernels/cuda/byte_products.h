// What kernels/cuda/dialect.h adds for bytes, on both of its sides: products of four bytes (dp4a), and
// products of fragments on tensor cores.
//
//   sum = simt::dot4<SIGNED>(four_bytes, four_weights, sum);
//   simt::mma_bytes<SIGNED>(sums, a, b);
#pragma once

#include "kernels/cuda/dialect.h"

#ifdef __CUDACC__
#include "kernels/cuda/byte_products_nvcc.h"
#else
#include "simt/byte_products.h"
#endif
