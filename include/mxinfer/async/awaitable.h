// co_await for predictions: a coroutine is suspended until its prediction has ended. This header needs C++20,
// which the rest of the library does not. Without C++20 it is empty.
#pragma once

#include <mxinfer/async/prediction.h>
#include <mxinfer/export.h>

#if defined(__cpp_impl_coroutine)
#include <coroutine>
#include <utility>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// The awaiter of a prediction.
///
///   task<void> answer(Client& client, mxinfer::ImageClassifier& classifier) {
///     auto best = co_await classifier.classify_bytes_async(co_await client.read_body(), 5);
///     co_await client.write(best);
///   }
///
/// The coroutine receives the result, or what get() throws. It resumes on the thread that ended the
/// prediction, usually a worker of the queue, and blocks that thread until it is suspended again. Move long
/// work to a thread of your own.
template <typename T>
class PredictionAwaiter final : private detail::Continuation {
 public:
  explicit PredictionAwaiter(Prediction<T> prediction) noexcept : prediction_(std::move(prediction)) {}
  /// Returns true for an empty handle, so that the coroutine is not suspended and await_resume() throws as
  /// get().
  [[nodiscard]] bool await_ready() const noexcept { return !prediction_.valid() || prediction_.ready(); }
  bool await_suspend(std::coroutine_handle<> coroutine) noexcept {
    coroutine_ = coroutine;
    return prediction_.state()->then(*this);
  }
  T await_resume() { return prediction_.get(); }

 private:
  void request_ended() noexcept override { coroutine_.resume(); }
  Prediction<T> prediction_;
  std::coroutine_handle<> coroutine_{};
};

/// Waits for a prediction.
template <typename T>
[[nodiscard]] PredictionAwaiter<T> operator co_await(Prediction<T>&& prediction) noexcept {
  return PredictionAwaiter<T>(std::move(prediction));
}

}  // namespace MXINFER_ABI
}  // namespace mxinfer

#endif
