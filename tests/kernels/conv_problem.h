// Convolutions with random operands for the tests of the families, and tolerances of results.
//
//   const Problem problem(completed(conv2d(3, 8, 9, 9, 3)));
//   expect_near(run(conv_direct(target), problem.args(true, false, {})), expected, tolerance(problem.shape));
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "kernels/conv/conv.h"
#include "support/run_op.h"

namespace mxinfer::test {

using kernels::ConvArgs;
using kernels::ConvImpl;
using kernels::ConvProblem;
using kernels::Spatial;
using kernels::Target;
using kernels::volume;

inline std::vector<Target> vector_targets() {
  std::vector<Target> targets = test::targets();
  std::erase(targets, Target::ref);
  return targets;
}

inline std::vector<float> random_floats(std::int64_t count, unsigned seed) {
  std::vector<float> values(static_cast<std::size_t>(count));
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> distribution(-1.0f, 1.0f);
  for (float& value : values) value = distribution(generator);
  return values;
}

inline ConvProblem completed(ConvProblem s) {
  for (std::size_t i = 0; i < 3; ++i) {
    s.output[i] = (s.input[i] + 2 * s.pad[i] - s.dilate[i] * (s.kernel[i] - 1) - 1) / s.stride[i] + 1;
  }
  return s;
}

inline std::string describe(const ConvProblem& s) {
  std::ostringstream text;
  const auto put = [&](const char* name, const Spatial& v) {
    text << ' ' << name << ' ' << v[0] << 'x' << v[1] << 'x' << v[2];
  };
  text << "batch " << s.batch << " channels " << s.channels << " filters " << s.filters << " groups "
       << s.groups;
  put("input", s.input);
  put("kernel", s.kernel);
  put("stride", s.stride);
  put("pad", s.pad);
  put("dilate", s.dilate);
  return text.str();
}

/// Runs all tasks of an implementation, with scratch memory of exactly the size that it needs, which holds
/// NaN.
template <class Impl, class Args>
void run_all_tasks(const Impl& kernel, const Args& args, bool backwards) {
  const std::size_t bytes = kernel.scratch_bytes(args.problem);
  std::vector<std::byte> scratch(bytes + 64, std::byte{0xff});
  void* start = scratch.data();
  std::size_t room = scratch.size();
  auto* aligned = static_cast<std::byte*>(std::align(64, bytes, start, room));
  const std::int64_t tasks = kernel.tasks(args.problem);
  if (backwards) {
    for (std::int64_t t = tasks - 1; t >= 0; --t) kernel.run(args, t, t + 1, aligned);
  } else {
    kernel.run(args, 0, tasks, aligned);
  }
}

/// The operands of a convolution with random values.
struct Problem {
  ConvProblem shape;
  std::vector<float> src, weight, bias, residual;

  explicit Problem(const ConvProblem& s)
      : shape(s),
        src(random_floats(s.batch * s.channels * volume(s.input), 1)),
        weight(random_floats(s.weight_elements(), 2)),
        bias(random_floats(s.filters, 3)),
        residual(random_floats(s.batch * s.filters * volume(s.output), 4)) {}

  ConvArgs args(bool with_bias, bool with_residual, kernels::PostOps post_ops) const {
    ConvArgs a;
    a.problem = shape;
    a.post_ops = post_ops;
    a.src = src.data();
    a.weight = weight.data();
    if (with_bias) a.bias = bias.data();
    if (with_residual) a.residual = residual.data();
    return a;
  }
};

inline std::vector<float> run(const ConvImpl& kernel, ConvArgs args, bool backwards = false) {
  const ConvProblem& s = args.problem;
  std::vector<std::byte> packed;
  std::vector<float> dst(static_cast<std::size_t>(s.batch * volume(s.output) * args.dst_step()), NAN);
  if (kernel.packing != nullptr) {
    packed.resize(kernel.packed_bytes(s));
    kernel.pack(s, kernels::typed<float>(args.weight), packed.data());
    args.weight = packed.data();
  }
  std::vector<float> scratch(kernel.scratch_bytes(s) / sizeof(float), NAN);
  auto* bytes = reinterpret_cast<std::byte*>(scratch.data());
  args.dst = dst.data();
  const std::int64_t tasks = kernel.tasks(s);
  if (backwards) {
    for (std::int64_t t = tasks - 1; t >= 0; --t) kernel.run(args, t, t + 1, bytes);
  } else {
    kernel.run(args, 0, tasks, bytes);
  }
  return dst;
}

/// Partial sums of products of numbers in [-1, 1) grow to sqrt(depth) / 3, each addition errs by half an
/// epsilon of one, and the errors add up like a random walk: epsilon * depth / 8 or so. Eight times that
/// covers its tail.
inline double tolerance(const ConvProblem& s) {
  return 1e-6 + 12e-8 * static_cast<double>(s.depth());
}

inline void expect_near(const std::vector<float>& a, const std::vector<float>& b, double tolerance_) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], tolerance_) << "at " << i;
}

/// The transforms add a few roundings of values that are up to some hundred times as large as the sums.
inline double winograd_tolerance(const ConvProblem& s) {
  return 2e-5 + 4 * tolerance(s);
}

inline ConvProblem conv2d(std::int64_t channels, std::int64_t filters, std::int64_t h, std::int64_t w,
                          std::int64_t k, std::int64_t stride = 1, std::int64_t pad = 0) {
  ConvProblem s;
  s.channels = channels;
  s.filters = filters;
  s.input = {1, h, w};
  s.kernel = {1, k, k};
  s.stride = {1, stride, stride};
  s.pad = {0, pad, pad};
  return s;
}

/// Strides, pads, dilations, groups and ranks, each away from its default: check(shape, bias and residual).
template <typename Check>
void check_strides_pads_and_ranks(const Check& check) {
  check(conv2d(3, 8, 37, 41, 7, 2, 3), false);
  check(conv2d(3, 8, 37, 41, 3, 3, 2), false);
  check(conv2d(3, 8, 9, 5, 5, 1, 4), false);
  check(conv2d(3, 8, 14, 14, 1, 2), false);
  check(conv2d(16, 8, 14, 14, 1, 2), false);
  ConvProblem s = conv2d(4, 6, 12, 13, 3, 2, 3);
  s.dilate = {1, 3, 2};
  check(s, false);
  s.dilate = {1, 2, 1};
  check(s, false);
  s.dilate = {1, 3, 2};
  s.batch = 3;
  s.groups = 2;
  check(s, true);
  s.dilate = {1, 2, 1};
  check(s, true);
  s = conv2d(4, 6, 1, 50, 1);
  s.kernel = {1, 1, 5};
  s.pad = {0, 0, 6};
  s.dilate = {1, 1, 3};
  check(s, false);
  s = conv2d(4, 6, 6, 7, 3, 2, 1);
  s.input[0] = 5;
  s.kernel[0] = 3;
  s.pad[0] = 2;
  s.dilate[0] = 2;
  check(s, false);
  s.groups = 4;
  s.filters = 8;
  check(s, false);
}

}  // namespace mxinfer::test
