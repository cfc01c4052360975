// Convolutions of known networks for the benches, and their memory.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/files/aligned_memory.h"
#include "kernels/conv/conv.h"

namespace mxinfer::bench {

using kernels::ConvProblem;

struct ConvCase {
  const char* name;
  ConvProblem shape;
};

/// A square convolution with "same" padding.
inline ConvProblem square(std::int64_t channels, std::int64_t filters, std::int64_t size, std::int64_t k,
                          std::int64_t stride = 1, std::int64_t groups = 1) {
  ConvProblem s;
  s.channels = channels;
  s.filters = filters;
  s.groups = groups;
  s.input = {1, size, size};
  s.kernel = {1, k, k};
  s.stride = {1, stride, stride};
  s.pad = {0, k / 2, k / 2};
  const std::int64_t output = (size + 2 * (k / 2) - k) / stride + 1;
  s.output = {1, output, output};
  s.task_hint = 1;
  return s;
}

inline const ConvCase kConvCases[] = {
    {"resnet/stem_7x7s2_224", square(3, 64, 224, 7, 2)},
    {"resnet/3x3_64_56", square(64, 64, 56, 3)},
    {"resnet/3x3_128_28", square(128, 128, 28, 3)},
    {"resnet/3x3_256_14", square(256, 256, 14, 3)},
    {"resnet/3x3_512_7", square(512, 512, 7, 3)},
    {"resnet/3x3s2_128_56", square(128, 128, 56, 3, 2)},
    {"resnet/1x1_64_256_56", square(64, 256, 56, 1)},
    {"resnet/1x1_256_64_56", square(256, 64, 56, 1)},
    {"resnet/1x1_512_128_28", square(512, 128, 28, 1)},
    {"resnet/1x1_1024_256_14", square(1024, 256, 14, 1)},
    {"resnet/1x1_512_2048_7", square(512, 2048, 7, 1)},
    {"mobilenet/1x1_32_16_112", square(32, 16, 112, 1)},
    {"mobilenet/1x1_24_144_56", square(24, 144, 56, 1)},
    {"mobilenet/1x1_96_576_14", square(96, 576, 14, 1)},
    {"mobilenet/dw3x3_32_112", square(32, 32, 112, 3, 1, 32)},
    {"mobilenet/dw3x3s2_96_112", square(96, 96, 112, 3, 2, 96)},
    {"mobilenet/dw3x3_384_14", square(384, 384, 14, 3, 1, 384)},
    {"mobilenet/dw5x5_240_14", square(240, 240, 14, 5, 1, 240)},
    {"resnext/3x3_128g32_56", square(128, 128, 56, 3, 1, 32)},
};

inline void fill(float* data, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) data[i] = static_cast<float>(i % 17) * 0.1f - 0.8f;
}

/// At least one element, with values that are neither large nor denormal.
inline AlignedBuffer floats(std::int64_t count) {
  AlignedBuffer buffer(static_cast<std::size_t>(std::max<std::int64_t>(count, 1)) * sizeof(float));
  fill(reinterpret_cast<float*>(buffer.data()), count);
  return buffer;
}

inline AlignedBuffer floats_of_bytes(std::size_t bytes) {
  return floats(static_cast<std::int64_t>(bytes / sizeof(float)));
}

inline float* pointer(AlignedBuffer& buffer) {
  return reinterpret_cast<float*>(buffer.data());
}

inline double flops_of(const ConvProblem& s) {
  return 2.0 * static_cast<double>(s.batch * s.filters * kernels::volume(s.output) * s.depth());
}

/// The operands of an implementation, filled.
class ConvOperands {
 public:
  ConvOperands(const kernels::ConvImpl& kernel, const ConvProblem& s)
      : src_(floats(s.batch * s.channels * kernels::volume(s.input))),
        weight_(floats(s.weight_elements())),
        packed_(floats_of_bytes(kernel.packing != nullptr ? kernel.packed_bytes(s) : 0)),
        bias_(floats(s.filters)),
        dst_(floats(s.batch * s.filters * kernels::volume(s.output))),
        scratch_(floats_of_bytes(kernel.scratch_bytes(s))) {
    args_.problem = s;
    args_.post_ops.activation = kernels::Activation::relu;
    args_.src = pointer(src_);
    args_.weight = pointer(weight_);
    if (kernel.packing != nullptr) {
      kernel.pack(s, pointer(weight_), packed_.data());
      args_.weight = pointer(packed_);
    }
    args_.bias = pointer(bias_);
    args_.dst = pointer(dst_);
  }

  void run(const kernels::ConvImpl& kernel) {
    kernel.run(args_, 0, kernel.tasks(args_.problem), scratch_.data());
  }

 private:
  AlignedBuffer src_, weight_, packed_, bias_, dst_, scratch_;
  kernels::ConvArgs args_;
};

}  // namespace mxinfer::bench
