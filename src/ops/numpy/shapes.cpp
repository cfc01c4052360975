// The same elements in another shape, with NumPy's rules: _np_reshape, _npx_reshape, _np_atleast_1d, 2d, 3d.
#include <algorithm>

#include "ops/common/copy_step.h"
#include "ops/op_def.h"

namespace mxinfer::ops {
namespace {

using Sizes = std::vector<std::int64_t>;

Shape shape_from(const Sizes& sizes) {
  return Shape(Span<const std::int64_t>(sizes.data(), sizes.size()));
}

/// Replaces the codes of `newshape` by sizes.
class NumpyReshape {
 public:
  NumpyReshape(const Shape& from, const Attrs& attrs, bool has_codes)
      : from_(from), wanted_(attrs.tuple("newshape")), has_codes_(has_codes) {
    const bool reverse = has_codes && attrs.flag("reverse");
    Sizes codes = wanted_, source(from.begin(), from.end());
    if (reverse) {
      std::reverse(codes.begin(), codes.end());
      std::reverse(source.begin(), source.end());
    }
    source_ = std::move(source);
    for (std::size_t i = 0; i < codes.size();) i += apply(codes, i);
    if (reverse) std::reverse(sizes_.begin(), sizes_.end());
  }

  Shape shape() {
    std::int64_t known = 1;
    std::int64_t* open = nullptr;
    for (std::int64_t& size : sizes_) {
      if (size == -1) {
        if (open != nullptr) refuse("more than one -1");
        open = &size;
        continue;
      }
      const auto product = checked_mul(known, size);
      if (!product) refuse("too many elements");
      known = *product;
    }
    const std::int64_t elements = from_.elements();
    if (open != nullptr) {
      if (known == 0 || elements % known != 0) refuse(concat(elements, " elements do not divide by ", known));
      *open = elements / known;
      known = elements;
    }
    if (known != elements) refuse(concat("the input has ", elements, " elements, ", known, " are asked for"));
    return shape_from(sizes_);
  }

 private:
  [[noreturn]] void refuse(std::string_view why) const {
    fail(ErrorCode::invalid_argument, "newshape=", to_string(shape_from(wanted_)),
         " cannot be applied to an input of shape ", to_string(from_), ": ", why);
  }

  /// Returns how many codes it took.
  std::size_t apply(const Sizes& codes, std::size_t i) {
    const std::int64_t code = codes[i];
    if (code >= -1) {
      sizes_.push_back(code);
      ++read_;
      return 1;
    }
    if (!has_codes_ || code < -6) refuse(concat(code, " is not a size"));
    if (code == -6) return split(codes, i);
    if (code == -4) {
      while (read_ < source_.size()) sizes_.push_back(source_[read_++]);
    } else if (const std::int64_t size = next(); code == -2) {
      sizes_.push_back(size);
    } else if (code == -3) {
      if (size != 1) refuse(concat("-3 leaves out a size of 1, there is ", size));
    } else {
      const auto product = checked_mul(size, next());
      if (!product) refuse("too many elements");
      sizes_.push_back(*product);
    }
    return 1;
  }

  std::size_t split(const Sizes& codes, std::size_t i) {
    const std::int64_t size = next();
    if (i + 2 >= codes.size()) refuse("-6 needs two sizes after it");
    std::int64_t a = codes[i + 1], b = codes[i + 2];
    if (a == -1 && b > 0) a = size / b;
    if (b == -1 && a > 0) b = size / a;
    if (a < 0 || b < 0 || checked_mul(a, b) != size) {
      refuse(concat("the sizes after -6 do not multiply to ", size));
    }
    sizes_.push_back(a);
    sizes_.push_back(b);
    return 3;
  }

  std::int64_t next() {
    if (read_ >= source_.size()) refuse("it asks for more dimensions than the input has");
    return source_[read_++];
  }

  const Shape& from_;
  Sizes wanted_, source_, sizes_;
  std::size_t read_ = 0;
  bool has_codes_;
};

InferFn infer_reshaped(bool has_codes) {
  return [has_codes](const InferContext& context) -> std::vector<TensorType> {
    if (const std::string& order = context.attrs.text("order"); order != "C") {
      fail(ErrorCode::unsupported, "order=", printable(order), ": MXNet has C only");
    }
    return {{context.dtype(0), NumpyReshape(context.shape(0), context.attrs, has_codes).shape()}};
  };
}

/// The number of dimensions, unless codes leave it open.
std::optional<OutputRank> newshape_rank(const Attrs& attrs) {
  const graph::IntTuple& sizes = attrs.optional_tuple("newshape");
  const bool counts =
      std::all_of(sizes.begin(), sizes.end(), [](const auto& size) { return size && *size >= -2; });
  if (!counts) return std::nullopt;
  return OutputRank{static_cast<std::int64_t>(sizes.size())};
}

OpDef reshape_op(std::string name, std::string summary, bool has_codes) {
  OpDef op{.name = std::move(name), .summary = std::move(summary)};
  op.attrs = {tuple_attr("newshape"), text_attr("order", "C")};
  if (has_codes) op.attrs.push_back(flag_attr("reverse", false));
  op.inputs = named_ports({"a"});
  op.traits.output_rank = newshape_rank;
  op.traits.follows_bfloat16 = always_follows;
  op.infer = infer_reshaped(has_codes);
  op.lower = alias_step;
  return op;
}

Shape at_least(Shape shape, std::size_t rank) {
  // A vector is a row in two dimensions, and (1, n, 1) in three; a matrix gets its third one behind.
  if (shape.rank() < rank && rank == 3 && shape.rank() == 2) {
    shape.push_back(1);
    return shape;
  }
  if (shape.empty()) shape.push_back(1);
  if (shape.rank() == 1 && rank >= 2) shape.insert(0, 1);
  if (shape.rank() == 2 && rank == 3) shape.push_back(1);
  return shape;
}

OpDef at_least_op(std::size_t rank) {
  OpDef op{.name = concat("_np_atleast_", rank, "d")};
  op.summary = concat("Each input with ", rank, rank == 1 ? " dimension" : " dimensions", " at least.");
  op.attrs = {integer_attr("num_args").at_least(1)};
  op.inputs = counted_ports("num_args");
  op.outputs = counted_ports("num_args");
  op.infer = [rank](const InferContext& context) {
    std::vector<TensorType> outputs;
    for (const TensorType& input : context.inputs)
      outputs.push_back({input.dtype, at_least(input.shape, rank)});
    return outputs;
  };
  op.lower = [](LowerContext& context) {
    for (std::size_t i = 0; i < context.num_inputs(); ++i) context.alias(i, i, 0);
    return Step{.kernel = "alias", .reason = "the same elements under another shape"};
  };
  return op;
}

}  // namespace

std::vector<OpDef> numpy_shape_ops() {
  OpDef npx =
      reshape_op("_npx_reshape",
                 "The same elements in another shape: -1 is inferred, -2 copies a size, -3 leaves one "
                 "of 1 out, -4 copies the rest, -5 merges two, -6 splits one.",
                 true);
  npx.aliases = {"_npi_reshape"};
  return {reshape_op("_np_reshape", "The same elements in another shape; -1 is inferred.", false), npx,
          at_least_op(1), at_least_op(2), at_least_op(3)};
}

}  // namespace mxinfer::ops
