#include "table/gather_inputs.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "base/fail.h"
#include "table/desc_traits.h"
#include "table/numbers.h"

namespace mxinfer::table {
namespace {

/// Texts are padded to this times a power of two, so that they need few plans, and a long text does not
/// lengthen others.
constexpr std::int64_t kLeastText = 16;

std::int64_t padded_length(std::int64_t length) {
  std::int64_t padded = kLeastText;
  while (padded < length) padded *= 2;
  return padded;
}

Error wrong(const std::string& column, const std::string& what) {
  return {ErrorCode::invalid_argument, concat("column '", printable(column), "': ", what)};
}

std::string number_of(std::int64_t count) {
  return concat(count, count == 1 ? " number" : " numbers");
}

/// The shape of a sample with this many numbers; nullopt if none fits the input.
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
  std::vector<std::int64_t> dims(input.shape.begin() + 1, input.shape.end());
  const bool fits = free == 0 ? count == known : free == 1 && known > 0 && count % known == 0;
  if (fits && free == 1) dims[open - 1] = count / known;
  if (fits) return Shape(dims);
  // A guessed shape fixes the rank.
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

Gather::Gather(const Batch& batch, const std::vector<BoundInput>& bound, const std::vector<DataDesc>& inputs,
               std::int64_t most_bytes)
    : inputs_(inputs.size()), most_bytes_(most_bytes) {
  for (const BoundInput& each : bound) {
    const DataDesc& desc = inputs[each.input];
    Input input{&desc, each.input, {}, {}, {}, is_text(desc), takes_nulls(desc)};
    for (const std::int64_t column : each.columns) {
      input.columns.push_back(batch.column(column));
      input.sizes.push_back(cell_size(*batch.schema.children[column]));
      input.names.push_back(column_name(*batch.schema.children[column]));
    }
    bound_.push_back(std::move(input));
  }
}

/// The numbers of a null cell of a column of the input; -1 if unknown.
std::int64_t Gather::null_count(const Input& input, std::size_t column) {
  if (input.sizes[column] > 0) return input.sizes[column];
  return input.columns.size() == 1 ? sample_count(*input.desc) : -1;
}

/// The numbers of a row in a column; -1, with a verdict, if the row cannot run.
std::int64_t Gather::count_of(const Input& input, std::size_t i, std::int64_t row, Verdicts& verdicts) {
  const Column& column = input.columns[i];
  const auto refuse = [&](const std::string& what) {
    verdicts.set(row, wrong(input.names[i], what));
    return std::int64_t{-1};
  };
  if (column.is_null(row)) {
    if (!input.takes_nulls) return refuse("the cell is null");
    if (input.is_text) return 0;
    const std::int64_t count = null_count(input, i);
    return count >= 0 ? count : refuse("the cell is null, and nothing says how many numbers it would have");
  }
  if (input.is_text) return static_cast<std::int64_t>(column.bytes(row).size());
  const Elements elements = column.elements({row, row + 1});
  if (elements.has_null_lists) return refuse("a list in the cell is null");
  if (elements.has_nulls && !input.takes_nulls) return refuse("a number in the list is null");
  return elements.count;
}

/// Whether the row can run; `sample` is its shape for this input.
bool Gather::shape_of(const Input& input, std::int64_t row, Verdicts& verdicts, Shape& sample) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < input.columns.size(); ++i) {
    const std::int64_t of_column = count_of(input, i, row, verdicts);
    if (of_column < 0) return false;
    count += of_column;
  }
  if (input.is_text) {
    sample = {padded_length(count)};
    return true;
  }
  const std::optional<Shape> shape = sample_shape(*input.desc, count);
  if (shape) {
    sample = *shape;
    return true;
  }
  verdicts.set(row, wrong(input.names[0], concat("the row has ", number_of(count),
                                                 ", but a sample of input '", printable(input.desc->name),
                                                 "' (", to_string(*input.desc), ") has other sizes")));
  return false;
}

std::int64_t Gather::bytes_of(const std::vector<Shape>& samples) const {
  std::int64_t bytes = 0;
  for (const Input& input : bound_)
    bytes += samples[input.index].elements() * static_cast<std::int64_t>(size_of(input.desc->dtype));
  return bytes;
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
    const bool is_full = found != groups.rend() &&
                         static_cast<std::int64_t>(found->rows.size() + 1) * bytes_of(samples) > most_bytes_;
    if (found == groups.rend() || is_full) {
      groups.push_back({samples, {}});
      found = groups.rbegin();
    }
    found->rows.push_back(row);
  }
  return groups;
}

