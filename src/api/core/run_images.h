// Images through a predictor: what the classes that take images have in common.
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

/// What brings images to the model of a predictor. Throws as ImageFeed().
ImageFeed make_feed(const Predictor& predictor, const ImageOptions& options);

/// Predicts rows, each of them a sample of its own, in any number: a network that takes batches of one size
/// alone gets them filled up.
std::vector<Tensor> predict_rows(const Predictor& predictor, Span<const TensorView> rows);

/// All outputs; rows of images that are wrong mean nothing, and there are none if all are wrong.
std::vector<Tensor> run_images(const Predictor& predictor, const ImageFeed& feed, Span<const Image> images,
                               std::vector<ItemError>* errors);

/// The images of a list of paths and addresses, or what the first that cannot be read threw.
struct ReadImages {
  std::vector<Image> images;
  std::exception_ptr failure{};
};
/// Addresses are read ahead of decoding, which takes its place among the calls that compute each time: none
/// waits for a network there. With `errors`, images that cannot be read are empty.
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

/// Lets a predictor, and copies of it, know that it takes images: their shapes, and how to warm up.
void take_images(const Predictor& predictor, std::shared_ptr<const ImageFeed> feed);

/// Runs one image, for warmup. Precondition: take_images().
void warm_up_with_image(const Predictor& predictor);

/// Hands those images to `batch` that could be read, which gives a row for each; the rows of the others,
/// which are empty and the last of `errors`, are empty.
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
