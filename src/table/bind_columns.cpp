#include "table/bind_columns.h"

#include <algorithm>

#include "base/fail.h"
#include "model/check_inputs.h"
#include "table/arrow_type.h"
#include "table/desc_traits.h"
#include "table/numbers.h"

namespace mxinfer::table {
namespace {

void require_table(const ArrowSchema& table) {
  (void)arrow_type(table);
  if (arrow_type(table).kind == CellKind::structure && table.dictionary == nullptr &&
      (table.n_children == 0 || table.children != nullptr)) {
    return;
  }
  fail(ErrorCode::invalid_argument, "a record batch is a struct of columns, but this is ",
       arrow_type_name(table), "; give a batch, such as pyarrow.RecordBatch");
}

/// "'id' (int64), 'photo' (binary)".
std::string columns_of(const ArrowSchema& table) {
  constexpr std::int64_t kMost = 30;
  std::string names;
  for (std::int64_t i = 0; i < std::min(table.n_children, kMost); ++i) {
    names += concat(i > 0 ? ", " : "", "'", printable(column_name(*table.children[i])), "' (",
                    arrow_type_name(*table.children[i]), ")");
  }
  if (table.n_children > kMost) names += concat(" and ", table.n_children - kMost, " more");
  return names.empty() ? "no columns" : names;
}

/// -1 if there is none.
std::int64_t find_column(const ArrowSchema& table, const std::string& name) {
  std::int64_t found = -1;
  for (std::int64_t i = 0; i < table.n_children; ++i) {
    if (column_name(*table.children[i]) != name) continue;
    if (found >= 0) {
      fail(ErrorCode::invalid_argument, "the table has two columns '", printable(name),
           "'; rename one, or select the columns you need");
    }
    found = i;
  }
  return found;
}

std::int64_t require_column(const ArrowSchema& table, const std::string& name, const std::string& input) {
  const std::int64_t found = find_column(table, name);
  if (found >= 0) return found;
  fail(ErrorCode::invalid_argument, "the table has no column '", printable(name), "', which input '",
       printable(input), "' is made of; it has ", columns_of(table));
}

/// The type of a column's numbers, through all lists; nullopt if it has no numbers.
std::optional<DType> number_type(const ArrowSchema& column) {
  if (column.dictionary != nullptr) return std::nullopt;
  const ArrowSchema* schema = &column;
  for (ArrowType type = arrow_type(*schema);; type = arrow_type(*schema)) {
    if (schema->dictionary != nullptr) return std::nullopt;
    if (type.kind == CellKind::number || type.kind == CellKind::boolean) return type.dtype;
    if (type.kind != CellKind::list && type.kind != CellKind::fixed_list) return std::nullopt;
    schema = schema->children[0];
  }
}

std::string expected_type(const DataDesc& input) {
  if (is_text(input)) return "a column of strings";
  return concat(is_float(input.dtype) ? "numbers" : "integers", ", or lists of them");
}

void require_type(const ArrowSchema& column, const DataDesc& input) {
  if (arrow_type(column).kind == CellKind::null) return;
  if (is_text(input)) {
    if (arrow_type(column).kind == CellKind::text) return;
  } else if (const std::optional<DType> numbers = number_type(column)) {
    if (can_convert(*numbers, input.dtype)) return;
  }
  fail(ErrorCode::invalid_argument, "column '", printable(column_name(column)), "' is of type ",
       arrow_type_name(column), ", but input '", printable(input.name), "' (", to_string(input), ") takes ",
       expected_type(input), "; cast the column, or name others");
}

void require_size(const ArrowSchema& table, const BoundInput& bound, const DataDesc& input) {
  if (is_text(input)) {
    if (bound.columns.size() == 1) return;
    fail(ErrorCode::invalid_argument, "input '", printable(input.name), "' takes texts of one column, but ",
         bound.columns.size(), " columns are named for it");
  }
  const std::int64_t wanted = sample_count(input);
  std::int64_t given = 0;
  for (const std::int64_t column : bound.columns) {
    const ArrowSchema& schema = *table.children[column];
    const std::int64_t size = cell_size(schema);
    if (size < 0) return;  // checked row by row
    given += size;
  }
  if (wanted < 0 || given == wanted) return;
  fail(ErrorCode::invalid_argument, "the ", bound.columns.size(),
       bound.columns.size() == 1 ? " column" : " columns", " for input '", printable(input.name), "' have ",
       given, given == 1 ? " number" : " numbers", " a row, but a sample of it (", to_string(input), ") has ",
       wanted, "; name a column for each number, or a column of lists of that length");
}

const DataDesc& named_input(const InputColumns& columns, const std::vector<DataDesc>& inputs) {
  if (columns.input.empty() && inputs.size() == 1) return inputs[0];
  for (const DataDesc& input : inputs) {
    if (input.name == columns.input) return input;
  }
  if (columns.input.empty()) {
    fail(ErrorCode::invalid_argument,
         "columns are named without an input, but the model has several: ", api::names_of(inputs),
         "; name the input too");
  }
  fail(ErrorCode::invalid_argument, "columns are named for input '", printable(columns.input),
       "', which the model does not have; it has ", api::names_of(inputs));
}

std::vector<BoundInput> by_names(const ArrowSchema& table, const std::vector<InputColumns>& columns,
                                 const std::vector<DataDesc>& inputs) {
  std::vector<BoundInput> bound;
  for (const InputColumns& each : columns) {
    const DataDesc& input = named_input(each, inputs);
    const auto index = static_cast<std::size_t>(&input - inputs.data());
    if (std::any_of(bound.begin(), bound.end(),
                    [&](const BoundInput& other) { return other.input == index; })) {
      fail(ErrorCode::invalid_argument, "columns are named twice for input '", printable(input.name), "'");
    }
    if (each.columns.empty()) {
      fail(ErrorCode::invalid_argument, "no columns are named for input '", printable(input.name), "'");
    }
    bound.push_back({index, {}});
    for (const std::string& name : each.columns)
      bound.back().columns.push_back(require_column(table, name, input.name));
  }
  return bound;
}

std::vector<BoundInput> by_inputs(const ArrowSchema& table, const std::vector<DataDesc>& inputs) {
  std::vector<BoundInput> bound;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::int64_t found = find_column(table, inputs[i].name);
    if (found >= 0) bound.push_back({i, {found}});
  }
  return bound;
}

std::optional<ImageCells> image_cells(const ArrowSchema& column) {
  const ArrowType type = arrow_type(column);
  if (type.kind == CellKind::binary && type.size == 0) return ImageCells::files;
  if (type.kind == CellKind::text) return ImageCells::places;
  if (type.kind == CellKind::structure && image_members(column)) return ImageCells::pixels;
  return std::nullopt;
}

BoundImage only_image_column(const ArrowSchema& table, const std::string& input, bool takes_places) {
  std::vector<BoundImage> images, places;
  for (std::int64_t i = 0; i < table.n_children; ++i) {
    const std::optional<ImageCells> cells = image_cells(*table.children[i]);
    if (cells) (*cells == ImageCells::places ? places : images).push_back({i, *cells});
  }
  if (images.empty() && takes_places) images = places;
  if (images.size() == 1) return images[0];
  fail(ErrorCode::invalid_argument, "the table has ", images.empty() ? "no column" : "several columns",
       " that can be the images of input '", printable(input), "': it has ", columns_of(table),
       "; name the column that has them (binary: JPEG or PNG files; string: paths or addresses; a struct as "
       "Spark's image source gives it)");
}

}  // namespace

