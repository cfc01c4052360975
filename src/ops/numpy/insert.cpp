// _npi_insert_scalar, _npi_insert_slice, _npi_insert_tensor: an array with values put in along an axis, in
// front of an index, of each index of a slice, or of each that another array names.
#include <algorithm>
#include <cstring>

#include "kernels/copy/copy.h"
#include "kernels/elementwise/cast.h"
#include "ops/common/axes.h"
#include "ops/common/constant_step.h"
#include "ops/elementwise/elementwise.h"
#include "ops/numpy/along_axis.h"

namespace mxinfer::ops {
namespace {

enum class Places { one, slice, listed };

/// What is put in where.
struct Insertion {
  Insertion(Places kind, const Attrs& attrs, const std::vector<TensorType>& inputs);

  Shape out() const { return lines.with_length(lines.length() + count); }
  /// What the values are repeated to: the lines with `count` elements each.
  Shape region() const { return lines.with_length(count); }

  Lines lines;
  bool has_number = false;  ///< the value is the attribute val
  std::size_t obj = 0;      ///< the input of places; 0: none
  Range range;              ///< the places otherwise
  std::int64_t places = 0;  ///< how many
  std::int64_t count = 0;   ///< how many elements are put into a line
  Shape values;             ///< of the region's rank
  std::vector<std::int64_t> value_strides;
};

Insertion::Insertion(Places kind, const Attrs& attrs, const std::vector<TensorType>& inputs)
    : lines(attrs, inputs[0].shape), has_number(attrs.has("val")) {
  if (kind == Places::listed) {
    obj = has_number ? 1 : 2;
    if (inputs[obj].dtype != DType::int64 || inputs[obj].shape.rank() != 1) {
      fail(ErrorCode::unsupported, "obj is ", to_string(inputs[obj]), ": expected one dimension of int64");
    }
    places = inputs[obj].shape[0];
  } else {
    range = places_of(attrs, lines.length(), true);
    places = range.count;
  }
  const std::size_t rank = lines.shape.rank();
  values = has_number ? Shape() : inputs[1].shape;
  if (values.rank() > rank) {
    fail(ErrorCode::invalid_argument, "values has shape ", to_string(values), ", more dimensions than ",
         to_string(lines.shape));
  }
  while (values.rank() < rank) values.insert(0, 1);
  value_strides = row_major_strides(values);
  if (kind == Places::one) {  // the first dimension is that of the axis, as in NumPy
    const std::int64_t first = values[0];
    values.erase(0);
    values.insert(lines.axis, first);
    const std::int64_t stride = value_strides[0];
    value_strides.erase(value_strides.begin());
    value_strides.insert(value_strides.begin() + static_cast<std::ptrdiff_t>(lines.axis), stride);
  }
  count = places == 1 ? values[lines.axis] : places;
  if (!checked_add(lines.length(), count)) fail(ErrorCode::invalid_argument, "too many values");
  const Shape wanted = region();
  for (std::size_t d = 0; d < rank; ++d) {
    if (values[d] == 1) value_strides[d] = 0;
    if (values[d] != wanted[d] && values[d] != 1) {
      fail(ErrorCode::invalid_argument, "values as ", to_string(values), " cannot be repeated to ",
           to_string(wanted));
    }
  }
}

PortNames insert_inputs(Places kind, const Attrs& attrs) {
  PortNames ports{{"arr"}};
  if (!attrs.has("val")) ports.names.emplace_back("values");
  if (kind == Places::listed) ports.names.emplace_back("obj");
  return ports;
}

/// The values, converted and repeated to [outer][count][inner].
class Values {
 public:
  Values(const LowerContext& context, const Insertion& insertion) : has_number_(insertion.has_number) {
    const DType dtype = context.input(0).dtype;
    element_ = size_of(dtype);
    if (has_number_) {
      number_ = stored_number(dtype, context.attrs().number("val"));
    } else {
      given_ = context.input(1).shape.elements();
      cast_ = kernels::select_cast(element_type(context.input(1).dtype), element_type(dtype));
    }
    if (!has_number_ && cast_ == nullptr) {
      fail(ErrorCode::unsupported, "values of ", to_string(context.input(1).dtype), " in ", to_string(dtype));
    }
    const Shape region = insertion.region();
    for (std::size_t d = 0; d < region.rank(); ++d) {
      const int at = args_.rank++;
      args_.dims[at] = region[d];
      args_.src_strides[at] = insertion.value_strides[d];
      args_.dst_strides[at] = row_major_strides(region)[d];
    }
    elements_ = region.elements();
    args_ = kernels::simplify(args_);
    kernel_ = &kernels::select_copy(args_, element_, kernels::Target::ref);
    args_ = kernel_->prepare(args_);
  }

  std::size_t scratch_bytes() const { return bytes_of_given() + aligned(elements_); }

  const std::byte* make(const RunContext& run, std::byte* scratch) const {
    if (elements_ == 0) return scratch;
    const std::byte* from = number_.bytes;
    if (!has_number_) {
      cast_(run.inputs[1], scratch, given_);
      from = scratch;
    }
    std::byte* to = scratch + bytes_of_given();
    kernel_->run(args_, from, to, 0, kernel_->tasks(args_));
    return to;
  }

