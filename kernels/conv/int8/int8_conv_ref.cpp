#include <algorithm>

#include "kernels/conv/int8/int8_conv.h"
#include "kernels/conv/int8/int8_elements.h"

namespace mxinfer::kernels {
namespace {

/// Elements from one channel to the next, and from one position to the next.
struct Steps {
  std::int64_t channel, position;
};

Steps steps_of(SrcLayout layout, std::int64_t channels, std::int64_t positions) {
  return layout == SrcLayout::nhwc ? Steps{1, channels} : Steps{positions, 1};
}

/// The sums of `count` elements of filter m, which are `step` apart.
void store(const Int8ConvArgs& args, std::int64_t m, const std::int32_t* sums, std::int64_t first,
           std::int64_t count, std::int64_t step) {
  const Int8Operands of{args.bias != nullptr ? args.bias + m : nullptr,
                        args.scale != nullptr ? args.scale + m : nullptr, args.residual};
  for (std::int64_t i = 0; i < count; ++i) finish_element(args, sums[i], of, args.dst, first + i * step);
}

/// A product of matrices: the filters of one image, each a row of weights times the image.
template <typename T>
void run_product(const Int8ConvArgs& args, std::int64_t image) {
  const ConvProblem& s = args.problem;
  for (std::int64_t m = 0; m < s.filters; ++m) {
    const std::int64_t depth = s.group_channels();
    const T* src = typed<T>(args.src) + image * s.channels + m / s.group_filters() * depth;
    const std::int8_t* weight = args.weight + m * depth;
    std::int32_t sum = 0;
    for (std::int64_t k = 0; k < depth; ++k) sum += std::int32_t{weight[k]} * std::int32_t{src[k]};
    store(args, m, &sum, image * s.filters + m, 1, 1);
  }
}

/// Adds weight * a row of src, shifted by one tap, to the sums of a row of dst.
template <typename T>
void add_tap(const ConvProblem& s, const T* row, std::int64_t step, std::int32_t weight, std::int64_t tap,
             std::int32_t* sums) {
  const std::int64_t width = s.input[2], stride = s.stride[2], shift = tap * s.dilate[2] - s.pad[2];
  const std::int64_t begin = shift >= 0 ? 0 : (-shift + stride - 1) / stride;
  const std::int64_t end = width <= shift ? 0 : std::min(s.output[2], (width - shift - 1) / stride + 1);
  for (std::int64_t x = begin; x < end; ++x)
    sums[x] += weight * std::int32_t{row[(x * stride + shift) * step]};
}

/// One row of dst of filter m.
template <typename T>
void sum_row(const Int8ConvArgs& args, std::int64_t n, std::int64_t m, std::int64_t z, std::int64_t y,
             std::int32_t* sums) {
  const ConvProblem& s = args.problem;
  std::fill_n(sums, s.output[2], 0);
  const Steps steps = steps_of(s.src_layout, s.channels, volume(s.input));
  const T* image = typed<T>(args.src) + n * s.channels * volume(s.input) +
                   m / s.group_filters() * s.group_channels() * steps.channel;
  const std::int8_t* weight = args.weight + m * s.depth();
  for (std::int64_t c = 0; c < s.group_channels(); ++c) {
    for (std::int64_t kz = 0; kz < s.kernel[0]; ++kz) {
      for (std::int64_t ky = 0; ky < s.kernel[1]; ++ky, weight += s.kernel[2]) {
        const std::int64_t from_z = z * s.stride[0] + kz * s.dilate[0] - s.pad[0];
        const std::int64_t from_y = y * s.stride[1] + ky * s.dilate[1] - s.pad[1];
        if (from_z < 0 || from_z >= s.input[0] || from_y < 0 || from_y >= s.input[1]) continue;
        const std::int64_t position = (from_z * s.input[1] + from_y) * s.input[2];
        const T* row = image + c * steps.channel + position * steps.position;
        for (std::int64_t kx = 0; kx < s.kernel[2]; ++kx)
          add_tap(s, row, steps.position, weight[kx], kx, sums);
      }
    }
  }
}

template <typename T>
void run_row(const Int8ConvArgs& args, std::int64_t task, std::int32_t* sums) {
  const ConvProblem& s = args.problem;
  const std::int64_t y = task % s.output[1], z = task / s.output[1] % s.output[0];
  const std::int64_t filter = task / (s.output[1] * s.output[0]);
  const std::int64_t n = filter / s.filters, m = filter % s.filters;
  sum_row<T>(args, n, m, z, y, sums);
  const Steps steps = steps_of(s.src_layout, s.filters, volume(s.output));
  const std::int64_t position = (z * s.output[1] + y) * s.output[2];
  store(args, m, sums, n * s.filters * volume(s.output) + m * steps.channel + position * steps.position,
        s.output[2], steps.position);
}

/// Whether each filter has one product for each channel.
bool is_product(const ConvProblem& s) {
  return volume(s.output) == 1 && volume(s.kernel) == 1 && volume(s.input) == 1 && s.pad == Spatial{0, 0, 0};
}

template <typename T>
void run_tasks(const Int8ConvArgs& args, std::int64_t begin, std::int64_t end, std::byte* scratch) {
  for (std::int64_t task = begin; task < end; ++task) {
    if (is_product(args.problem)) {
      run_product<T>(args, task);
    } else {
      run_row<T>(args, task, reinterpret_cast<std::int32_t*>(scratch));
    }
  }
}

constexpr Int8ConvImpl reference() {
  Int8ConvImpl impl;
  impl.name = "int8_conv_ref";
  impl.tasks = [](const ConvProblem& s) {
    return is_product(s) ? s.batch : s.batch * s.filters * s.output[0] * s.output[1];
  };
  impl.scratch_bytes = [](const ConvProblem& s) {
    return static_cast<std::size_t>(s.output[2]) * sizeof(std::int32_t);
  };
  impl.run = [](const Int8ConvArgs& args, std::int64_t begin, std::int64_t end, std::byte* scratch) {
    if (args.src_type == Int8Type::s8) {
      run_tasks<std::int8_t>(args, begin, end, scratch);
    } else {
      run_tasks<std::uint8_t>(args, begin, end, scratch);
    }
  };
  return impl;
}

constexpr Int8ConvImpl kReference = reference();

}  // namespace

const Int8ConvImpl& int8_conv_ref() {
  return kReference;
}

}  // namespace mxinfer::kernels
