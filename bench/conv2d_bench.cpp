// Convolutions of known networks on one thread: GFLOP/s, and the part of the machine's peak that is.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>

#include "base/aligned_memory.h"
#include "kernels/conv/conv.h"
#include "peak.h"

namespace mxinfer::bench {
namespace {

using kernels::ConvKernel;
using kernels::ConvShape;
using kernels::Target;
using kernels::volume;

struct Case {
  const char* name;
  ConvShape shape;
};

/// A square convolution with "same" padding.
ConvShape square(std::int64_t channels, std::int64_t filters, std::int64_t size, std::int64_t k,
                 std::int64_t stride = 1, std::int64_t groups = 1) {
  ConvShape s;
  s.channels = channels;
  s.filters = filters;
  s.groups = groups;
  s.input = {1, size, size};
  s.kernel = {1, k, k};
  s.stride = {1, stride, stride};
  s.pad = {0, k / 2, k / 2};
  const std::int64_t output = (size + 2 * (k / 2) - k) / stride + 1;
  s.output = {1, output, output};
  s.wanted_tasks = 1;
  return s;
}

const Case kCases[] = {
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

void fill(float* data, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) data[i] = static_cast<float>(i % 17) * 0.1f - 0.8f;
}

AlignedBuffer floats(std::int64_t count) {
  AlignedBuffer buffer(static_cast<std::size_t>(std::max<std::int64_t>(count, 1)) * sizeof(float));
  fill(reinterpret_cast<float*>(buffer.data()), count);
  return buffer;
}

float* pointer(AlignedBuffer& buffer) {
  return reinterpret_cast<float*>(buffer.data());
}

void run(benchmark::State& state, const ConvShape& s, Target target) {
  const char* reason = "";
  const ConvKernel& kernel = select_conv(s, target, &reason);
  AlignedBuffer src = floats(s.batch * s.channels * volume(s.input)), weight = floats(s.weight_elements());
  AlignedBuffer packed = floats(kernel.packed_elements(s)), bias = floats(s.filters);
  AlignedBuffer dst = floats(s.batch * s.filters * volume(s.output)),
                scratch = floats(kernel.scratch_elements(s));
  kernels::ConvArgs<float> args;
  args.shape = s;
  args.epilogue.activation = kernels::Activation::relu;
  args.src = pointer(src);
  args.weight = pointer(weight);
  if (kernel.packing != nullptr) {
    kernel.pack(s, args.weight, pointer(packed));
    args.weight = pointer(packed);
  }
  args.bias = pointer(bias);
  args.dst = pointer(dst);
  for (auto _ : state) {
    kernel.run(args, 0, kernel.tasks(s), pointer(scratch));
    benchmark::ClobberMemory();
  }
  const double flops = 2.0 * static_cast<double>(s.batch * s.filters * volume(s.output) * s.depth());
  const auto done = static_cast<double>(state.iterations()) * flops / 1e9;
  state.counters["GFLOP/s"] = benchmark::Counter(done, benchmark::Counter::kIsRate);
  state.counters["of_peak"] = benchmark::Counter(done / peak_gflops(target), benchmark::Counter::kIsRate);
  state.SetLabel(kernel.name);
}

const bool registered = [] {
  for (Target target : {Target::avx2, Target::avx512}) {
    if (!is_supported(target)) continue;
    for (const Case& c : kCases) {
      benchmark::RegisterBenchmark((std::string("conv2d/") + c.name + "/" + to_string(target)).c_str(),
                                   [&c, target](benchmark::State& state) { run(state, c.shape, target); });
    }
  }
  return true;
}();

}  // namespace
}  // namespace mxinfer::bench
