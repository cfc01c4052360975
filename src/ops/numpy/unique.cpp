// Operators whose output size depends on values: _npi_unique, _npx_nonzero, _npi_delete.
#include "kernels/sort/unique.h"

#include <algorithm>
#include <cstring>

#include "kernels/elementwise/cast.h"
#include "ops/common/axes.h"
#include "ops/common/open_sizes.h"
#include "ops/elementwise/elementwise.h"
#include "ops/elementwise/indices.h"
#include "ops/numpy/along_axis.h"

namespace mxinfer::ops {
namespace {

constexpr const char* kUniqueOutputs[] = {"return_index", "return_inverse", "return_counts"};

PortNames unique_outputs(const Attrs& attrs) {
  PortNames ports;
  ports.count = 1;
  for (const char* name : kUniqueOutputs) ports.count += attrs.flag(name) ? 1 : 0;
  if (ports.count == 1) ports.names = {"output"};
  return ports;
}

std::vector<TensorType> infer_unique(const InferContext& context) {
  if (kernels::select_unique(element_type(context.dtype(0))) == nullptr)
    fail(ErrorCode::unsupported, "an input of ", to_string(context.dtype(0)));
  const Lines lines(context.attrs, context.shape(0));
  const bool is_empty = context.shape(0).elements() == 0;  // of which MXNet gives vectors
  std::vector<TensorType> types{{context.dtype(0), is_empty ? Shape{0} : lines.shape}};
  for (const char* name : kUniqueOutputs) {
    if (context.attrs.flag(name)) types.push_back({DType::int64, Shape{is_empty ? 0 : lines.length()}});
  }
  return types;
}

Step lower_unique(LowerContext& context) {
  const Lines lines(context.attrs(), context.input(0).shape);
  const DType dtype = context.input(0).dtype;
  kernels::UniqueArgs args{.outer = lines.outer(), .length = lines.length(), .inner = lines.inner()};
  const bool has_index = context.attrs().flag("return_index");
  const bool has_inverse = context.attrs().flag("return_inverse");
  const bool has_counts = context.attrs().flag("return_counts");
  const bool is_empty = context.input(0).shape.elements() == 0;
  Step step{.kernel = ref_kernel("unique", dtype), .reason = "one sort of all items"};
  step.scratch_bytes = is_empty ? 0 : static_cast<std::size_t>(lines.length()) * sizeof(std::int64_t);
  step.run = [=, run = kernels::select_unique(element_type(dtype))](const RunContext& at) {
    kernels::UniqueArgs now = args;
    std::size_t next = 1;
    const std::size_t index = has_index ? next++ : 0, inverse = has_inverse ? next++ : 0,
                      counts = has_counts ? next++ : 0;
    std::int64_t count = 0;
    if (!is_empty) {
      now.src = at.inputs[0];
      now.values = at.outputs[0];
      now.order = reinterpret_cast<std::int64_t*>(at.scratch);
      if (has_index) now.first = at.output<std::int64_t>(index);
      if (has_inverse) now.inverse = at.output<std::int64_t>(inverse);
      if (has_counts) now.counts = at.output<std::int64_t>(counts);
      count = run(now);
    }
    auto* sizes = at.output<std::int64_t>(next);
    set_sizes(sizes, 0, is_empty ? Shape{0} : lines.with_length(count));
    if (has_index) set_sizes(sizes, index, Shape{count});
    if (has_inverse) set_sizes(sizes, inverse, Shape{is_empty ? 0 : lines.length()});
    if (has_counts) set_sizes(sizes, counts, Shape{count});
  };
  return step;
}

Shape at_least_a_vector(Shape shape) {
  if (shape.empty()) shape.push_back(1);
  return shape;
}

std::vector<TensorType> infer_nonzero(const InferContext& context) {
  const Shape shape = at_least_a_vector(context.shape(0));
  return {{DType::int64, Shape{shape.elements(), static_cast<std::int64_t>(shape.rank())}}};
}

Step lower_nonzero(LowerContext& context) {
  const Shape shape = at_least_a_vector(context.input(0).shape);
  const auto to_bool =
      kernels::select_cast(element_type(context.input(0).dtype), kernels::ElementType::boolean);
  if (to_bool == nullptr) fail(ErrorCode::unsupported, "an input of ", to_string(context.input(0).dtype));
  const std::int64_t elements = shape.elements();
  Step step{.kernel = "nonzero [ref]", .reason = "one pass over the input"};
  step.scratch_bytes = static_cast<std::size_t>(elements) * sizeof(bool);
  step.run = [=](const RunContext& run) {
    auto* is_there = reinterpret_cast<bool*>(run.scratch);
    to_bool(run.inputs[0], is_there, elements);
    auto* out = run.output<std::int64_t>(0);
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < elements; ++i) {
      if (!is_there[i]) continue;
      ++count;
      std::int64_t rest = i;
      out += shape.rank();
      for (std::size_t d = shape.rank(); d-- > 0; rest /= shape[d])
        *(out - shape.rank() + d) = rest % shape[d];
    }
    set_sizes(run.output<std::int64_t>(1), 0, Shape{count, static_cast<std::int64_t>(shape.rank())});
  };
  return step;
}

bool deletes_listed(const Attrs& attrs) {
  return !has_places(attrs);
}

PortNames delete_inputs(const Attrs& attrs) {
  return deletes_listed(attrs) ? PortNames{{"arr", "obj"}} : PortNames{{"arr"}};
}

std::vector<TensorType> infer_delete(const InferContext& context) {
  const Lines lines(context.attrs, context.shape(0));
  Shape kept = lines.shape;
  if (deletes_listed(context.attrs)) {
    const DType dtype = context.dtype(1);
    if (dtype != DType::int32 && dtype != DType::int64)
      fail(ErrorCode::unsupported, "obj of ", to_string(dtype), ": expected int32 or int64");
  } else {
    kept[lines.axis] -= places_of(context.attrs, lines.length(), false).count;
  }
  return {{context.dtype(0), kept}};
}

/// The places on a line that are deleted, ascending, each once.
class Deleted {
 public:
  Deleted(LowerContext& context, const Lines& lines) : length_(lines.length()) {
    if (deletes_listed(context.attrs())) {
      index_ = IndexInput(context, 1);
      is_listed_ = true;
      return;
    }
    range_ = places_of(context.attrs(), length_, false);
    if (range_.step < 0 && range_.count > 0) {
      range_.begin += (range_.count - 1) * range_.step;
      range_.step = -range_.step;
    }
  }

