#include "compose/texts/text_vectors.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/fail.h"
#include "ops/text/vocabulary_attr.h"
#include "text/words/word_vectors_access.h"

namespace mxinfer::api {
namespace {

constexpr std::int64_t kNoRow = -1;

/// By id, the row of its word; kNoRow: zeros.
std::vector<std::int64_t> rows_of_ids(const Vocabulary& ids, const Vocabulary& words) {
  std::vector<std::int64_t> rows;
  bool finds_any = false;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const std::optional<std::int32_t> row = words.find(ids.word(static_cast<std::int32_t>(i)));
    finds_any = finds_any || row.has_value();
    rows.push_back(row ? *row : words.unknown_id().value_or(kNoRow));
  }
  if (!finds_any) {
    fail(ErrorCode::invalid_argument, "none of the ", ids.size(), " words of the vocabulary is one of the ",
         words.size(), " that have vectors; are they from another language, or in capital letters?");
  }
  return rows;
}

bool are_in_order(const std::vector<std::int64_t>& rows) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] != static_cast<std::int64_t>(i)) return false;
  }
  return true;
}

Tensor gathered(const WordVectors& vectors, const std::vector<std::int64_t>& rows) {
  Tensor matrix(DType::float32, {static_cast<std::int64_t>(rows.size()), vectors.dimensions()});
  auto* dst = matrix.data<float>();
  for (const std::int64_t row : rows) {
    if (row != kNoRow) {
      const Span<const float> vector = vectors.vector(static_cast<std::int32_t>(row));
      std::copy(vector.begin(), vector.end(), dst);
    }
    dst += vectors.dimensions();
  }
  return matrix;
}

}  // namespace

TextVectors load_text_vectors(const std::string& uri, const Vocabulary& ids) {
  ops::require_few_gaps(ids);
  const WordVectors vectors = WordVectorsAccess::load(uri, ids);
  if (!ids.empty()) {
    const std::vector<std::int64_t> rows =
        in_context([&] { return printable(uri); }, [&] { return rows_of_ids(ids, vectors.vocabulary()); });
    if (!are_in_order(rows)) return {ids, make_parameter(gathered(vectors, rows))};
  }
  const Vocabulary& words = ids.empty() ? vectors.vocabulary() : ids;
  return {words, WordVectorsAccess::parameter(vectors)};
}

}  // namespace mxinfer::api
