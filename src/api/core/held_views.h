// HeldViews: views that live as long as a request is in flight. A few are stored inline, so that a warm call
// allocates nothing.
#pragma once

#include <mxinfer/span.h>
#include <mxinfer/view_list.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace mxinfer::api {

template <typename View>
class HeldViews {
 public:
  explicit HeldViews(const ViewList<View>& views) : size_(views.size()) {
    if (size_ > kInPlace) {
      heap_.assign(views.begin(), views.end());
    } else {
      std::copy(views.begin(), views.end(), local_.begin());
    }
  }
  Span<const View> span() const { return {size_ > kInPlace ? heap_.data() : local_.data(), size_}; }

 private:
  static constexpr std::size_t kInPlace = 4;
  std::size_t size_;
  std::array<View, kInPlace> local_{};
  std::vector<View> heap_{};
};

}  // namespace mxinfer::api
