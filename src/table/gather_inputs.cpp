#include "table/gather_inputs.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "base/fail.h"
#include "table/input_traits.h"
#include "table/numbers.h"

namespace mxinfer::table {
namespace {

/// Texts become as long as the longest of a batch, rounded up to this, so that few plans are made for them.
constexpr std::int64_t kTextStep = 16;

std::int64_t rounded_up(std::int64_t length) {
  return std::max<std::int64_t>((length + kTextStep - 1) / kTextStep, 1) * kTextStep;
}

Error wrong(const std::string& column, const std::string& what) {
  return {ErrorCode::invalid_argument, concat("column '", printable(column), "': ", what)};
}

std::string number_of(std::int64_t count) {
  return concat(count, count == 1 ? " number" : " numbers");
}

/// The shape of a sample with so many numbers; nothing if the input has no such.
std::optional<Shape> sample_shape(const DataDesc& input, std::int64_t count) {
  if (input.shape.rank() == 0) return Shape{count};
  std::int64_t known = 1;
  std::size_t free = 0, open = 0;
  for (std::size_t i = 1; i < input.shape.rank(); ++i) {
    if (input.shape[i] < 0) {
      ++free;
      open = i;
    } else {
      known *= input.shape[i];
    }
  }
  std::vector<std::int64_t> dims(input.shape.begin() + (input.shape.rank() > 0 ? 1 : 0), input.shape.end());
  if (free == 1 && known > 0 && count % known == 0) dims[open - 1] = count / known;
  const bool fits = free == 0 ? count == known : free == 1 && known > 0 && count % known == 0;
  if (fits) return Shape(dims);
  // A guess says how many dimensions there are.
  if (input.is_guess && dims.size() == 1) return Shape{count};
  return std::nullopt;
}

Shape with_rows(std::int64_t rows, const Shape& sample) {
  std::vector<std::int64_t> dims{rows};
  dims.insert(dims.end(), sample.begin(), sample.end());
  return Shape(dims);
}

bool are_neighbours(const std::vector<std::int64_t>& rows) {
  return !rows.empty() && rows.back() - rows.front() + 1 == static_cast<std::int64_t>(rows.size());
}

}  // namespace

Gather::Gather(const Batch& batch, const std::vector<BoundInput>& bound, const std::vector<DataDesc>& inputs)
    : inputs_(inputs.size()) {
  for (const BoundInput& each : bound) {
    const DataDesc& desc = inputs[each.input];
    Input input{&desc, each.input, {}, {}, is_text(desc), takes_nulls(desc)};
    for (const std::int64_t column : each.columns) {
      input.columns.push_back(batch.column(column));
      input.names.push_back(column_name(*batch.schema.children[column]));
    }
    bound_.push_back(std::move(input));
  }
}

/// Whether the row may run; `sample` is the shape that it has of this input.
bool Gather::shape_of(const Input& input, std::int64_t row, Verdicts& verdicts, Shape& sample) const {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < input.columns.size(); ++i) {
    const Column& column = input.columns[i];
    if (column.is_null(row)) {
      if (!input.takes_nulls) {
        verdicts.set(row, wrong(input.names[i], "the cell is null"));
        return false;
      }
      count += input.is_text || input.columns.size() > 1
                   ? 1
                   : std::max<std::int64_t>(1, sample_count(*input.desc));
      continue;
    }
    if (input.is_text) {
      count = std::max(count, static_cast<std::int64_t>(column.bytes(row).size()));
      continue;
    }
    const Elements elements = column.elements({row, row + 1});
    if (elements.has_nulls && !input.takes_nulls) {
      verdicts.set(row, wrong(input.names[i], "a number in the list is null"));
      return false;
    }
    count += elements.count;
  }
  if (input.is_text) {
    sample = {};
    return true;
  }
  const std::optional<Shape> shape = sample_shape(*input.desc, count);
  if (shape) {
    sample = *shape;
    return true;
  }
  verdicts.set(row, wrong(input.names[0], concat("the row has ", number_of(count),
                                                 ", and a sample of input '", printable(input.desc->name),
                                                 "' (", to_string(*input.desc), ") has other sizes")));
  return false;
}

std::vector<RowGroup> Gather::groups(Rows rows, Verdicts& verdicts) const {
  std::vector<RowGroup> groups;
  std::vector<Shape> samples(inputs_);
  for (std::int64_t row = rows.begin; row < rows.end; ++row) {
    if (verdicts.is_wrong(row)) continue;
    const bool may_run = std::all_of(bound_.begin(), bound_.end(), [&](const Input& input) {
      return shape_of(input, row, verdicts, samples[input.index]);
    });
    if (!may_run) continue;
    const auto same = [&](const RowGroup& group) { return group.samples == samples; };
    auto found = std::find_if(groups.rbegin(), groups.rend(), same);
    if (found == groups.rend()) {
      groups.push_back({samples, {}});
      found = groups.rbegin();
    }
    found->rows.push_back(row);
  }
  return groups;
}

