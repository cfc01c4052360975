#include "ops/tensor/unify_tensors.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/checked.h"
#include "ops/unify.h"

namespace mxinfer::ops {
namespace {

using Codes = std::vector<std::int64_t>;

// Empty if an element is None.
Codes whole_tuple(const graph::Attrs& attrs, const char* name) {
  Codes codes;
  for (const auto& element : attrs.optional_tuple(name)) {
    if (!element) return {};
    codes.push_back(*element);
  }
  return codes;
}

// The codes of the attribute; empty if they do not say by themselves what goes where.
Codes codes_of(const graph::Attrs& attrs) {
  Codes codes = whole_tuple(attrs, "shape");
  if (codes.empty() && !attrs.flag("keep_highest")) {
    codes = whole_tuple(attrs, "target_shape");
    std::replace(codes.begin(), codes.end(), std::int64_t{0}, std::int64_t{-1});
  }
  const bool keeps_sizes =
      std::any_of(codes.begin(), codes.end(), [](std::int64_t code) { return code <= 0; });
  if (attrs.flag("reverse") && keeps_sizes) return {};
  return codes;
}

// Which sizes the output has, walking the codes along an input of known rank, or of which nothing is known.
class OpenReshape {
 public:
  OpenReshape(const PartialShape& input, const Codes& codes) : input_(input) {
    for (std::size_t i = 0; i < codes.size() && is_clear_; ++i) i += apply(codes, i);
    is_clear_ = is_clear_ && output_.size() <= Shape::kMaxRank;
  }

  // Nothing if the codes do not say how many dimensions there are.
  PartialShape output() const {
    if (!is_clear_) return std::nullopt;
    return Shape(Span<const std::int64_t>(output_.data(), output_.size()));
  }
  // Dimensions in front that codes of 0 copy.
  std::size_t copied() const { return copied_; }

 private:
  std::size_t apply(const Codes& codes, std::size_t i) {
    const std::int64_t code = codes[i];
    if (code == 0) {
      if (copied_ == output_.size() && input_ && read_ < input_->rank()) ++copied_;
      output_.push_back(next());
    } else if (code >= -1) {
      output_.push_back(code == -1 ? kUnknown : code);
      ++read_;
    } else if (!input_) {
      is_clear_ = false;
    } else if (code == -2) {
      while (read_ < input_->rank()) output_.push_back(next());
    } else if (code == -3) {
      const std::int64_t first = next(), second = next();
      const auto product = first < 0 || second < 0 ? std::nullopt : checked_mul(first, second);
      output_.push_back(product.value_or(kUnknown));
    } else {
      return split(codes, i);
    }
    return 0;
  }

  std::size_t split(const Codes& codes, std::size_t i) {
    const std::int64_t dim = next();
    if (codes[i] != -4 || i + 2 >= codes.size()) {
      is_clear_ = false;
      return 0;
    }
    std::int64_t a = codes[i + 1], b = codes[i + 2];
    if (dim >= 0 && a == -1 && b > 0) a = dim / b;
    if (dim >= 0 && b == -1 && a > 0) b = dim / a;
    output_.push_back(a > 0 ? a : kUnknown);
    output_.push_back(b > 0 ? b : kUnknown);
    return 2;
  }

  std::int64_t next() {
    const std::int64_t size = input_ && read_ < input_->rank() ? (*input_)[read_] : kUnknown;
    ++read_;
    return size;
  }

