// The C++ objects behind the addresses that Java has: those in handles of the C interface, and those of
// classes that the C interface lacks.
#pragma once

#include <jni.h>
#include <mxinfer/predictor.h>
#include <mxinfer/settings.h>

#include <atomic>
#include <utility>
#include <vector>

#include "c_api/handles.h"
#include "support.h"

namespace mxinfer::jni {

inline const Model& model_at(jlong address) {
  return object<const mxinfer_model>(address)->model;
}

inline const Predictor& predictor_at(jlong address) {
  return object<const mxinfer_predictor>(address)->predictor;
}

/// Those of the caller, or the defaults.
inline Settings settings_of(const Options& options) {
  return options.get() == nullptr ? Settings() : options.get()->settings;
}

/// A predictor of a class that the C interface lacks, and the handle of its base.
class Derived {
 public:
  explicit Derived(const Predictor& predictor) : base_{predictor} {}
  virtual ~Derived() = default;
  Derived(const Derived&) = delete;
  Derived& operator=(const Derived&) = delete;
  [[nodiscard]] const mxinfer_predictor* base() const { return &base_; }

 private:
  mxinfer_predictor base_;
};

template <typename T>
class DerivedOf final : public Derived {
 public:
  explicit DerivedOf(const T& self) : Derived(self), self_(self) {}
  ~DerivedOf() override {
    if (is_lent_) end_queue();
  }
  DerivedOf(const DerivedOf&) = delete;
  DerivedOf& operator=(const DerivedOf&) = delete;
  [[nodiscard]] const T& self() const { return self_; }
  /// The same for work that is submitted to its queue: the object goes when that has ended.
  [[nodiscard]] const T& lent() const {
    is_lent_ = true;
    return self_;
  }

 private:
  void end_queue() noexcept { self_.queue().shut_down(); }
  T self_;
  mutable std::atomic<bool> is_lent_ = false;
};

template <typename T>
const T& derived_at(jlong address) {
  return static_cast<const DerivedOf<T>*>(object<const Derived>(address))->self();
}

/// For work that is submitted to its queue.
template <typename T>
const T& lent_at(jlong address) {
  return static_cast<const DerivedOf<T>*>(object<const Derived>(address))->lent();
}

template <typename T>
jlong give_derived(const T& self) {
  return address_of(static_cast<Derived*>(new DerivedOf<T>(self)));
}

/// An object that Java frees by itself.
template <typename T>
jlong give(T object) {
  return address_of(new T(std::move(object)));
}

/// Tensors as the handle that Java copies them from and frees.
inline jlong give_tensors(const Model& model, std::vector<Tensor> list) {
  return address_of(new mxinfer_tensors{model, std::move(list), {}});
}

}  // namespace mxinfer::jni