std::int64_t cell_size(const ArrowSchema& column) {
  if (column.dictionary != nullptr || arrow_type(column).kind == CellKind::null) return -1;
  std::int64_t size = 1;
  const ArrowSchema* schema = &column;
  for (ArrowType type = arrow_type(*schema); type.kind != CellKind::number && type.kind != CellKind::boolean;
       type = arrow_type(*schema)) {
    if (type.kind != CellKind::fixed_list) return -1;
    if (type.size > 0 && size > (std::int64_t{1} << 40) / type.size) return -1;
    size *= type.size;
    schema = schema->children[0];
  }
  return size;
}

std::optional<ImageMembers> image_members(const ArrowSchema& column) {
  if (column.dictionary != nullptr || arrow_type(column).kind != CellKind::structure) return std::nullopt;
  const auto member = [&](const char* name, bool is_data) {
    const std::int64_t index = find_column(column, name);
    if (index < 0) return index;
    const ArrowSchema& schema = *column.children[index];
    const ArrowType type = arrow_type(schema);
    const bool fits = is_data ? type.kind == CellKind::binary && type.size == 0
                              : type.kind == CellKind::number && type.dtype == DType::int32;
    return fits && schema.dictionary == nullptr ? index : -1;
  };
  const ImageMembers members{member("height", false), member("width", false), member("nChannels", false),
                             member("mode", false), member("data", true)};
  if (std::min({members.height, members.width, members.channels, members.mode, members.data}) < 0)
    return std::nullopt;
  return members;
}

std::vector<BoundInput> bind_inputs(const ArrowSchema& table, const std::vector<InputColumns>& columns,
                                    const std::vector<DataDesc>& inputs) {
  require_table(table);
  std::vector<BoundInput> bound =
      columns.empty() ? by_inputs(table, inputs) : by_names(table, columns, inputs);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const bool is_bound =
        std::any_of(bound.begin(), bound.end(), [&](const BoundInput& each) { return each.input == i; });
    if (is_bound || inputs[i].is_optional) continue;
    fail(ErrorCode::invalid_argument, "there is no column for input '", printable(inputs[i].name), "' (",
         to_string(inputs[i]), "): the table has ", columns_of(table),
         "; name a column like the input, or name the columns that it is made of");
  }
  for (const BoundInput& each : bound) {
    for (const std::int64_t column : each.columns) require_type(*table.children[column], inputs[each.input]);
    require_size(table, each, inputs[each.input]);
  }
  return bound;
}

BoundImage bind_image(const ArrowSchema& table, const std::vector<InputColumns>& columns,
                      const std::string& input, bool takes_places) {
  require_table(table);
  if (columns.empty()) return only_image_column(table, input, takes_places);
  if (columns.size() != 1 || columns[0].columns.size() != 1 ||
      (!columns[0].input.empty() && columns[0].input != input)) {
    fail(ErrorCode::invalid_argument, "the model takes images, by its one input '", printable(input),
         "': name one column for it");
  }
  const std::int64_t column = require_column(table, columns[0].columns[0], input);
  const ArrowSchema& schema = *table.children[column];
  const std::optional<ImageCells> cells = image_cells(schema);
  if (cells && (takes_places || *cells != ImageCells::places)) return {column, *cells};
  fail(ErrorCode::invalid_argument, "column '", printable(column_name(schema)), "' is of type ",
       arrow_type_name(schema), ", but images come from binary (JPEG or PNG files), ",
       takes_places ? "string (paths or addresses), " : "",
       "or a struct as Spark's image source gives it (height, width, nChannels, mode: int32; data: binary)",
       cells ? "; paths are for ImageClassifier and ObjectDetector" : "");
}

}  // namespace mxinfer::table
