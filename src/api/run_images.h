// Images through a predictor: what the classes that take images have in common.
#pragma once

#include <mxinfer/predictor.h>

#include <memory>
#include <utility>
#include <vector>

#include "vision/image_feed.h"

namespace mxinfer::api {

/// The loops of a predictor's threads.
runtime::BatchRunner& batch_runner(const Predictor& predictor);

/// What brings images to the model of a predictor. Throws as ImageFeed().
ImageFeed make_feed(const Predictor& predictor, const ImageOptions& options);

/// All outputs; rows of images that are wrong mean nothing, and there are none if all are wrong.
std::vector<Tensor> run_images(const Predictor& predictor, const ImageFeed& feed, Span<const Image> images,
                               std::vector<ItemError>* errors);

/// Lets a predictor, and copies of it, know that it takes images: their shapes, and how to warm up.
void take_images(const Predictor& predictor, std::shared_ptr<const ImageFeed> feed);

/// Runs one image, for warmup. Precondition: take_images().
void warm_up_with_image(const Predictor& predictor);

/// The last errors, from `second` on, are of the images at `positions` only: numbers them as in the whole
/// list, and brings those from `first` on into its order.
void renumber(std::vector<ItemError>& errors, std::size_t first, std::size_t second,
              const std::vector<std::size_t>& positions);

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
