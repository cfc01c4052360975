// ViewList: a function parameter that is a list of arrays. Pass {a, b}, or a vector, array or span of
// anything that converts to the view.
//
//   std::vector<mxinfer::Tensor> inputs = read_batch();
//   predictor.predict(inputs);                      // ViewList<TensorView>, also called TensorViews
//   predictor.predict_flat<float>({left, right});   // ViewList<Span<const float>>
//
// Use it for parameters only: it borrows the arrays and is valid until the call returns.
#pragma once

#include <mxinfer/error.h>
#include <mxinfer/export.h>
#include <mxinfer/span.h>

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// A list of views of arrays that the caller owns.
template <typename View>
class ViewList {
 public:
  ViewList() noexcept = default;
  ViewList(std::initializer_list<View> list) : ViewList() { copy(list.begin(), list.size()); }

  /// Converts anything with begin(), end() and size() whose elements convert to views. If the elements are
  /// consecutive views already, nothing is copied.
  template <typename List, typename Element = decltype(*std::begin(std::declval<List&>())),
            typename = decltype(std::size(std::declval<List&>())),
            typename =
                std::enable_if_t<!std::is_same_v<std::decay_t<List>, ViewList> &&
                                 std::is_lvalue_reference_v<Element> && std::is_convertible_v<Element, View>>>
  ViewList(List&& list) : ViewList() {
    if constexpr (std::is_convertible_v<List&, Span<const View>>) {
      borrowed_ = Span<const View>(list);
      size_ = borrowed_.size();
    } else {
      copy(std::begin(list), std::size(list));
    }
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] const View* data() const noexcept {
    if (borrowed_.data() != nullptr) return borrowed_.data();
    return heap_.empty() ? local_ : heap_.data();
  }
  [[nodiscard]] const View* begin() const noexcept { return data(); }
  [[nodiscard]] const View* end() const noexcept { return data() + size_; }
  [[nodiscard]] const View& operator[](std::size_t i) const noexcept { return data()[i]; }
  [[nodiscard]] Span<const View> span() const noexcept { return {data(), size_}; }

 private:
  template <typename Iterator>
  void copy(Iterator first, std::size_t count) try {
    size_ = count;
    if (count > kInPlace) heap_.reserve(count);
    for (std::size_t i = 0; i < count; ++i, ++first) {
      if (count > kInPlace) {
        heap_.push_back(*first);
      } else {
        local_[i] = *first;
      }
    }
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, "the memory for a list of views was refused");
  }

  // Lists of up to this many views need no allocation.
  static constexpr std::size_t kInPlace = 4;
  Span<const View> borrowed_{};
  std::size_t size_ = 0;
  View local_[kInPlace] = {};
  std::vector<View> heap_{};
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
