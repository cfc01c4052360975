// The Khatri-Rao product of two matrices with equal numbers of columns: each column is the Kronecker product
// of theirs.
//
//   dst[i * right_rows + j][c] = left[i][c] * right[j][c]
#pragma once

#include <cstdint>

namespace mxinfer::kernels {

template <typename T>
struct KhatriRaoArgs {
  std::int64_t left_rows = 0;
  std::int64_t right_rows = 0;
  std::int64_t columns = 0;
  const T* left = nullptr;
  const T* right = nullptr;
  T* dst = nullptr;
};

/// Computes rows [begin, end) of dst.
void khatri_rao(const KhatriRaoArgs<float>& args, std::int64_t begin, std::int64_t end);
void khatri_rao(const KhatriRaoArgs<double>& args, std::int64_t begin, std::int64_t end);

}  // namespace mxinfer::kernels