  const PartialShape& input_;
  std::vector<std::int64_t> output_;
  std::size_t read_ = 0;
  std::size_t copied_ = 0;
  bool is_clear_ = true;
};

std::size_t from_front(std::int64_t axis, std::size_t rank) {
  const auto size = static_cast<std::int64_t>(rank);
  const std::int64_t at = axis < 0 ? axis + size : axis;
  return at >= 0 && at < size ? static_cast<std::size_t>(at) : rank;
}

// With a size of 1 at each of the axes, which are those of the result; nothing if an axis is not one of them.
PartialShape with_ones(const Shape& shape, const Codes& axes) {
  const std::size_t rank = shape.rank() + axes.size();
  if (rank > Shape::kMaxRank) return std::nullopt;
  std::vector<std::size_t> at;
  for (const std::int64_t axis : axes) at.push_back(from_front(axis, rank));
  std::sort(at.begin(), at.end());
  Shape result = shape;
  for (const std::size_t d : at) {
    if (d > result.rank()) return std::nullopt;
    result.insert(d, 1);
  }
  return result;
}

// Without the axes; nothing if it does not have one of them.
PartialShape without(const Shape& shape, const Codes& axes) {
  std::vector<std::size_t> at;
  for (const std::int64_t axis : axes) at.push_back(from_front(axis, shape.rank()));
  std::sort(at.rbegin(), at.rend());
  Shape result = shape;
  for (const std::size_t d : at) {
    if (d >= result.rank()) return std::nullopt;
    result.erase(d);
  }
  return result;
}

// `wide` has sizes of 1 at axes that `narrow` lacks.
void unify_ones(const Codes& axes, PartialShape& narrow, PartialShape& wide) {
  if (narrow) {
    PartialShape widened = with_ones(*narrow, axes);
    if (widened) unify(wide, widened);
  }
  if (!wide) return;
  PartialShape narrowed = without(*wide, axes);
  if (narrowed && narrowed->rank() > 0) unify(narrow, narrowed);
}

// The rank of a side beside one of `other`: a product has all dimensions but the two that meet.
std::size_t rank_beside(const Shape& other, const PartialShape& out) {
  const bool tells = out && out->rank() + 1 > other.rank();
  return tells ? out->rank() + 2 - other.rank() : 2;
}

// Whether both ranks are known, or taken, and fit the result's.
bool take_ranks(PartialShape& a, PartialShape& b, PartialShape& out) {
  if (!a && !b) return false;
  if (!a) a = open_shape(rank_beside(*b, out));
  if (!b) b = open_shape(rank_beside(*a, out));
  if (a->rank() == 0 || b->rank() == 0) return false;
  const std::size_t rank = a->rank() + b->rank() - 2;
  if (!out && rank > 0 && rank <= Shape::kMaxRank) out = open_shape(rank);
  return true;
}

// The other dimensions of a side are those of the result from `at` on.
void unify_rest(Shape& side, std::size_t depth, Shape& out, std::size_t at) {
  for (std::size_t d = 0; d < side.rank(); ++d) {
    if (d != depth) unify(side[d], out[at++]);
  }
}

bool take_common_rank(PartialShape& a, PartialShape& b, PartialShape& out) {
  const PartialShape known = a ? a : b ? b : out;
  if (!known || known->rank() < 2) return false;
  for (PartialShape* shape : {&a, &b, &out}) {
    if (!*shape) *shape = open_shape(known->rank());
    if ((*shape)->rank() != known->rank()) return false;
  }
  return true;
}

}  // namespace

void unify_reshape(const graph::Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs) {
  PartialShape &in = inputs[0], &out = outputs[0];
  const Codes codes = codes_of(attrs);
  if (codes.empty()) return;
  const OpenReshape open(in, codes);
  if (const PartialShape stated = open.output()) learn(out, *stated);
  if (!in || !out) return;
  unify_elements(*in, *out, std::min({open.copied(), in->rank(), out->rank()}));
}

void unify_flatten(const graph::Attrs& /*attrs*/, PartialShapes& inputs, PartialShapes& outputs) {
  PartialShape &in = inputs[0], &out = outputs[0];
  learn(out, Shape{kUnknown, kUnknown});
  if (!in && out->rank() == 2 && (*out)[1] != kUnknown) in = out;
  if (in && in->rank() > 0 && out->rank() == 2) unify_elements(*in, *out, 1);
}

void unify_expand_dims(const graph::Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs) {
  unify_ones({attrs.integer("axis")}, inputs[0], outputs[0]);
}

void unify_squeeze(const graph::Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs) {
  if (attrs.has("axis")) unify_ones(whole_tuple(attrs, "axis"), outputs[0], inputs[0]);
}

void unify_dot(const graph::Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs) {
  PartialShape &a = inputs[0], &b = inputs[1], &out = outputs[0];
  if (!take_ranks(a, b, out)) return;
  const std::size_t depth_a = attrs.flag("transpose_a") ? 0 : a->rank() - 1;
  const std::size_t depth_b = attrs.flag("transpose_b") ? b->rank() - 1 : 0;
  unify((*a)[depth_a], (*b)[depth_b]);
  if (!out || out->rank() + 2 != a->rank() + b->rank()) return;
  unify_rest(*a, depth_a, *out, 0);
  unify_rest(*b, depth_b, *out, a->rank() - 1);
}

void unify_stacked_matrices(const graph::Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs) {
  if (attrs.given("axis") && attrs.integer("axis") != -2) return;
  PartialShape &a = inputs[0], &b = inputs[1], &out = outputs[0];
  if (!take_common_rank(a, b, out)) return;
  const std::size_t last = a->rank() - 1;
  for (std::size_t d = 0; d + 1 < last; ++d) {
    unify((*a)[d], (*b)[d]);
    unify((*a)[d], (*out)[d]);
    unify((*b)[d], (*out)[d]);
  }
  const bool turns_a = attrs.flag("transpose_a"), turns_b = attrs.flag("transpose_b");
  unify((*a)[turns_a ? last - 1 : last], (*b)[turns_b ? last : last - 1]);
  unify((*a)[turns_a ? last : last - 1], (*out)[last - 1]);
  unify((*b)[turns_b ? last - 1 : last], (*out)[last]);
  if (inputs.size() > 2) unify(inputs[2], out);
}

}  // namespace mxinfer::ops
