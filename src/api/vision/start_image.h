// StartedImage: a call with one image whose network runs on a device without a thread
// (api/async/started_call.h). The starting thread reads and preprocesses the image.
//
//   std::unique_ptr<StartedImage> started = start_bytes(classifier, {resume, argument}, encoded);   // null: classify
//   std::vector<Tensor> outputs = started->call.finish();                                          // behind resume()
#pragma once

#include <mxinfer/byte_span.h>
#include <mxinfer/predictor.h>
#include <mxinfer/vision/image.h>

#include <memory>
#include <string>

#include "api/async/started_call.h"
#include "base/function_ref.h"

namespace mxinfer::api {

struct StartedImage {
  StartedCall call;
  Size size;  ///< of the image

  bool has_stopped() noexcept { return call.has_stopped(); }
};

/// Null if the predictor, which takes images, runs on the CPU, or if the most calls already run without a
/// thread. Throws what the call would throw. Calls `image` once it has its place among the predictor's calls.
std::unique_ptr<StartedImage> start_image(const Predictor& predictor, Resume resume,
                                          FunctionRef<Image()> image);
/// The same of a path or an address, and of the bytes of a file.
std::unique_ptr<StartedImage> start_file(const Predictor& predictor, Resume resume, const std::string& place);
std::unique_ptr<StartedImage> start_bytes(const Predictor& predictor, Resume resume, ByteSpan encoded);

}  // namespace mxinfer::api
