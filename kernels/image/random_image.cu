#include "kernels/cuda/dispatch.h"
#include "kernels/cuda/line.h"
#include "kernels/image/effect_device.h"
#include "kernels/image/random_image_cuda.h"

namespace mxinfer::kernels::cuda {
namespace {

constexpr int kBlock = 256;

struct RunSmem {
  std::uint64_t run;
};

/// The key of this run, for all threads of the only block.
__device__ __forceinline__ std::uint64_t next_run(const RandomRuns& runs) {
  RunSmem& smem = simt::shared_memory<RunSmem>();
  if (threadIdx.x == 0) smem.run = combine_keys(runs.key, atomicAdd(runs.count, 1ull));
  __syncthreads();
  return smem.run;
}

// ---- Windows

/// By one block.
__global__ void __launch_bounds__(kBlock)
    draw_windows(RandomWindows args, RandomRuns runs, ImageWindow* windows) {
  const std::uint64_t run = next_run(runs);
  for (std::int64_t i = threadIdx.x; i < args.images; i += kBlock) {
    RandomDraws draws(combine_keys(run, static_cast<std::uint64_t>(i)));
    ImageWindow window{};
    if (args.moves) {
      const double across = draws.uniform(args.x_low, args.x_high);
      const double down = draws.uniform(args.y_low, args.y_high);
      window.x = static_cast<std::int64_t>(across * static_cast<double>(args.src_width - args.width));
      window.y = static_cast<std::int64_t>(down * static_cast<double>(args.src_height - args.height));
    } else {
      window.turned = draws.unit() < 0.5;
    }
    windows[i] = window;
  }
}

/// A thread has an element of dst, `count` in all.
template <typename T, typename Index>
__global__ void __launch_bounds__(kBlock)
    move_windows(RandomWindows args, Index count, const ImageWindow* windows, const T* src, T* dst) {
  const auto channels = static_cast<Index>(args.channels), width = static_cast<Index>(args.width),
             height = static_cast<Index>(args.height);
  for (Index i = static_cast<Index>(simt::first_index()); i < count;
       i += static_cast<Index>(simt::grid_step())) {
    const Index pixel = i / channels, row = pixel / width, image = row / height;
    const ImageWindow window = windows[image];
    std::int64_t x = pixel % width, y = row % height;
    if (window.turned && args.mirrors) x = args.width - 1 - x;
    if (window.turned && args.flips) y = args.height - 1 - y;
    const std::int64_t at =
        (std::int64_t{image} * args.src_height + window.y + y) * args.src_width + window.x + x;
    dst[i] = src[at * channels + i % channels];
  }
}

// ---- Effects

/// By one block.
__global__ void __launch_bounds__(kBlock)
    draw_effect_lists(EffectDraws of, RandomRuns runs, std::int64_t images, ImageEffects* lists) {
  const std::uint64_t run = next_run(runs);
  for (std::int64_t i = threadIdx.x; i < images; i += kBlock) {
    RandomDraws draws(combine_keys(run, static_cast<std::uint64_t>(i)));
    lists[i] = draw_effects(of, draws);
  }
}

/// A block for each image whose effect `at` is contrast: what follows from the mean of src.
template <typename T>
__global__ void __launch_bounds__(kLineBlock)
    find_means(ChangedImages args, int at, const T* src, ImageEffects* lists) {
  LineSmem& smem = simt::shared_memory<LineSmem>();
  for (std::int64_t image = blockIdx.x; image < args.images; image += gridDim.x) {
    ImageEffects& list = lists[image];
    const bool wanted = at < list.count && list.effects[at].kind == ImageEffect::Kind::contrast;
    if (!wanted) continue;
    const T* pixels = src + image * args.pixels * args.channels;
    float sum = 0;
    for (std::int64_t i = threadIdx.x; i < args.pixels; i += kLineBlock)
      sum += grey_sum(pixels + i * args.channels, args.channels);
    sum = line_sum<kLineBlock>(smem, sum);
    if (threadIdx.x == 0) {
      const float mean = simt::div_rn(sum, static_cast<float>(args.pixels));
      list.effects[at].offset = simt::mul_rn(simt::sub_rn(1.0f, list.effects[at].amount), mean);
    }
  }
}

/// Effect `at` of each image, a thread for each pixel of `count`. The first one moves images that have none.
template <typename T, typename Index>
__global__ void __launch_bounds__(kBlock)
    apply_effects(ChangedImages args, Index count, int at, const ImageEffects* lists, const T* src, T* dst) {
  for (Index i = static_cast<Index>(simt::first_index()); i < count;
       i += static_cast<Index>(simt::grid_step())) {
    const ImageEffects& list = lists[i / static_cast<Index>(args.pixels)];
    const T* from = src + i * args.channels;
    T* to = dst + i * args.channels;
    if (at < list.count) {
      change_pixel(list.effects[at], args.channels, from, to);
    } else if (from != to) {
      for (std::int64_t c = 0; c < args.channels; ++c) to[c] = from[c];
    }
  }
}

template <typename T>
Status change_images(const ChangedImages& args, const EffectDraws& draws, const RandomRuns& runs,
                     const void* given, void* result, ImageEffects* lists, const Stream& stream) {
  Status status = simt::launch(draw_effect_lists, dim3(1), kBlock, sizeof(RunSmem), stream, draws, runs,
                               args.images, lists);
  const auto* src = static_cast<const T*>(given);
  auto* dst = static_cast<T*>(result);
  for (int at = 0; at < draws.most() && status == kSuccess; ++at) {
    if (draws.needs_mean()) {
      status = simt::launch(find_means<T>, simt::grid_for(args.images, 1), kLineBlock, sizeof(LineSmem),
                            stream, args, at, src, lists);
    }
    const std::int64_t count = args.images * args.pixels;
    if (status == kSuccess) {
      status = with_index(count, [&](auto index) {
        using Index = decltype(index);
        return simt::launch(apply_effects<T, Index>, simt::grid_for(count, kBlock), kBlock, 0, stream, args,
                            static_cast<Index>(count), at, static_cast<const ImageEffects*>(lists), src, dst);
      });
    }
    src = dst;
  }
  return status;
}

}  // namespace

Status random_windows(const RandomWindows& args, const RandomRuns& runs, std::size_t element_bytes,
                      const void* src, void* dst, void* scratch, const Stream& stream) {
  auto* windows = Scratch(scratch).take<ImageWindow>(args.images);
  const Status status =
      simt::launch(draw_windows, dim3(1), kBlock, sizeof(RunSmem), stream, args, runs, windows);
  if (status != kSuccess) return status;
  const std::int64_t count = args.images * args.height * args.width * args.channels;
  return with_element(element_bytes, [&](auto element) {
    return with_index(count, [&](auto index) {
      using T = decltype(element);
      using Index = decltype(index);
      return simt::launch(move_windows<T, Index>, simt::grid_for(count, kBlock), kBlock, 0, stream, args,
                          static_cast<Index>(count), static_cast<const ImageWindow*>(windows),
                          static_cast<const T*>(src), static_cast<T*>(dst));
    });
  });
}

Status image_effects(const ChangedImages& args, const EffectDraws& draws, const RandomRuns& runs,
                     ElementType type, const void* src, void* dst, void* scratch, const Stream& stream) {
  auto* lists = Scratch(scratch).take<ImageEffects>(args.images);
  return type == ElementType::uint8 ? change_images<std::uint8_t>(args, draws, runs, src, dst, lists, stream)
                                    : change_images<float>(args, draws, runs, src, dst, lists, stream);
}

}  // namespace mxinfer::kernels::cuda
