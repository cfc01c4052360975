#include "kernels/linalg/khatri_rao.h"

namespace mxinfer::kernels {
namespace {

template <typename T>
void run(const KhatriRaoArgs<T>& args, std::int64_t begin, std::int64_t end) {
  for (std::int64_t row = begin; row < end; ++row) {
    const T* left = args.left + row / args.right_rows * args.columns;
    const T* right = args.right + row % args.right_rows * args.columns;
    T* dst = args.dst + row * args.columns;
    for (std::int64_t c = 0; c < args.columns; ++c) dst[c] = left[c] * right[c];
  }
}

}  // namespace

void khatri_rao(const KhatriRaoArgs<float>& args, std::int64_t begin, std::int64_t end) {
  run(args, begin, end);
}

void khatri_rao(const KhatriRaoArgs<double>& args, std::int64_t begin, std::int64_t end) {
  run(args, begin, end);
}

}  // namespace mxinfer::kernels
