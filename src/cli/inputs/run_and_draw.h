// Reads each image once, to run the model on it and to draw the result.
//
//   return run_and_draw<Found>(opener, images, errors, find, [&](const std::string& place, ByteSpan file, Found& found) {
//     write_image(draw(decode_image(file), found.objects), names.next(place));
//   });
#pragma once

#include <mxinfer/byte_span.h>
#include <mxinfer/error.h>
#include <mxinfer/item_error.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "cli/inputs/image_run.h"
#include "sources/opener.h"

namespace mxinfer::cli {

/// The error without its "image 3 › ": here images have names.
inline Error without_position(const ItemError& error) {
  const std::string message = error.error.what(), position = "image " + std::to_string(error.item) + " › ";
  const bool is_in_front = message.rfind(position, 0) == 0;
  return is_in_front ? Error(error.error.code(), message.substr(position.size())) : error.error;
}

/// find(files, errors) returns a Result for the bytes of each file; draw(place, file, result) is called for
/// each valid one. Returns a Result for each place. Images that cannot be read or run, and pictures that
/// cannot be written, are reported in `errors`.
template <typename Result, typename Find, typename Draw>
std::vector<Result> run_and_draw(const sources::Opener& opener, const ImageBatch& images,
                                 std::vector<ItemError>& errors, const Find& find, const Draw& draw) {
  const std::vector<std::string>& places = images.places;
  const auto attempt = [&](std::size_t item, const auto& body) {
    try {
      body();
    } catch (const Error& e) {
      errors.push_back({item, e});
    }
  };
  std::vector<std::vector<std::byte>> held(places.size());
  std::vector<ByteSpan> files;
  std::vector<std::size_t> read;  // which of the places they are
  for (std::size_t i = 0; i < places.size(); ++i) {
    attempt(i, [&] {
      if (images.files.empty()) held[i] = opener.read(places[i]);
      files.push_back(images.files.empty() ? ByteSpan(held[i]) : images.files[i]);
      read.push_back(i);
    });
  }
  std::vector<ItemError> wrong;
  std::vector<Result> results = find(files, wrong);
  std::vector<char> is_wrong(files.size(), 0);
  for (const ItemError& error : wrong) {
    is_wrong[error.item] = 1;
    errors.push_back({read[error.item], without_position(error)});
  }
  std::vector<Result> found(places.size());
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (is_wrong[i] != 0) continue;
    found[read[i]] = std::move(results[i]);
    attempt(read[i], [&] { draw(places[read[i]], files[i], found[read[i]]); });
  }
  return found;
}

}  // namespace mxinfer::cli
