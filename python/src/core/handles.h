// The library's classes as Python holds them: what their destructors wait for may need the interpreter's
// lock.
#pragma once

#include <mxinfer/classifier.h>
#include <mxinfer/model.h>
#include <mxinfer/predictor.h>
#include <mxinfer/vision/image_classifier.h>
#include <mxinfer/vision/object_detector.h>

#include <memory>
#include <utility>

#include "core/calls.h"

namespace mxinfer::python {

template <typename T>
class Handle {
 public:
  explicit Handle(std::unique_ptr<T> object) noexcept : object_(std::move(object)) {}
  ~Handle() {
    if (object_ == nullptr) return;
    const WithoutGil released(WithoutGil::AtExit::allow);
    object_.reset();
  }
  Handle(Handle&& other) noexcept = default;
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  Handle& operator=(Handle&&) = delete;

  const T& operator*() const noexcept { return *object_; }
  const T* operator->() const noexcept { return object_.get(); }

 private:
  std::unique_ptr<T> object_;
};

using ModelHandle = Handle<Model>;

/// A predictor, and as what it was made: exactly one of the last three at most.
class PredictorHandle : public Handle<Predictor> {
 public:
  using Handle::Handle;
  template <typename T>
  [[nodiscard]] const T& as() const noexcept {
    return static_cast<const T&>(**this);
  }
};

struct ClassifierHandle : PredictorHandle {
  using PredictorHandle::PredictorHandle;
};
struct ImageClassifierHandle : ClassifierHandle {
  using ClassifierHandle::ClassifierHandle;
};
struct DetectorHandle : PredictorHandle {
  using PredictorHandle::PredictorHandle;
};
struct SegmenterHandle : PredictorHandle {
  using PredictorHandle::PredictorHandle;
};
struct KeypointHandle : PredictorHandle {
  using PredictorHandle::PredictorHandle;
};

}  // namespace mxinfer::python
