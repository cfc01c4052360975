#include <cstring>
#include <type_traits>

#include "kernels/image_chain/image_chain.h"

namespace mxinfer::kernels {
namespace {

using std::int64_t;

template <typename T>
float first_value(ChainFirst first, T value) {
  if (first == ChainFirst::cast) return convert<float>(value);
  if constexpr (std::is_same_v<T, Float16>) {
    return static_cast<float>(Float16(static_cast<float>(value) / 255.0f));
  } else {
    return static_cast<float>(static_cast<Real<T>>(value) / 255.0f);
  }
}

float apply(const ChainStep& step, int64_t channel, float value) {
  const float number = step.numbers[channel];
  switch (step.op) {
    case ChainOp::add:
      return value + number;
    case ChainOp::subtract:
      return value - number;
    case ChainOp::multiply:
      return value * number;
    case ChainOp::divide:
      return value / number;
  }
  return value;
}

/// Calls pixel(src_pixel, dst_pixel) for each pixel of each row.
template <typename T, typename Pixel>
void each_pixel(const ChainArgs& args, const T* src, float* dst, int64_t rows, const Pixel& pixel) {
  const int64_t step = args.mirror ? -args.dst_pixel_step : args.dst_pixel_step;
  if (args.mirror) dst += (args.width - 1) * args.dst_pixel_step;
  for (int64_t y = 0; y < rows; ++y) {
    const T* from = src + y * args.src_row_step;
    float* to = dst + y * args.dst_row_step;
    for (int64_t x = 0; x < args.width; ++x) pixel(from + x * args.src_channels, to + x * step);
  }
}

template <typename T>
void arithmetic_rows(const ChainArgs& args, const void* src, float* dst, int64_t rows) {
  const int64_t channel_step = args.src_channels == 1 ? 0 : 1;
  each_pixel(args, static_cast<const T*>(src), dst, rows, [&](const T* from, float* to) {
    for (int64_t c = 0; c < args.channels; ++c) {
      float value = first_value(args.first, from[c * channel_step]);
      for (int64_t s = 0; s < args.step_count; ++s) value = apply(args.steps[s], c, value);
      to[c * args.dst_channel_step] = value;
    }
  });
}

void table_rows(const ChainArgs& args, const void* src, float* dst, int64_t rows) {
  const int64_t channel_step = args.src_channels == 1 ? 0 : 1;
  each_pixel(args, static_cast<const std::uint8_t*>(src), dst, rows,
             [&](const std::uint8_t* from, float* to) {
               for (int64_t c = 0; c < args.channels; ++c) {
                 to[c * args.dst_channel_step] = args.table[c * 256 + from[c * channel_step]];
               }
             });
}

/// Three channels from HWC to CHW: the steps are constants, and the loop has no inner one.
void table_rows_3_planes(const ChainArgs& args, const void* src, float* dst, int64_t rows) {
  const float* red = args.table;
  const float* green = red + 256;
  const float* blue = green + 256;
  const int64_t step = args.mirror ? -1 : 1;
  if (args.mirror) dst += args.width - 1;
  for (int64_t y = 0; y < rows; ++y) {
    const std::uint8_t* from = static_cast<const std::uint8_t*>(src) + y * args.src_row_step;
    float* to = dst + y * args.dst_row_step;
    float* to_green = to + args.dst_channel_step;
    float* to_blue = to_green + args.dst_channel_step;
    for (int64_t x = 0; x < args.width; ++x, from += 3) {
      to[step * x] = red[from[0]];
      to_green[step * x] = green[from[1]];
      to_blue[step * x] = blue[from[2]];
    }
  }
}

bool is_3_to_planes(const ChainArgs& args) {
  return args.channels == 3 && args.src_channels == 3 && args.dst_pixel_step == 1;
}

}  // namespace

void fill_chain_table(ChainFirst first, const ChainStep* steps, int64_t step_count, int64_t channels,
                      float* table) {
  for (int64_t c = 0; c < channels; ++c) {
    for (int v = 0; v < 256; ++v) {
      float value = first_value(first, static_cast<std::uint8_t>(v));
      for (int64_t s = 0; s < step_count; ++s) value = apply(steps[s], c, value);
      table[c * 256 + v] = value;
    }
  }
}

ChainKernels select_image_chain(ElementType type, const ChainArgs& args, Target target) {
  if (type == ElementType::uint8) {
    const bool fast = target != Target::ref && is_3_to_planes(args);
    return {"table", Target::ref, fast ? table_rows_3_planes : table_rows};
  }
  if (type == ElementType::float32 && target != Target::ref && is_3_to_planes(args)) {
    return {"arithmetic", target, chain_rows_f32_simd(target)};
  }
  const PerType<ChainRowsFn> functions{
      arithmetic_rows<float>,        arithmetic_rows<double>,      arithmetic_rows<Float16>,      nullptr,
      arithmetic_rows<std::int32_t>, arithmetic_rows<std::int8_t>, arithmetic_rows<std::int64_t>, nullptr};
  return {"arithmetic", Target::ref, pick(functions, type)};
}

void mirror_rows(const std::byte* src, std::byte* dst, int64_t rows, int64_t width, int64_t src_row_bytes,
                 int64_t dst_row_bytes, int64_t pixel_bytes) {
  const auto bytes = static_cast<std::size_t>(pixel_bytes);
  for (int64_t y = 0; y < rows; ++y) {
    const std::byte* from = src + y * src_row_bytes;
    std::byte* to = dst + y * dst_row_bytes + (width - 1) * pixel_bytes;
    for (int64_t x = 0; x < width; ++x) std::memcpy(to - x * pixel_bytes, from + x * pixel_bytes, bytes);
  }
}

}  // namespace mxinfer::kernels
