// Texts as rows of bytes: uint8 (N, bytes), UTF-8 with zero bytes behind it.
//
//   for_each_row(node, rows.count, [&](std::int64_t row) { tokenize(text_row(rows, row)); });
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/function_ref.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

struct TextRows {
  std::int64_t count = 0;
  std::int64_t bytes = 0;
};

/// Throws Error(invalid_argument) if input i is not uint8 of rank 2.
TextRows require_texts(const InferContext& context, std::size_t i);
TextRows text_rows(const TensorType& type);

/// The text of one row, without the zeros behind it.
std::string_view text_row(const TextRows& rows, const void* data, std::int64_t row);

/// Writes a row of `bytes` bytes, zeros behind the text. Throws Error(internal) if the text is longer.
void write_text_row(std::string_view text, void* data, std::int64_t bytes, std::int64_t row);

/// body(row) for all rows, on the threads of the arena. What a body throws becomes an error that names the
/// node and the row, the first of those that failed, whichever thread came to it.
void for_each_row(const std::string& node, std::int64_t rows, FunctionRef<void(std::int64_t row)> body);

}  // namespace mxinfer::ops