/// Writes the numbers of a row to their place; false if one does not fit.
bool Gather::read_row(const Input& input, std::int64_t row, std::int64_t elements, std::byte* to,
                      Verdicts& verdicts) {
  const std::size_t bytes = size_of(input.desc->dtype);
  for (std::size_t i = 0; i < input.columns.size(); ++i) {
    const Column& column = input.columns[i];
    if (column.is_null(row)) {
      const std::int64_t count = input.columns.size() > 1 ? null_count(input, i) : elements;
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

/// The rows in place, if they need no conversion; otherwise an empty view.
TensorView Gather::in_place(const Input& input, const RowGroup& group, const Shape& sample) {
  if (input.is_text || input.columns.size() != 1 || !are_neighbours(group.rows)) return {};
  const Rows rows{group.rows.front(), group.rows.back() + 1};
  const Column& column = input.columns[0];
  if (column.type().kind == CellKind::null || column.has_null(rows)) return {};
  const Elements elements = column.elements(rows);
  const bool is_there = elements.dtype == input.desc->dtype && elements.dtype != DType::boolean &&
                        !elements.has_nulls && !elements.has_null_lists &&
                        elements.count == rows.count() * sample.elements() && elements.count > 0;
  if (!is_there) return {};
  const auto* const data = static_cast<const std::byte*>(elements.buffer) +
                           static_cast<std::size_t>(elements.begin) * size_of(elements.dtype);
  if (reinterpret_cast<std::uintptr_t>(data) % size_of(elements.dtype) != 0) return {};
  return {elements.dtype, with_rows(rows.count(), sample), data};
}

/// Writes a text to its place, padded with zeros.
void Gather::read_text(const Input& input, std::int64_t row, std::int64_t length, std::byte* to) {
  std::memset(to, 0, static_cast<std::size_t>(length));
  if (input.columns[0].is_null(row)) return;
  const ByteSpan text = input.columns[0].bytes(row);
  if (!text.empty()) std::memcpy(to, text.data(), text.size());
}

/// Copies the rows of inputs that cannot be used in place; returns those that fit.
std::vector<std::int64_t> Gather::copy_rows(const std::vector<const Input*>& inputs, const RowGroup& group,
                                            std::vector<Tensor>& tensors, Verdicts& verdicts) {
  for (const Input* input : inputs) {
    const Shape shape = with_rows(static_cast<std::int64_t>(group.rows.size()), group.samples[input->index]);
    tensors.emplace_back(input->desc->dtype, shape);
  }
  std::vector<std::int64_t> kept;
  for (const std::int64_t row : group.rows) {
    bool fits = true;
    for (std::size_t i = 0; fits && i < inputs.size(); ++i) {
      const Input& input = *inputs[i];
      const std::int64_t elements = group.samples[input.index].elements();
      auto* const to = static_cast<std::byte*>(tensors[i].raw()) +
                       kept.size() * static_cast<std::size_t>(elements) * size_of(input.desc->dtype);
      if (input.is_text) {
        read_text(input, row, elements, to);
      } else {
        fits = read_row(input, row, elements, to, verdicts);
      }
    }
    if (fits) kept.push_back(row);
  }
  return kept;
}

Gathered Gather::read(const RowGroup& group, Verdicts& verdicts) const {
  Gathered gathered;
  gathered.views.resize(inputs_);
  std::vector<const Input*> copied;
  for (const Input& input : bound_) {
    gathered.views[input.index] = in_place(input, group, group.samples[input.index]);
    if (gathered.views[input.index].raw() == nullptr) copied.push_back(&input);
  }
  gathered.rows = copy_rows(copied, group, gathered.owned, verdicts);
  const bool has_left_out = gathered.rows.size() < group.rows.size();
  if (has_left_out && copied.size() < bound_.size()) {
    // Views in place include the dropped rows, so the remaining rows form a new group.
    return gathered.rows.empty() ? Gathered{} : read({group.samples, gathered.rows}, verdicts);
  }
  for (std::size_t i = 0; i < copied.size(); ++i) {
    const Shape shape =
        with_rows(static_cast<std::int64_t>(gathered.rows.size()), group.samples[copied[i]->index]);
    gathered.views[copied[i]->index] = {gathered.owned[i].dtype(), shape, gathered.owned[i].raw()};
  }
  return gathered;
}

}  // namespace mxinfer::table
