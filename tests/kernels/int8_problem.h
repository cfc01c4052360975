// Convolutions of 8-bit data with random operands, and their results.
//
//   const Int8Problem problem(completed(conv2d(16, 32, 9, 9, 3)));
//   run_int8(kernels::int8_conv_ref(), problem.args(Int8Type::u8, Int8Type::s8));
#pragma once

#include <cmath>
#include <random>
#include <vector>

#include "kernels/conv/int8/int8_conv.h"
#include "kernels/conv/int8/int8_post_ops.h"
#include "kernels/conv_problem.h"

namespace mxinfer::test {

/// Every byte, the ends of the range more often: where products would overflow, they do.
inline std::vector<std::uint8_t> random_bytes(std::int64_t count, unsigned seed) {
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(count));
  std::mt19937 generator(seed);
  for (std::uint8_t& byte : bytes) {
    const std::uint32_t draw = generator();
    constexpr std::uint8_t kEnds[] = {0, 127, 128, 255};
    byte = draw % 4 == 0 ? kEnds[draw / 4 % 4] : static_cast<std::uint8_t>(draw >> 8);
  }
  return bytes;
}

struct Int8Problem {
  ConvProblem shape;
  std::vector<std::uint8_t> src, weight, residual;
  std::vector<std::int32_t> bias;
  std::vector<float> scale, float_residual;

  explicit Int8Problem(const ConvProblem& s)
      : shape(s),
        src(random_bytes(s.batch * s.channels * volume(s.input), 1)),
        weight(random_bytes(s.weight_elements(), 2)),
        residual(random_bytes(outputs(), 3)),
        scale(random_floats(s.filters, 4)),
        float_residual(random_floats(outputs(), 5)) {
    // Results of which some are cut off.
    for (float& x : scale) x *= 100.0F / (8000.0F * std::sqrt(static_cast<float>(s.depth())));
    for (float x : random_floats(s.filters, 6)) bias.push_back(static_cast<std::int32_t>(x * 20000));
  }

  std::int64_t outputs() const { return shape.batch * shape.filters * volume(shape.output); }

  kernels::Int8ConvArgs args(kernels::Int8Type src_type, kernels::Int8Type dst_type) const {
    kernels::Int8ConvArgs a;
    a.problem = shape;
    a.src_type = src_type;
    a.src = src.data();
    a.weight = reinterpret_cast<const std::int8_t*>(weight.data());
    a.dst_type = dst_type;
    return a;
  }
  void add_residual(kernels::Int8ConvArgs& a, kernels::Int8Type type) const {
    a.residual_type = type;
    a.residual =
        type == kernels::Int8Type::f32 ? static_cast<const void*>(float_residual.data()) : residual.data();
    a.residual_scale = 0.75F;
  }
};

/// dst as its bytes. Arrays have exactly the size that they need.
inline std::vector<std::uint8_t> run_int8(const kernels::Int8ConvImpl& kernel, kernels::Int8ConvArgs args,
                                          bool backwards = false) {
  const ConvProblem& s = args.problem;
  std::vector<std::byte> packed;
  if (kernel.pack != nullptr) {
    packed.assign(kernel.packed_bytes(s, args.src_type), std::byte{0xff});
    kernel.pack(s, args.src_type, args.weight, packed.data());
    args.weight = reinterpret_cast<const std::int8_t*>(packed.data());
  }
  const std::int64_t outputs = s.batch * s.filters * volume(s.output);
  std::vector<std::uint8_t> dst(static_cast<std::size_t>(outputs * kernels::bytes_of(args.dst_type)), 0xee);
  args.dst = dst.data();
  run_all_tasks(kernel, args, backwards);
  return dst;
}

}  // namespace mxinfer::test
