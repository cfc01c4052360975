// Parameter: the value of a model's parameter, in memory or read on demand. Weights are packed once and not
// needed afterwards: those of a file are read when they are packed, so memory never holds all of them beside
// their packed forms.
//
//   Parameter weight(DType::float32, {64, 3, 7, 7}, [=](void* dst) { file->read(at, dst, bytes); });
//   weight.shape();                                       // known without reading
//   std::shared_ptr<const Tensor> value = weight.value();   // reads
#pragma once

#include <mxinfer/tensor.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

namespace mxinfer {

/// Immutable. Every function may be called from several threads at once.
class Parameter {
 public:
  /// Writes all elements to dst; may be called at any time, on any thread, and may throw.
  using Fill = std::function<void(void* dst)>;
  /// Whether a Fill can run without waiting, as for bytes that are still being fetched. The same rules as for
  /// Fill.
  using AtHand = std::function<bool()>;

  explicit Parameter(Tensor value);
  /// The value is what `fill` writes, the same at every call. Without `at_hand`, it never waits.
  Parameter(DType dtype, const Shape& shape, Fill fill, AtHand at_hand = nullptr);

  DType dtype() const noexcept { return dtype_; }
  const Shape& shape() const noexcept { return shape_; }
  std::int64_t elements() const noexcept { return elements_; }
  std::size_t bytes() const noexcept { return static_cast<std::size_t>(elements_) * size_of(dtype_); }
  /// Whether value() costs nothing.
  bool in_memory() const noexcept { return fill_ == nullptr; }
  /// Whether value() can return without waiting for bytes that are still being fetched.
  bool is_at_hand() const { return at_hand_ == nullptr || at_hand_(); }

  /// The whole value. If it is not in memory, it is read, shared by all callers meanwhile, and released with
  /// the last pointer returned.
  std::shared_ptr<const Tensor> value() const;
  /// The largest magnitude of the elements, infinity or NaN if there is one; 0 without elements. Found at the
  /// first call, which reads the value. Precondition: float32.
  float largest_magnitude() const;
  /// Writes all elements to dst, of bytes() bytes.
  void copy_to(void* dst) const;
  /// The value for modification: its own memory if only `parameter` holds it, otherwise a copy.
  static Tensor take(std::shared_ptr<const Parameter> parameter);

 private:
  DType dtype_;
  Shape shape_;
  std::int64_t elements_;
  Fill fill_;
  AtHand at_hand_;
  std::shared_ptr<Tensor> held_;  ///< if it is in memory
  mutable std::mutex mutex_;      ///< guards made_
  mutable std::weak_ptr<const Tensor> made_;
  mutable std::atomic<float> largest_{-1.0f};  ///< below 0: not found yet
};

/// As Node::constant holds it.
std::shared_ptr<const Parameter> make_parameter(Tensor value);

}  // namespace mxinfer
