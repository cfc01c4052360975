// Runs one operator by itself: its attributes as a model file has them, its inputs as tensors.
//
//   auto out = test::run_op("Convolution", {{"kernel", "(3, 3)"}, {"num_filter", "4"}}, {&data, &weight,
//   &bias});
#pragma once

#include <mxinfer/tensor.h>

#include <map>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "kernels/common/target.h"

namespace mxinfer::test {

struct RunOpOptions {
  kernels::Target target = kernels::best_target();
  int threads = 1;
  /// Inputs that are parameters of the model (weights), by index; the others are computed at run time.
  std::vector<std::size_t> parameters{};
  bool numpy_shapes = false;  ///< as in a file with is_np_shape
  graph::PostOps post_ops{};
  std::vector<graph::PostOps> inner_post_ops{};
  /// Takes up the operator's n-th wish to write an output over an input (LowerContext::may_overwrite): both
  /// are then one memory. A negative number takes up none.
  int overwrite = -1;
  /// Filled with the number of those wishes where not null.
  int* overwrites = nullptr;
  /// Filled with the chosen kernel where not null.
  std::string* kernel = nullptr;
};

/// Parses the attributes, infers, lowers and runs. Throws what any of these throw.
std::vector<Tensor> run_op(const std::string& op, const std::map<std::string, std::string>& attrs,
                           const std::vector<const Tensor*>& inputs, const RunOpOptions& options = {});

/// The targets this CPU runs, ref first.
std::vector<kernels::Target> targets();

/// Values in [low, high) from a fixed sequence that `seed` chooses.
Tensor random_tensor(const Shape& shape, unsigned seed, float low = -1.0f, float high = 1.0f);

/// A tensor of T from listed values.
template <typename T>
Tensor tensor_of(const Shape& shape, std::initializer_list<T> values) {
  Tensor tensor(DTypeOf<T>::value, shape);
  T* out = tensor.data<T>();
  for (T value : values) *out++ = value;
  return tensor;
}

/// max |a - b| / max |b|, both as double; infinity where shapes or dtypes differ, or exactly one is NaN.
double relative_difference(const TensorView& a, const TensorView& b);

}  // namespace mxinfer::test
