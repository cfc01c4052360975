// What every class that takes pictures does with them: decode, preprocess, run, and report which were wrong.
#pragma once

#include <mxinfer/predictor.h>
#include <mxinfer/vision/preprocess.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "api/picture_input.h"

namespace mxinfer::api {

class PictureFeed {
 public:
  /// Predictor::Impl::for_each of the predictor that runs the pictures.
  using ForEach = std::function<void(std::size_t count, const std::function<void(std::size_t)>& body,
                                     std::vector<ItemError>* errors)>;
  /// Picture i of a list, decoded.
  using ReadPicture = std::function<Image(std::size_t i)>;

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

  /// From files, from their bytes; both borrow the list.
  ReadPicture read_files(const std::vector<std::string>& paths) const;
  ReadPicture decode_all(Span<const ByteSpan> encoded) const;

  /// The network's input for pictures; Error(unsupported) for a model that resizes pictures itself.
  Tensor preprocess(const Model& model, Span<const Image> images, const ForEach& for_each,
                    std::vector<ItemError>* errors) const;
  /// All outputs; rows of pictures that are wrong mean nothing, and there are none where all are wrong.
  std::vector<Tensor> run(const Predictor& predictor, Span<const Image> images, const ForEach& for_each,
                          std::vector<ItemError>* errors) const;

 private:
  ImageOptions options_;
  PictureInput picture_;
  DecodeOptions decode_;
};

/// The loops of a predictor's threads.
PictureFeed::ForEach threads_of(const Predictor& predictor);

/// Tells a predictor, and copies of it, what shapes its pictures give and how to warm up: with one picture.
void run_as_pictures(const Predictor& predictor, std::shared_ptr<const PictureFeed> feed);

/// Reads the pictures of a list: images[i] is empty where errors says why.
std::vector<Image> read_each(std::size_t count, const PictureFeed::ReadPicture& read,
                             const PictureFeed::ForEach& for_each, std::vector<ItemError>* errors);

/// The errors from `second` on are of some pictures, those from `first` on of all: brings both together.
void renumber(std::vector<ItemError>& errors, std::size_t first, std::size_t second,
              const std::vector<std::size_t>& positions);

/// Reads pictures and hands them to `batch`, which gives a row for each; the rows of those that cannot be
/// read are empty, where `errors` are wanted.
template <typename Row, typename Batch>
std::vector<Row> run_each(std::size_t count, const PictureFeed::ReadPicture& read,
                          const PictureFeed::ForEach& for_each, std::vector<ItemError>* errors,
                          const Batch& batch) {
  const std::size_t before = errors == nullptr ? 0 : errors->size();
  const std::vector<Image> images = read_each(count, read, for_each, errors);
  if (errors == nullptr || errors->size() == before) return batch(Span<const Image>(images), errors);

  std::vector<Image> readable;
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < images.size(); ++i) {
    if (images[i].empty()) continue;
    readable.push_back(images[i]);
    positions.push_back(i);
  }
  const std::size_t known = errors->size();
  std::vector<Row> found = batch(Span<const Image>(readable), errors);
  std::vector<Row> rows(count);
  for (std::size_t i = 0; i < found.size(); ++i) rows[positions[i]] = std::move(found[i]);
  renumber(*errors, before, known, positions);
  return rows;
}

}  // namespace mxinfer::api
