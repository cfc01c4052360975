// Changes of images on a GPU that are drawn at random: which part of an image is taken, whether it is turned
// over, and effects of colour. The GPU draws the numbers itself, with those of the CPU (RandomDraws), and
// counts the runs: recorded work that is replayed draws new ones.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/common/element_type.h"
#include "kernels/cuda/scratch.h"
#include "kernels/cuda/stream.h"
#include "kernels/image/effect_draws.h"

namespace mxinfer::kernels::cuda {

/// Image i of run n draws from RandomDraws(combine_keys(combine_keys(key, n), i)).
struct RandomRuns {
  std::uint64_t key = 0;
  unsigned long long* count = nullptr;  ///< of the runs so far, in device memory; each adds one
};

/// Windows of height x width pixels of (images, src_height, src_width, channels) become dst.
struct RandomWindows {
  std::int64_t images = 1, channels = 1;
  std::int64_t src_height = 1, src_width = 1, height = 1, width = 1;
  bool mirrors = false, flips = false;  ///< each image with probability 1/2; not both, nor with a place
  bool moves = false;                   ///< a window's corner: a share of what is free, drawn from these
  float x_low = 0, x_high = 0, y_low = 0, y_high = 0;
};

/// What is drawn for an image: the corner of its window, and whether that is turned over.
struct ImageWindow {
  std::int64_t x, y;
  bool turned;
};

/// Of elements of 1, 2, 4 or 8 bytes.
Status random_windows(const RandomWindows& args, const RandomRuns& runs, std::size_t element_bytes,
                      const void* src, void* dst, void* scratch, const Stream& stream);
inline std::size_t random_windows_scratch(std::int64_t images) {
  Scratch scratch(nullptr);
  scratch.take<ImageWindow>(images);
  return scratch.bytes();
}

/// (images, pixels, channels) of 1 or 3 channels.
struct ChangedImages {
  std::int64_t images = 1, pixels = 1, channels = 3;
};

/// Of uint8 or float32; dst may be src. With the bits of the CPU, but for the roundings of means and of light
/// that is drawn.
Status image_effects(const ChangedImages& args, const EffectDraws& draws, const RandomRuns& runs,
                     ElementType type, const void* src, void* dst, void* scratch, const Stream& stream);
inline std::size_t image_effects_scratch(std::int64_t images) {
  Scratch scratch(nullptr);
  scratch.take<ImageEffects>(images);
  return scratch.bytes();
}

}  // namespace mxinfer::kernels::cuda
