// co_await for predictions: a coroutine sleeps until its prediction has ended. Needs C++20; the rest of the
// library does not, and without it this header is empty.
#pragma once

#include <mxinfer/async/prediction.h>
#include <mxinfer/export.h>

#if defined(__cpp_impl_coroutine)
#include <coroutine>
#include <utility>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// What co_await makes of a prediction.
///
///   task<void> answer(Client& client, mxinfer::ImageClassifier& classifier) {
///     auto best = co_await classifier.classify_bytes_async(co_await client.read_body(), 5);
///     co_await client.write(best);
///   }
///
/// The coroutine goes on on the thread that ended it, a worker of the
/// queue as a rule, and holds that up until it sleeps again: hand long work to a thread of your own. It gets
/// the result, or what get() throws.
template <typename T>
class PredictionAwaiter final : private detail::Continuation {
 public:
  explicit PredictionAwaiter(Prediction<T> prediction) noexcept : prediction_(std::move(prediction)) {}
  /// An empty handle does not sleep, and await_resume() throws what get() throws.
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

template <typename T>
[[nodiscard]] PredictionAwaiter<T> operator co_await(Prediction<T>&& prediction) noexcept {
  return PredictionAwaiter<T>(std::move(prediction));
}

}  // namespace MXINFER_ABI
}  // namespace mxinfer

#endif
