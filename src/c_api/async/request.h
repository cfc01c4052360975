// mxinfer_request: a prediction of any kind, with the callback that is called when it has ended.
#pragma once

#include <mxinfer/async/prediction.h>
#include <mxinfer/classifier.h>
#include <mxinfer/model.h>
#include <mxinfer/vision/detections.h>
#include <mxinfer/vision/image_segmenter.h>
#include <mxinfer_c/async.h>

#include <atomic>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "c_api/call.h"

namespace mxinfer::c_api {

/// By the work: predict_into and work of the caller, predict, classify, detect, segment.
using AnyPrediction =
    std::variant<Prediction<void>, Prediction<std::vector<Tensor>>, Prediction<std::vector<Classification>>,
                 Prediction<std::vector<Detection>>, Prediction<Segmentation>>;

}  // namespace mxinfer::c_api

struct mxinfer_request final : private mxinfer::detail::Continuation {
 public:
  explicit mxinfer_request(std::optional<mxinfer::Model> of = std::nullopt) : model(std::move(of)) {}

  /// Calls back when the prediction has ended, at once if it has; the request may be gone afterwards.
  void call_when_done(mxinfer_done_fn on_done, void* user);
  [[nodiscard]] bool calls_back() const noexcept { return on_done_ != nullptr; }
  [[nodiscard]] mxinfer::detail::Request* state() const noexcept;
  /// The caller frees it.
  void release() noexcept;

  mxinfer::c_api::AnyPrediction prediction;
  std::optional<mxinfer::Model> model;  ///< for the names of outputs

 private:
  void request_ended() noexcept override;

  mxinfer_done_fn on_done_ = nullptr;
  void* user_ = nullptr;
  enum class Callback { pending, called, dropped };
  std::atomic<Callback> callback_{Callback::pending};
};

namespace mxinfer::c_api {

/// NULL stands for all zeros.
mxinfer_submit_options read_submit_options(const mxinfer_submit_options* options);
SubmitOptions submit_options_of(const mxinfer_submit_options& options);

/// Runs submit(request, given, options), which sets request.prediction, and writes *out before anything is
/// called back.
template <typename Submit>
void submit_request(mxinfer_request** out, const mxinfer_submit_options* options, std::optional<Model> model,
                    Submit submit) {
  mxinfer_request*& handle = need(out, "out");
  const mxinfer_submit_options given = read_submit_options(options);
  auto request = std::make_unique<mxinfer_request>(std::move(model));
  submit(*request, given, submit_options_of(given));
  handle = request.release();
  if (given.on_done != nullptr) handle->call_when_done(given.on_done, given.user);
}

}  // namespace mxinfer::c_api
