// What is submitted to a queue for a future of Python: the inputs are held until it has ended.
//
//   std::vector<HeldArray> inputs = ...;
//   return submit<std::vector<Tensor>>(future, std::move(inputs),
//                                      [&](const auto& held) { return predictor.predict_async(views_of(held), options); });
#pragma once

#include <mxinfer/async/prediction.h>
#include <nanobind/nanobind.h>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "arrays.h"
#include "calls.h"
#include "completions.h"
#include "records.h"

namespace mxinfer::python {

/// Cancels what was submitted.
class Submitted {
 public:
  explicit Submitted(mxinfer::detail::Request& request) : request_(&request) { request.retain(); }
  /// Whether it had not started; then it never will.
  [[nodiscard]] bool cancel() const {
    const WithoutGil released(WithoutGil::AtExit::allow);
    return request_->cancel();
  }

 private:
  std::unique_ptr<mxinfer::detail::Request, mxinfer::detail::Release> request_;
};

inline nanobind::object to_python(std::vector<Tensor> tensors) {
  nanobind::list list;
  for (Tensor& tensor : tensors) list.append(to_numpy(std::move(tensor)));
  return list;
}

/// A Prediction<T>, and what it reads from and writes to.
template <typename T, typename Held>
class PendingOf final : public Pending {
 public:
  PendingOf(nanobind::object future, Held held) : Pending(std::move(future)), held_(std::move(held)) {}

  template <typename Submit>
  void submit(Submit&& function) {
    const WithoutGil released;
    prediction_ = function(std::as_const(*held_));
  }
  [[nodiscard]] mxinfer::detail::Request* request() const noexcept override { return prediction_.state(); }
  nanobind::object take_result() override {
    held_.reset();
    if constexpr (std::is_void_v<T>) {
      prediction_.get();
      return nanobind::none();
    } else {
      return to_python(prediction_.get());
    }
  }

 private:
  std::optional<Held> held_;
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
  Submitted submitted(*pending->request());
  completions().watch(std::move(pending));
  return submitted;
}

}  // namespace mxinfer::python