  std::size_t scratch_bytes() const {
    return index_.scratch_bytes() + static_cast<std::size_t>(index_.count()) * sizeof(std::int64_t);
  }

  /// Reads and sorts what is listed; returns how many places there are.
  std::int64_t prepare(const RunContext& run) const {
    if (!is_listed_) return range_.count;
    const std::int64_t* given = index_.read(run);
    std::int64_t* places = listed(run);
    std::int64_t* end = std::copy_if(given, given + index_.count(), places, [this](std::int64_t index) {
      return index >= 0 && index < length_;  // MXNet reads over the others, negative ones too
    });
    std::sort(places, end);
    return std::unique(places, end) - places;
  }

  std::int64_t place(const RunContext& run, std::int64_t i) const {
    return is_listed_ ? listed(run)[i] : range_.begin + i * range_.step;
  }

 private:
  std::int64_t* listed(const RunContext& run) const {
    return reinterpret_cast<std::int64_t*>(run.scratch + index_.scratch_bytes());
  }

  std::int64_t length_;
  bool is_listed_ = false;
  IndexInput index_;
  Range range_;
};

Step lower_delete(LowerContext& context) {
  const Lines lines(context.attrs(), context.input(0).shape);
  const Deleted deleted(context, lines);
  const std::size_t row_bytes = static_cast<std::size_t>(lines.inner()) * size_of(context.input(0).dtype);
  const std::int64_t outer = row_bytes == 0 || lines.length() == 0 ? 0 : lines.outer();
  Step step{.kernel = "delete_rows [ref]", .reason = "moves elements only"};
  step.scratch_bytes = deleted.scratch_bytes();
  step.run = [=](const RunContext& run) {
    const std::int64_t length = lines.length(), count = deleted.prepare(run);
    const std::byte* src = run.input<std::byte>(0);
    std::byte* dst = run.output<std::byte>(0);
    for (std::int64_t o = 0; o < outer; ++o) {
      std::int64_t next = 0;
      for (std::int64_t i = 0; i <= count; ++i) {
        const std::int64_t end = i < count ? deleted.place(run, i) : length;
        const std::size_t bytes = static_cast<std::size_t>(end - next) * row_bytes;
        if (bytes > 0) std::memcpy(dst, src + static_cast<std::size_t>(next) * row_bytes, bytes);
        dst += bytes;
        next = end + 1;
      }
      src += static_cast<std::size_t>(length) * row_bytes;
    }
    set_sizes(run.output<std::int64_t>(1), 0, lines.with_length(length - count));
  };
  return step;
}

}  // namespace

std::vector<OpDef> numpy_unique_ops() {
  OpDef op{.name = "_npi_unique"};
  op.summary =
      "The different elements in ascending order, or the different parts along axis; where the first of each "
      "is, which of them each element is, and how many are the same.";
  op.attrs = {flag_attr("return_index", false), flag_attr("return_inverse", false),
              flag_attr("return_counts", false), integer_attr("axis").optional_none()};
  op.outputs = unique_outputs;
  op.infer = infer_unique;
  return open_and_bounded(std::move(op), "_mxinfer_unique", lower_unique);
}

std::vector<OpDef> numpy_nonzero_ops() {
  OpDef op{.name = "_npx_nonzero", .aliases = {"_npi_nonzero"}};
  op.summary = "The indices of each element that is not 0, one row each, as int64.";
  op.inputs = named_ports({"x"});
  op.infer = infer_nonzero;
  return open_and_bounded(std::move(op), "_mxinfer_nonzero", lower_nonzero);
}

std::vector<OpDef> numpy_delete_ops() {
  OpDef op{.name = "_npi_delete"};
  op.summary =
      "arr without the parts along axis (of the flattened array without axis) that an index, a slice or obj "
      "names; indices in obj that are negative or too large name none.";
  op.attrs = places_attrs();
  op.inputs = delete_inputs;
  op.infer = infer_delete;
  return open_and_bounded(std::move(op), "_mxinfer_delete", lower_delete);
}

}  // namespace mxinfer::ops
