// What every class that takes pictures does before it runs them: reads, preprocesses, and reports which were
// wrong.
#pragma once

#include <mxinfer/item_error.h>
#include <mxinfer/model.h>
#include <mxinfer/signature.h>
#include <mxinfer/vision/preprocess.h>

#include <string>
#include <vector>

#include "api/picture_input.h"
#include "runtime/batch_runner.h"

namespace mxinfer::api {

class PictureFeed {
 public:
  /// Throws as picture_input().
  PictureFeed(const Model& model, const ImageOptions& options);

  const PictureInput& picture() const { return picture_; }
  const ImageOptions& options() const { return options_; }
  const DecodeOptions& decode() const { return decode_; }

  /// The input's shape where pictures are preprocessed here, with a batch of 1; else nothing.
  std::vector<NamedShape> network_shapes(const Model& model) const;
  /// A picture to warm up with: of the size of `input`, where the model takes pictures of any, else 640 x
  /// 480.
  Image blank_picture(const Shape& input) const;

  /// Pictures from files, from their bytes; those that cannot be read are empty, where `errors` are wanted.
  std::vector<Image> read_files(const std::vector<std::string>& paths, runtime::BatchRunner& runner,
                                std::vector<ItemError>* errors) const;
  std::vector<Image> decode_all(Span<const ByteSpan> encoded, runtime::BatchRunner& runner,
                                std::vector<ItemError>* errors) const;

  /// The network's input for pictures; Error(unsupported) for a model that resizes pictures itself.
  Tensor preprocess(const Model& model, Span<const Image> images, runtime::BatchRunner& runner,
                    std::vector<ItemError>* errors) const;
  /// Pictures as a model that resizes them itself takes them.
  struct Items {
    std::vector<Tensor> floats;  ///< what views are of, where the model takes floats
    std::vector<TensorView> views;
  };
  Items items(Span<const Image> images) const;

 private:
  ImageOptions options_;
  PictureInput picture_;
  DecodeOptions decode_;
};

}  // namespace mxinfer::api
