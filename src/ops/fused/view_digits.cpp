#include "ops/fused/view_digits.h"

#include <algorithm>

#include "kernels/common/divide.h"

namespace mxinfer::ops {
namespace {

using Kind = ViewChange::Kind;
using Sizes = std::vector<std::int64_t>;

constexpr ViewChange kImpossible{Kind::impossible, 0, 0};

/// What ends a carry from an axis into the one before it, if there is one.
ViewChange without_carry(const Sizes& sizes, const ViewDigits& digits, std::size_t axis,
                         std::int64_t places) {
  std::size_t widest = sizes.size();
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    if (digits.axis[d] == axis && (widest == sizes.size() || digits.step[d] > digits.step[widest]))
      widest = d;
  }
  if (digits.last(axis, sizes) < places) return {};
  const std::int64_t step = digits.step[widest], count = sizes[widest];
  const std::int64_t below = digits.last(axis, sizes) - step * (count - 1);  // where the others are at most
  const std::int64_t inner = places / step;
  if (places % step == 0 && below < step && count > inner) {
    if (count % inner == 0) return {Kind::split, widest, inner};
    return {Kind::cut, widest, count / inner * inner};
  }
  const std::int64_t first = kernels::ceil_div(places - digits.first[axis], step);
  return first > 0 && first < count ? ViewChange{Kind::cut, widest, first} : kImpossible;
}

}  // namespace

std::int64_t ViewDigits::last(std::size_t a, const Sizes& sizes) const {
  std::int64_t place = first[a];
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    if (axis[d] == a) place += step[d] * (sizes[d] - 1);
  }
  return place;
}

ViewDigits view_digits(const Sizes& sizes, const ViewAccess& access, const std::vector<ViewAxis>& axes) {
  ViewDigits digits;
  digits.axis.assign(sizes.size(), ViewDigits::kNoAxis);
  digits.step.assign(sizes.size(), 0);
  std::int64_t rest = access.offset;
  for (const ViewAxis& axis : axes) {
    digits.first.push_back(rest / axis.stride);
    rest %= axis.stride;
  }
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    const std::int64_t stride = access.strides[d];
    if (stride == 0 || sizes[d] == 1) continue;
    const auto found = std::find_if(axes.begin(), axes.end(), [&](const ViewAxis& axis) {
      return axis.stride <= stride && axis.size > 1;
    });
    if (stride < 0 || found == axes.end() || stride % found->stride != 0) {
      digits.change = kImpossible;
      return digits;
    }
    digits.axis[d] = static_cast<std::size_t>(found - axes.begin());
    digits.step[d] = stride / found->stride;
  }
  for (std::size_t a = axes.size(); a-- > 0 && digits.change.kind == Kind::none;)
    digits.change = without_carry(sizes, digits, a, axes[a].size);
  return digits;
}

ViewChange cut_at_border(const Sizes& sizes, const ViewDigits& digits, std::size_t axis,
                         std::int64_t border) {
  ViewChange best = kImpossible;
  std::int64_t widest = 0;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    if (digits.axis[d] != axis || digits.step[d] <= widest) continue;
    const std::int64_t at = kernels::ceil_div(border - digits.first[axis], digits.step[d]);
    const std::int64_t inside = std::min(at, sizes[d] - 1);
    if (inside < 1) continue;
    best = {Kind::cut, d, inside};
    widest = digits.step[d];
  }
  return best;
}

}  // namespace mxinfer::ops
