#include "kernels/pool_nd/adaptive_pool.h"

namespace mxinfer::kernels {
namespace {

struct Span {
  std::int64_t begin;
  std::int64_t end;
};

Span window(std::int64_t o, std::int64_t size, std::int64_t out) {
  return {o * size / out, ((o + 1) * size + out - 1) / out};
}

}  // namespace

template <typename T>
void adaptive_avg_pool(const AdaptivePoolArgs<T>& args, std::int64_t begin, std::int64_t end) {
  for (std::int64_t plane = begin; plane < end; ++plane) {
    const T* src = args.src + plane * args.height * args.width;
    T* dst = args.dst + plane * args.out_height * args.out_width;
    for (std::int64_t oy = 0; oy < args.out_height; ++oy) {
      const Span y = window(oy, args.height, args.out_height);
      for (std::int64_t ox = 0; ox < args.out_width; ++ox) {
        const Span x = window(ox, args.width, args.out_width);
        double sum = 0;
        for (std::int64_t iy = y.begin; iy < y.end; ++iy) {
          for (std::int64_t ix = x.begin; ix < x.end; ++ix)
            sum += static_cast<double>(src[iy * args.width + ix]);
        }
        const auto count = static_cast<double>((y.end - y.begin) * (x.end - x.begin));
        dst[oy * args.out_width + ox] = static_cast<T>(sum / count);
      }
    }
  }
}

template void adaptive_avg_pool(const AdaptivePoolArgs<float>&, std::int64_t, std::int64_t);
template void adaptive_avg_pool(const AdaptivePoolArgs<double>&, std::int64_t, std::int64_t);

}  // namespace mxinfer::kernels
