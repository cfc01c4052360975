#include <algorithm>
#include <cmath>

#include "kernels/boxes/multibox_prior.h"

namespace mxinfer::kernels {
namespace {

void write_box(float x, float y, float half_width, float half_height, float* dst) {
  dst[0] = x - half_width;
  dst[1] = y - half_height;
  dst[2] = x + half_width;
  dst[3] = y + half_height;
}

}  // namespace

void multibox_prior(const MultiBoxPriorArgs& args) {
  const auto rows = static_cast<float>(args.rows), columns = static_cast<float>(args.columns);
  float* dst = args.dst;
  for (std::int64_t row = 0; row < args.rows; ++row) {
    const float y = (static_cast<float>(row) + args.offset_y) * args.step_y;
    for (std::int64_t column = 0; column < args.columns; ++column) {
      const float x = (static_cast<float>(column) + args.offset_x) * args.step_x;
      for (std::int64_t box = 0; box < args.boxes(); ++box, dst += 4) {
        const float size = args.sizes[box < args.size_count ? box : 0];
        const float ratio = std::sqrt(args.ratios[box < args.size_count ? 0 : box - args.size_count + 1]);
        write_box(x, y, size * rows / columns * ratio / 2, size / ratio / 2, dst);
      }
    }
  }
  if (args.clip) {
    std::for_each(args.dst, dst, [](float& value) { value = std::max(std::min(value, 1.0f), 0.0f); });
  }
}

}  // namespace mxinfer::kernels