/// The numbers of a row where they are to be; false if one does not fit.
bool Gather::read_row(const Input& input, std::int64_t row, std::int64_t elements, std::byte* to,
                      Verdicts& verdicts) const {
  const std::size_t bytes = size_of(input.desc->dtype);
  for (std::size_t i = 0; i < input.columns.size(); ++i) {
    const Column& column = input.columns[i];
    if (column.is_null(row)) {
      const std::int64_t count = input.columns.size() > 1 ? 1 : elements;
      write_nans(input.desc->dtype, to, count);
      to += static_cast<std::size_t>(count) * bytes;
      continue;
    }
    const Elements from = column.elements({row, row + 1});
    if (const char* why = convert_numbers(from, input.desc->dtype, to)) {
      verdicts.set(row, wrong(input.names[i], concat(why, " (", to_string(input.desc->dtype), ")")));
      return false;
    }
    if (from.has_nulls) column.write_null_elements({row, row + 1}, input.desc->dtype, to);
    to += static_cast<std::size_t>(from.count) * bytes;
  }
  return true;
}

/// The rows where they lie, if they need no conversion; else an empty view.
TensorView Gather::in_place(const Input& input, const RowGroup& group, const Shape& sample) {
  if (input.is_text || input.columns.size() != 1 || !are_neighbours(group.rows)) return {};
  const Rows rows{group.rows.front(), group.rows.back() + 1};
  const Column& column = input.columns[0];
  if (column.type().kind == CellKind::null || column.has_null(rows)) return {};
  const Elements elements = column.elements(rows);
  const bool is_there = elements.dtype == input.desc->dtype && elements.dtype != DType::boolean &&
                        !elements.has_nulls && elements.count == rows.count() * sample.elements() &&
                        elements.count > 0;
  if (!is_there) return {};
  const auto* const data = static_cast<const std::byte*>(elements.buffer) +
                           static_cast<std::size_t>(elements.begin) * size_of(elements.dtype);
  if (reinterpret_cast<std::uintptr_t>(data) % size_of(elements.dtype) != 0) return {};
  return {elements.dtype, with_rows(rows.count(), sample), data};
}

Gathered Gather::read(const RowGroup& group, Verdicts& verdicts) const {
  Gathered gathered;
  gathered.views.resize(inputs_);
  std::vector<std::vector<std::byte>> texts;
  // First what may find that a row is wrong, so that all tensors have the same rows.
  std::vector<const Input*> copied;
  for (const Input& input : bound_) {
    gathered.views[input.index] = in_place(input, group, group.samples[input.index]);
    if (gathered.views[input.index].raw() == nullptr) copied.push_back(&input);
  }
  std::vector<Tensor> tensors;
  std::vector<std::int64_t> strides;
  for (const Input* input : copied) {
    Shape sample = group.samples[input->index];
    if (input->is_text) {
      std::int64_t longest = 0;
      for (const std::int64_t row : group.rows)
        if (!input->columns[0].is_null(row))
          longest = std::max(longest, static_cast<std::int64_t>(input->columns[0].bytes(row).size()));
      sample = {rounded_up(longest)};
    }
    tensors.emplace_back(input->desc->dtype, with_rows(static_cast<std::int64_t>(group.rows.size()), sample));
    strides.push_back(sample.elements());
  }
  std::int64_t kept = 0;
  for (const std::int64_t row : group.rows) {
    bool fits = true;
    for (std::size_t i = 0; fits && i < copied.size(); ++i) {
      const Input& input = *copied[i];
      auto* const to = static_cast<std::byte*>(tensors[i].raw()) +
                       static_cast<std::size_t>(kept * strides[i]) * size_of(input.desc->dtype);
      if (!input.is_text) {
        fits = read_row(input, row, strides[i], to, verdicts);
        continue;
      }
      std::memset(to, 0, static_cast<std::size_t>(strides[i]));
      if (input.columns[0].is_null(row)) continue;
      const ByteSpan text = input.columns[0].bytes(row);
      if (!text.empty()) std::memcpy(to, text.data(), text.size());
    }
    if (!fits) continue;
    gathered.rows.push_back(row);
    ++kept;
  }
  const auto all = static_cast<std::int64_t>(group.rows.size());
  if (kept < all && copied.size() < bound_.size()) {
    // What lies in place has the rows that were left out, too: without them the others are a group of their
    // own.
    return kept == 0 ? Gathered{} : read({group.samples, gathered.rows}, verdicts);
  }
  for (std::size_t i = 0; i < copied.size(); ++i) {
    const Shape& shape = tensors[i].shape();
    std::vector<std::int64_t> dims(shape.begin(), shape.end());
    dims[0] = kept;
    gathered.views[copied[i]->index] = {tensors[i].dtype(), Shape(dims), tensors[i].raw()};
  }
  gathered.owned = std::move(tensors);
  return gathered;
}

}  // namespace mxinfer::table