 private:
  std::size_t aligned(std::int64_t elements) const {
    return (static_cast<std::size_t>(elements) * element_ + 7) / 8 * 8;
  }
  std::size_t bytes_of_given() const { return has_number_ ? 0 : aligned(given_); }

  bool has_number_;
  StoredNumber number_{};
  std::size_t element_ = 1;
  std::int64_t given_ = 0, elements_ = 0;
  kernels::CastFn cast_ = nullptr;
  kernels::CopyArgs args_;
  const kernels::CopyKernel* kernel_ = nullptr;
};

/// Where an element of a line comes from: one of the array, or value ~n.
void merge_places(const std::int64_t* places, std::int64_t* order, const Insertion& insertion,
                  std::int64_t* sources) {
  for (std::int64_t i = 0; i < insertion.places; ++i) order[i] = i;
  std::sort(order, order + insertion.places, [places](std::int64_t a, std::int64_t b) {
    return places[a] != places[b] ? places[a] < places[b] : a < b;
  });
  std::int64_t next = 0;
  for (std::int64_t i = 0; i <= insertion.lines.length(); ++i) {
    while (next < insertion.places && places[order[next]] == i) {
      if (insertion.places == 1) {
        for (std::int64_t v = 0; v < insertion.count; ++v) *sources++ = ~v;
      } else {
        *sources++ = ~order[next];
      }
      ++next;
    }
    if (i < insertion.lines.length()) *sources++ = i;
  }
}

void read_places(const RunContext& run, const Insertion& insertion, std::int64_t* places) {
  const std::int64_t length = insertion.lines.length();
  for (std::int64_t i = 0; i < insertion.places; ++i) {
    if (insertion.obj == 0) {
      places[i] = insertion.range.begin + i * insertion.range.step;
      continue;
    }
    const std::int64_t index = run.input<std::int64_t>(insertion.obj)[i];
    places[i] = index < 0 ? index + length : index;
    if (places[i] < 0 || places[i] > length) {
      fail(ErrorCode::invalid_argument, "index ", index, " at position ", i, " is outside the ", length,
           " elements of the axis");
    }
  }
}

Step lower_insert(Places kind, LowerContext& context) {
  std::vector<TensorType> inputs;
  for (std::size_t i = 0; i < context.num_inputs(); ++i) inputs.push_back(context.input(i));
  const Insertion insertion(kind, context.attrs(), inputs);
  if (insertion.out().elements() == 0) return {.kernel = "nothing [ref]", .reason = "there are no elements"};
  const Values values(context, insertion);
  const std::int64_t length = insertion.lines.length(), joined = length + insertion.count;
  const std::size_t row_bytes =
      static_cast<std::size_t>(insertion.lines.inner()) * size_of(context.input(0).dtype);
  Step step{.kernel = "insert_rows [ref]", .reason = "moves elements only"};
  step.scratch_bytes =
      values.scratch_bytes() + static_cast<std::size_t>(2 * insertion.places + joined) * sizeof(std::int64_t);
  step.run = [=](const RunContext& run) {
    auto* places = reinterpret_cast<std::int64_t*>(run.scratch);
    std::int64_t* order = places + insertion.places;
    std::int64_t* sources = order + insertion.places;
    read_places(run, insertion, places);
    merge_places(places, order, insertion, sources);
    const std::byte* added = values.make(run, reinterpret_cast<std::byte*>(sources + joined));
    const std::byte* kept = run.input<std::byte>(0);
    std::byte* dst = run.output<std::byte>(0);
    if (row_bytes == 0) return;
    for (std::int64_t o = 0; o < insertion.lines.outer(); ++o) {
      for (std::int64_t i = 0; i < joined; ++i, dst += row_bytes) {
        const std::int64_t from = sources[i];
        const std::byte* src = from < 0 ? added + static_cast<std::size_t>(~from) * row_bytes
                                        : kept + static_cast<std::size_t>(from) * row_bytes;
        std::memcpy(dst, src, row_bytes);
      }
      kept += static_cast<std::size_t>(length) * row_bytes;
      added += static_cast<std::size_t>(insertion.count) * row_bytes;
    }
  };
  return step;
}

OpDef insert_op(std::string name, std::string summary, Places kind) {
  OpDef op{.name = std::move(name), .summary = std::move(summary)};
  op.attrs = places_attrs();
  op.attrs.push_back(number_attr("val").optional_none());
  op.inputs = [kind](const Attrs& attrs) { return insert_inputs(kind, attrs); };
  op.infer = [kind](const InferContext& context) -> std::vector<TensorType> {
    return {{context.dtype(0), Insertion(kind, context.attrs, context.inputs).out()}};
  };
  op.lower = [kind](LowerContext& context) { return lower_insert(kind, context); };
  return op;
}

}  // namespace

std::vector<OpDef> numpy_insert_ops() {
  return {
      insert_op("_npi_insert_scalar",
                "arr with values put in along axis (into the flattened array without axis) in front of an "
                "index.",
                Places::one),
      insert_op("_npi_insert_slice", "arr with values put in along axis in front of each index of a slice.",
                Places::slice),
      insert_op("_npi_insert_tensor", "arr with values put in along axis in front of each index in obj.",
                Places::listed)};
}

}  // namespace mxinfer::ops
