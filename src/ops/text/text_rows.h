// Texts as rows of bytes: uint8 (N, bytes), UTF-8 with zero bytes behind it.
//
//   for_each_row(node, rows.count, [&](std::int64_t row) { tokenize(text_row(rows, row)); });
//
// What operators that make ids of texts have in common: ids int32 (N, max_length), and how many there are,
// int32 (N).
//
// Tokenizers, each made once for the process: plans and models with the same vocabulary share what was made
// of its text. A tokenizer lives as long as a plan that has it. Any thread may ask.
//
//   auto tokenizer = shared_tokenizer(key, [&] { return text::WordPiece(parse_vocabulary_attr(...)); });
#pragma once

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

/// What a text may have of ids, so that rows of them stay possible.
inline constexpr std::int64_t kMostTextIds = std::int64_t{1} << 20;

AttrSpec max_length_attr();
/// "right" or "left": which end of a text that is too long is cut off.
AttrSpec truncate_side_attr();

/// The `length` ids of a text that are left of `ids`.
struct IdSpan {
  const std::int32_t* begin = nullptr;
  std::int64_t length = 0;
};
IdSpan cut_ids(const std::int32_t* ids, std::int64_t count, std::int64_t most, bool cuts_left);

/// Appends the ids of a text. Any thread may call it.
using AppendIds = std::function<void(std::string_view text, std::vector<std::int32_t>& ids)>;

/// What `make` gave for the same key, if that lives; else what it gives now. Throws what `make` throws.
std::shared_ptr<const AppendIds> shared_tokenizer(const std::string& key,
                                                  const std::function<AppendIds()>& make);

/// How many there are now; for tests.
std::size_t shared_tokenizers();

}  // namespace mxinfer::ops
