// Runs images through a predictor: shared by the classes for images.
#pragma once

#include <mxinfer/predictor.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/core/item_errors.h"
#include "api/core/predictor_call.h"
#include "sources/address.h"
#include "vision/images/image_feed.h"

namespace mxinfer::api {

/// The loops of a predictor's threads.
runtime::BatchRunner& batch_runner(const Predictor& predictor);

/// Prepares images for the model of a predictor. Throws as ImageFeed().
ImageFeed make_feed(const Predictor& predictor, const ImageOptions& options,
                    ImageFeed::DecodesFor decodes_for = ImageFeed::DecodesFor::caller);

/// Predicts any number of rows, each an independent sample; pads batches for a network that accepts only one
/// size.
std::vector<Tensor> predict_rows(const Predictor& predictor, Span<const TensorView> rows);

/// All outputs; rows of invalid images are meaningless, and there are no outputs if all are invalid.
std::vector<Tensor> run_images(const Predictor& predictor, const ImageFeed& feed, Span<const Image> images,
                               std::vector<ItemError>* errors);
/// The same for rows that were made of images, of which there must be one.
std::vector<Tensor> run_image_rows(const Predictor& predictor, const Tensor& rows);
/// Whether images need not be kept: their rows are made here, on the CPU.
bool makes_rows(const Predictor& predictor, const ImageFeed& feed);

/// The images of a list of paths and addresses, or the error of the first unreadable one.
struct ReadImages {
  std::vector<Image> images;
  std::exception_ptr failure{};
};
/// Reads addresses ahead of decoding. Only decoding takes a place among the computing calls, so no place is
/// held while waiting for the network. With `errors`, unreadable images are empty.
ReadImages read_images(const Predictor& predictor, const ImageFeed& feed,
                       const std::vector<std::string>& places, std::vector<ItemError>* errors);

/// use(images) as a call, with the images of a list.
template <typename Use>
auto call_with_images(const Predictor& predictor, const ImageFeed& feed,
                      const std::vector<std::string>& places, std::vector<ItemError>* errors,
                      const Use& use) {
  if (std::none_of(places.begin(), places.end(), sources::is_remote))
    return as_call(predictor, [&] { return use(feed.read_files(places, batch_runner(predictor), errors)); });
  const ReadImages read = read_images(predictor, feed, places, errors);
  return as_call(predictor, [&] {
    if (read.failure) std::rethrow_exception(read.failure);
    return use(read.images);
  });
}

/// use(image) as a call, with the image at a path or an address, which is fetched before the call has a
/// place.
template <typename Use>
auto call_with_file(const Predictor& predictor, const ImageFeed& feed, const std::string& place,
                    const Use& use) {
  const sources::ReadFile read = feed.fetch(place);
  return as_call(predictor, [&] { return use(feed.decode_file(place, read)); });
}

/// use(image) as a call, with the image in the bytes of a file.
template <typename Use>
auto call_with_bytes(const Predictor& predictor, const ImageFeed& feed, ByteSpan encoded, const Use& use) {
  return as_call(predictor, [&] { return use(feed.decode_bytes(encoded)); });
}

/// use(images) as a call, with the images in the bytes of files. With `errors`, unreadable ones are empty.
template <typename Use>
auto call_with_bytes_list(const Predictor& predictor, const ImageFeed& feed, const ByteSpans& encoded,
                          std::vector<ItemError>* errors, const Use& use) {
  return as_call(predictor,
                 [&] { return use(feed.decode_all(encoded.span(), batch_runner(predictor), errors)); });
}

/// Tells a predictor and its copies that it takes images: their shapes, and how to warm up.
void take_images(const Predictor& predictor, std::shared_ptr<const ImageFeed> feed);

/// Runs one image, for warmup. Precondition: take_images().
void warm_up_with_image(const Predictor& predictor);

/// Passes the readable images to `batch`, which returns a row for each. The others, which are empty and last
/// in `errors`, get empty rows.
template <typename Row, typename Batch>
std::vector<Row> run_readable(const std::vector<Image>& images, std::vector<ItemError>* errors,
                              const Batch& batch) {
  std::vector<Image> readable;
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < images.size(); ++i) {
    if (images[i].empty()) continue;
    readable.push_back(images[i]);
    positions.push_back(i);
  }
  if (errors == nullptr || readable.size() == images.size()) return batch(Span<const Image>(images));

  const std::size_t known = errors->size();
  std::vector<Row> found = batch(Span<const Image>(readable));
  std::vector<Row> rows(images.size());
  for (std::size_t i = 0; i < found.size(); ++i) rows[positions[i]] = std::move(found[i]);
  renumber(*errors, known - (images.size() - readable.size()), known, positions);
  return rows;
}

}  // namespace mxinfer::api
