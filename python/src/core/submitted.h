// What is submitted to a queue for a future of Python: the inputs are held until it has ended.
//
//   std::vector<HeldArray> inputs = ...;
//   return submit<std::vector<Tensor>>(future, std::move(inputs),
//                                      [&](const auto& held) { return predictor.predict_async(views_of(held), options); });
//
// So is the predictor, which the future names as its owner: without it, what waits would be cancelled.
#pragma once

#include <mxinfer/async/prediction.h>
#include <nanobind/nanobind.h>

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/arrays.h"
#include "core/calls.h"
#include "core/completions.h"
#include "core/records.h"

namespace mxinfer::python {

/// Cancels what was submitted. Made, used and destroyed with the interpreter's lock.
class Submitted {
 public:
  /// `let_go` releases what it holds.
  Submitted(mxinfer::detail::Request& request, std::function<void()> let_go)
      : request_(&request), let_go_(std::move(let_go)) {
    request.retain();
  }
  /// Whether it had not started; then it never will, and what it held is let go of when this returns.
  [[nodiscard]] bool cancel() const {
    {
      const WithoutGil released(WithoutGil::AtExit::allow);
      if (!request_->cancel()) return false;
    }
    let_go_();
    return true;
  }

 private:
  std::unique_ptr<mxinfer::detail::Request, mxinfer::detail::Release> request_;
  std::function<void()> let_go_;
};

/// A Prediction<T>, and what it reads from and writes to.
template <typename T, typename Held>
class PendingOf final : public Pending {
 public:
  PendingOf(nanobind::object future, Held held)
      : Pending(std::move(future)),
        owner_(this->future().attr("_owner")),
        held_(std::make_shared<std::optional<Held>>(std::move(held))) {}

  template <typename Submit>
  void submit(Submit&& function) {
    const WithoutGil released;
    prediction_ = function(std::as_const(**held_));
  }
  [[nodiscard]] mxinfer::detail::Request* request() const noexcept override { return prediction_.state(); }
  [[nodiscard]] std::function<void()> let_go() const {
    return [held = held_] { held->reset(); };
  }
  nanobind::object take_result() override {
    held_->reset();
    if constexpr (std::is_void_v<T>) {
      prediction_.get();
      return nanobind::none();
    } else {
      return to_python(prediction_.get());
    }
  }

 private:
  nanobind::object owner_;
  std::shared_ptr<std::optional<Held>> held_;
  Prediction<T> prediction_{};
};

/// Calls function(held), which gives a Prediction<T>, and delivers its result to the future.
template <typename T, typename Held, typename Submit>
Submitted submit(nanobind::object future, Held held, Submit&& function) {
  auto pending = std::make_unique<PendingOf<T, Held>>(std::move(future), std::move(held));
  completions().expect(*pending);
  try {
    pending->submit(std::forward<Submit>(function));
  } catch (...) {
    completions().forget(*pending);
    throw;
  }
  Submitted submitted(*pending->request(), pending->let_go());
  completions().watch(std::move(pending));
  return submitted;
}

}  // namespace mxinfer::python
