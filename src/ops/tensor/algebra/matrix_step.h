// Steps that run a function of LAPACK on each matrix of a stack. Matrices are independent tasks; LAPACK
// itself stays on one thread.
//
//   return matrix_step(context, "cholesky", needs, [n](const auto& m) { ... m.in[0] ... m.out[0] ... });
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>

#include "kernels/linalg/lapack.h"
#include "ops/common/products.h"
#include "ops/elementwise/elementwise.h"

namespace mxinfer::ops {

inline constexpr std::size_t kMostOperands = 3;

/// One matrix's worth of each input and output, and memory to work in.
template <typename T>
struct MatrixOperands {
  std::array<const T*, kMostOperands> in{};
  std::array<T*, kMostOperands> out{};
  T* work = nullptr;
  int* integers = nullptr;
};

struct MatrixNeeds {
  std::int64_t work = 0, integers = 0;                ///< elements of MatrixOperands
  std::int64_t most_rows = kernels::kMostLapackRows;  ///< or columns, of any operand
  const char* refused = "";  ///< what is wrong with a matrix that it returns false for
};

template <typename T, typename Function>
struct MatrixLoop {
  std::vector<std::int64_t> in, out;  ///< elements of one matrix
  std::size_t work_bytes = 0;
  Function compute;

  bool run(const RunContext& run, std::int64_t matrix) const {
    MatrixOperands<T> operands;
    for (std::size_t i = 0; i < in.size(); ++i) operands.in[i] = run.input<T>(i) + matrix * in[i];
    for (std::size_t o = 0; o < out.size(); ++o) operands.out[o] = run.output<T>(o) + matrix * out[o];
    operands.work = reinterpret_cast<T*>(run.my_scratch());
    operands.integers = reinterpret_cast<int*>(run.my_scratch() + work_bytes);
    return compute(operands);
  }
};

inline void expect_lapack_sizes(const LowerContext& context, std::int64_t most_rows) {
  for (std::size_t i = 0; i < context.num_inputs(); ++i) {
    const Shape& shape = context.input(i).shape;
    if (std::max(shape[shape.rank() - 2], shape.back()) <= most_rows) continue;
    fail(ErrorCode::unsupported, "matrices of shape ", to_string(shape), " are too large: at most ",
         most_rows, " rows and columns are computed");
  }
}

/// The inputs and outputs are `count` matrices each, or vectors; an input of fewer elements is the same for
/// all.
template <typename T, typename Function>
void run_matrices(Step& step, const LowerContext& context, std::int64_t count, const MatrixNeeds& needs,
                  Function compute) {
  MatrixLoop<T, Function> loop{{}, {}, 0, compute};
  std::int64_t elements = needs.work;
  const auto add = [&](std::vector<std::int64_t>& list, const TensorType& of) {
    list.push_back(count == 0 ? 0 : of.shape.elements() / count);
    elements += list.back();
  };
  for (std::size_t i = 0; i < context.num_inputs(); ++i) add(loop.in, context.input(i));
  for (std::size_t o = 0; o < context.num_outputs(); ++o) add(loop.out, context.output(o));
  loop.work_bytes = static_cast<std::size_t>(round_up(needs.work, 16)) * sizeof(T);
  step.thread_scratch_bytes = loop.work_bytes + static_cast<std::size_t>(needs.integers) * sizeof(int);
  const std::int64_t grain =
      std::max<std::int64_t>(1, kElementGrain / 16 / std::max<std::int64_t>(1, elements));
  step.run = [=, loop = std::move(loop), refused = needs.refused](const RunContext& run) {
    constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();
    std::atomic<std::int64_t> first_bad{kNone};
    parallel_for(count, grain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t matrix = begin; matrix < end; ++matrix) {
        if (loop.run(run, matrix)) continue;
        std::int64_t known = first_bad.load();
        while (matrix < known && !first_bad.compare_exchange_weak(known, matrix)) {
        }
      }
    });
    if (first_bad != kNone)
      fail(ErrorCode::invalid_argument, "matrix ", first_bad.load(), " of ", count, " ", refused);
  };
}

/// Runs `compute`, which takes MatrixOperands of the type of output 0, float or double, `count` times. It
/// returns false for a matrix that it refuses.
template <typename Function>
Step matrices_step(LowerContext& context, const char* name, std::int64_t count, const MatrixNeeds& needs,
                   Function compute) {
  require_openblas(context);
  const DType dtype = context.output(0).dtype;
  Step step{.kernel = concat("linalg_", name, "_", to_string(dtype), " [openblas]")};
  step.reason = "one matrix at a time";
  if (dtype == DType::float64) {
    run_matrices<double>(step, context, count, needs, compute);
  } else {
    run_matrices<float>(step, context, count, needs, compute);
  }
  return step;
}

/// The same for every matrix of the stack that input 0 is.
template <typename Function>
Step matrix_step(LowerContext& context, const char* name, const MatrixNeeds& needs, Function compute) {
  expect_lapack_sizes(context, needs.most_rows);
  const Shape& shape = context.input(0).shape;
  return matrices_step(context, name, shape.elements(0, shape.rank() - 2), needs, compute);
}

}  // namespace mxinfer::ops
