// Shared by the classes that take images: reads and preprocesses them, and reports invalid ones.
#pragma once

#include <mxinfer/item_error.h>
#include <mxinfer/model.h>
#include <mxinfer/signature.h>
#include <mxinfer/vision/preprocess.h>

#include <memory>
#include <string>
#include <vector>

#include "runtime/batch_runner.h"
#include "sources/opener.h"
#include "sources/read_ahead.h"
#include "vision/images/image_entry.h"
#include "vision/images/preprocessor.h"
#include "vision/images/wanted_part.h"

namespace mxinfer::api {

class ImageFeed {
 public:
  /// Who reads the pixels that are decoded here. For the transforms, only those that they need are computed,
  /// at the scale that the options allow.
  enum class DecodesFor { caller, transforms };
  /// Throws as image_entry(). `how` is for the plans of transforms, which `memory` counts.
  ImageFeed(const Model& model, const ImageOptions& options, const plan::PlanOptions& how,
            const std::shared_ptr<runtime::MemoryBudget>& memory,
            DecodesFor decodes_for = DecodesFor::caller);

  const ImageEntry& entry() const { return entry_; }
  const ImageOptions& options() const { return options_; }
  /// The transforms that are done here; null if the model resizes.
  const passes::ItemStage* stage() const { return preprocessor_ ? &preprocessor_->stage() : nullptr; }

  /// The input's shape if images are preprocessed here, with a batch of 1; else nothing.
  std::vector<NamedShape> network_shapes(const Model& model) const;
  /// An image to warm up with: of the size of `input`, if the model takes images of any, else 640 x 480.
  Image blank_image(const Shape& input) const;

  /// What opens addresses.
  const sources::Opener& opener() const { return *opener_; }
  /// Reads an address for decode_file(), which throws this function's errors. Reads nothing for a path.
  sources::ReadFile fetch(const std::string& place) const;
  /// The image of a path, or of the bytes read from an address.
  Image decode_file(const std::string& place, const sources::ReadFile& read) const;
  /// The image in the bytes of a file.
  Image decode_bytes(ByteSpan encoded) const;

  /// The image in the bytes of one of several files: its errors say which.
  Image decode_listed(Span<const ByteSpan> encoded, std::size_t i) const;

  /// Images that decode(i) returns, from files, from their bytes; those that cannot be read are empty, if
  /// `errors` are wanted. Precondition: no path is an address, but a file's.
  std::vector<Image> decode_all(std::size_t count, Preprocessor::ImageOf decode, runtime::BatchRunner& runner,
                                std::vector<ItemError>* errors) const;
  std::vector<Image> read_files(const std::vector<std::string>& paths, runtime::BatchRunner& runner,
                                std::vector<ItemError>* errors) const;
  std::vector<Image> decode_all(Span<const ByteSpan> encoded, runtime::BatchRunner& runner,
                                std::vector<ItemError>* errors) const;

  /// The network's input for images; Error(unsupported) for a model that resizes images itself.
  Tensor preprocess(const Model& model, Span<const Image> images, runtime::BatchRunner& runner,
                    std::vector<ItemError>* errors) const;
  /// The network's input for the images that image_of returns; those that it throws an error for have none.
  struct Rows {
    Tensor batch;
    std::vector<std::size_t> positions;  ///< of the images in the list
  };
  /// Images are read side by side, and few are in memory. Precondition: stage() is not null.
  Rows rows_of(std::size_t count, Preprocessor::ImageOf image_of, runtime::BatchRunner& runner,
               std::vector<ItemError>* errors) const;
  /// Images as a model that resizes them itself takes them: of its channels, their order and its dtype.
  struct Items {
    std::vector<Image> images;    ///< what views are of, or
    std::vector<Tensor> tensors;  ///< their pixels in another order or as floats
    std::vector<TensorView> views;
  };
  Items items(Span<const Image> images, runtime::BatchRunner& runner) const;

 private:
  ImageOptions options_;
  ImageEntry entry_;
  DecodeOptions decode_;
  WantedPart wanted_{};
  bool takes_bgr_ = false;  ///< of a model that resizes
  std::shared_ptr<const sources::Opener> opener_;
  std::unique_ptr<Preprocessor> preprocessor_;  ///< nullptr if the model resizes
};

}  // namespace mxinfer::api
