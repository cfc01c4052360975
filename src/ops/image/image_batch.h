// _mxinfer_image_batch: uint8 images of any sizes become one batch on a GPU, each as an _mxinfer_image_chain
// makes it. They are packed into one block of memory, with the tables of their resizes, so that one copy
// takes all of them to the device (kernels/image_chain/image_batch_cuda.h).
//
//   const PackedImages packed(chain.attrs, images);                  // (height, width, channels) each
//   graph::Node node = image_batch_node(chain, packed.like(), {images});
//   packed.write(i, memory);                                         // packed.bytes(), for each i
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "graph/graph.h"
#include "kernels/image_chain/image_batch_cuda.h"
#include "ops/image/image_chain.h"

namespace mxinfer::ops {

/// What a chain does to images like `like`, (height, width, channels): every image of a batch gives such
/// values. `images`: their number.
ImageChain image_batch_chain(const Attrs& attrs, std::int64_t images);

/// A node with the input `packed`, uint8 of (images, bytes of each on average).
graph::Node image_batch_node(const graph::Node& chain, const Shape& like, graph::Value packed);

class PackedImages {
 public:
  static constexpr std::size_t kMostImages = 65535;

  /// `chain`: the attributes of an _mxinfer_image_chain. Throws Error(invalid_argument) for images that it
  /// does not fit, that are not uint8, or that do not become values of one type.
  PackedImages(const Attrs& chain, std::vector<TensorView> images);

  const TensorType& row() const { return row_; }  ///< of one image: (1, ...)
  const Shape& like() const { return images_.at(0).shape(); }
  std::size_t bytes() const { return bytes_; }
  /// Writes one image with what belongs to it; those of others may be written at the same time.
  void write(std::size_t image, std::byte* memory) const;

 private:
  /// What images of one size have in common. Offsets of tables are from `at`.
  struct Size {
    kernels::cuda::PackedImage record{};
    std::vector<std::byte> tables{};
    std::size_t at = 0;     ///< offset of the tables in the packed memory
    std::size_t first = 0;  ///< the image that brings the tables
  };
  struct Place {
    const Size* size;
    std::size_t pixels;  ///< their offset in the packed memory
  };

  Size size_of(const ImageChain& chain) const;

  std::vector<TensorView> images_;
  TensorType row_;
  std::map<std::vector<std::int64_t>, Size> sizes_;
  std::vector<Place> places_;
  std::size_t bytes_ = 0;
};

}  // namespace mxinfer::ops
