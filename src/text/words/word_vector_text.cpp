#include "text/words/word_vector_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "base/fail.h"
#include "base/text/take_line.h"
#include "base/text/trim.h"
#include "base/threads/thread_arena.h"
#include "base/utf8.h"
#include "text/words/vocabulary_data.h"

namespace mxinfer::text {
namespace {

/// Bytes that one thread reads at a time.
constexpr std::size_t kPieceBytes = std::size_t{1} << 20;
constexpr std::int64_t kMostDimensions = 65'536;

bool is_separator(char c) {
  return c == ' ' || c == '\t';
}

/// Lines that belong together.
struct Piece {
  std::string_view text;
  std::int64_t first_row = 0;   ///< of the matrix
  std::int64_t first_line = 0;  ///< of the file, from 1 on
  std::int64_t rows = 0;        ///< lines that are not empty
  std::int64_t lines = 0;
};

/// Removes trailing separators and line ends; leading ones belong to the word.
std::string_view trimmed_end(std::string_view line) {
  const std::size_t last = line.find_last_not_of(" \t\r\n");
  return line.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

/// visit(line without its end) for each.
template <typename Visit>
void visit_lines(std::string_view text, const Visit& visit) {
  while (!text.empty()) visit(trimmed_end(take_line(text)));
}

std::vector<Piece> cut(std::string_view text, std::int64_t first_line) {
  std::vector<Piece> pieces;
  while (!text.empty()) {
    const std::size_t line_end = text.find('\n', std::min(kPieceBytes, text.size() - 1));
    const std::size_t end = line_end == std::string_view::npos ? text.size() : line_end + 1;
    pieces.push_back({text.substr(0, end), 0, 0, 0, 0});
    text.remove_prefix(end);
  }
  parallel_for(static_cast<std::int64_t>(pieces.size()), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      Piece& piece = pieces[static_cast<std::size_t>(i)];
      visit_lines(piece.text, [&](std::string_view line) {
        ++piece.lines;
        piece.rows += line.empty() ? 0 : 1;
      });
    }
  });
  std::int64_t row = 0;
  for (Piece& piece : pieces) {
    piece.first_row = row;
    piece.first_line = first_line;
    row += piece.rows;
    first_line += piece.lines;
  }
  return pieces;
}

/// Removes the number at the front of the text and returns it; nullopt if there is none that float32 can
/// hold.
std::optional<float> take_number(std::string_view& text) {
  const char* begin = text.data();
  const char* const end = begin + text.size();
  if (begin != end && *begin == '+') ++begin;
  float value = 0;
  auto [stop, error] = std::from_chars(begin, end, value);
  if (error == std::errc::result_out_of_range) {
    // Either too small, which gives zero, or too large.
    double wide = 0;
    error = std::from_chars(begin, end, wide).ec;
    value = std::abs(wide) < 1 ? static_cast<float>(wide) : HUGE_VALF;
    if (error == std::errc::result_out_of_range) return std::nullopt;
  }
  if (error != std::errc() || !std::isfinite(value)) return std::nullopt;
  if (stop != end && !is_separator(*stop)) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  return value;
}

void skip_separators(std::string_view& text) {
  while (!text.empty() && is_separator(text.front())) text.remove_prefix(1);
}

/// Returns whether the text is exactly that many numbers; writes them.
bool read_numbers(std::string_view text, std::int64_t count, float* dst) {
  for (std::int64_t i = 0; i < count; ++i) {
    skip_separators(text);
    const std::optional<float> number = take_number(text);
    if (!number) return false;
    dst[i] = *number;
  }
  return text.empty();
}

/// The position of the separator in front of the last `count` fields of a line; nullopt if it has no further
/// fields.
std::optional<std::size_t> cut_before_last(std::string_view line, std::int64_t count) {
  std::size_t at = line.size();
  for (std::int64_t i = 0; i < count; ++i) {
    while (at > 0 && is_separator(line[at - 1])) --at;
    while (at > 0 && !is_separator(line[at - 1])) --at;
    if (at == 0) return std::nullopt;
  }
  return at - 1;
}

[[noreturn]] void reject_line(std::string_view line, std::int64_t number, std::int64_t dimensions) {
  fail(ErrorCode::malformed, "line ", number, ": expected a word and ", dimensions, " finite number",
       dimensions == 1 ? "" : "s", " separated by spaces or tabs, got \"", printable(line.substr(0, 60)),
       line.size() > 60 ? "..." : "", "\"");
}

/// The word; its vector goes to dst.
std::string_view read_line(std::string_view line, std::int64_t number, std::int64_t dimensions, float* dst) {
  const std::size_t blank = line.find_first_of(" \t");
  if (blank != std::string_view::npos && read_numbers(line.substr(blank), dimensions, dst))
    return line.substr(0, blank);
  // Some words have spaces in them.
  const std::optional<std::size_t> place = cut_before_last(line, dimensions);
  if (!place || !read_numbers(line.substr(*place), dimensions, dst)) reject_line(line, number, dimensions);
  return line.substr(0, *place);
}

void read_piece(const Piece& piece, WordRows& rows) {
  const std::int64_t dimensions = rows.matrix.shape()[1];
  std::int64_t row = piece.first_row, number = piece.first_line;
  visit_lines(piece.text, [&](std::string_view line) {
    if (!line.empty()) {
      float* const dst = rows.matrix.data<float>() + row * dimensions;
      rows.words[static_cast<std::size_t>(row)] = read_line(line, number, dimensions, dst);
      ++row;
    }
    ++number;
  });
}

std::int64_t fields_of(std::string_view line) {
  std::int64_t fields = 0;
  for (std::size_t i = 0; i < line.size(); ++i)
    fields += !is_separator(line[i]) && (i == 0 || is_separator(line[i - 1])) ? 1 : 0;
  return fields;
}

constexpr const char* kExpectedLines =
    "expected a line for each word, the word and its numbers separated by spaces or tabs, as in GloVe, "
    "word2vec and fastText";

std::int64_t checked_dimensions(std::int64_t dimensions, std::int64_t line) {
  if (dimensions < 1 || dimensions > kMostDimensions) {
    fail(ErrorCode::malformed, "line ", line, ": vectors of ", dimensions, " numbers; expected 1 to ",
         kMostDimensions, ", a word and its numbers per line");
  }
  return dimensions;
}

/// Of a first line that has one field.
[[noreturn]] void reject_single_field(std::string_view line, std::int64_t number) {
  const bool has_commas = line.find_first_of(",;") != std::string_view::npos;
  fail(ErrorCode::malformed, "line ", number, " is \"", printable(line.substr(0, 60)),
       line.size() > 60 ? "..." : "", "\", ",
       has_commas ? "which looks like CSV; write the commas as spaces: "
                  : "a word without numbers, as in a vocabulary; ",
       kExpectedLines);
}

std::int64_t dimensions_of(std::string_view line, std::int64_t number) {
  const std::int64_t fields = fields_of(line);
  if (fields < 2) reject_single_field(line, number);
  return checked_dimensions(fields - 1, number);
}

/// Removes leading empty lines and returns their number.
std::int64_t skip_empty_lines(std::string_view& text) {
  std::int64_t lines = 0;
  for (std::string_view rest = text; !rest.empty(); text = rest, ++lines) {
    if (!trimmed_end(take_line(rest)).empty()) return lines;
  }
  fail(ErrorCode::malformed, "all lines are empty; ", kExpectedLines);
}

void check_count(std::int64_t stated, std::int64_t found) {
  if (stated == found) return;
  fail(ErrorCode::malformed, "the first line says ", stated, " words, but ", found, " follow",
       found < stated ? "; is the file cut short?" : "");
}

WordRows rows_of(std::int64_t words, std::int64_t dimensions) {
  if (words > static_cast<std::int64_t>(kMostWords))
    fail(ErrorCode::malformed, "there are ", words, " words; the limit is ", kMostWords);
  WordRows rows;
  rows.words.resize(static_cast<std::size_t>(words));
  rows.matrix = Tensor::uninitialized(DType::float32, {words, dimensions});
  return rows;
}

/// Drops rows whose words appeared before or are not UTF-8.
void skip_rows(WordRows& rows) {
  const WordTable table(rows.words);
  const std::int64_t dimensions = rows.matrix.shape()[1];
  auto* const data = rows.matrix.data<float>();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < rows.words.size(); ++i) {
    const std::string& word = rows.words[i];
    if (word.size() > kLongestWord || !is_utf8(word) || table.find(word) != i) continue;
    if (kept != i) {
      rows.words[kept] = std::move(rows.words[i]);
      std::memcpy(data + static_cast<std::int64_t>(kept) * dimensions,
                  data + static_cast<std::int64_t>(i) * dimensions,
                  static_cast<std::size_t>(dimensions) * sizeof(float));
    }
    ++kept;
  }
  rows.skipped = rows.words.size() - kept;
  if (rows.skipped == 0) return;
  rows.words.resize(kept);
  const Shape shape{static_cast<std::int64_t>(kept), dimensions};
  rows.matrix = Tensor::copy_of(TensorView(data, shape));
}

}  // namespace

std::optional<VectorCounts> counts_of(std::string_view first_line) {
  std::string_view rest = trimmed(first_line);
  std::int64_t numbers[2] = {};
  for (std::int64_t& number : numbers) {
    skip_separators(rest);
    const auto [stop, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    if (error != std::errc() || number < 0) return std::nullopt;
    rest.remove_prefix(static_cast<std::size_t>(stop - rest.data()));
    if (!rest.empty() && !is_separator(rest.front())) return std::nullopt;
  }
  if (!rest.empty()) return std::nullopt;
  return VectorCounts{numbers[0], numbers[1]};
}

WordRows read_vector_lines(std::string_view text) {
  const std::int64_t line = skip_empty_lines(text) + 1;
  const std::string_view first = text.substr(0, text.find('\n'));
  const std::optional<VectorCounts> counts = counts_of(first);
  if (counts) text.remove_prefix(std::min(text.size(), first.size() + 1));
  const std::int64_t dimensions =
      counts ? checked_dimensions(counts->dimensions, line) : dimensions_of(trimmed_end(first), line);
  const std::vector<Piece> pieces = cut(text, counts ? line + 1 : line);
  const std::int64_t found = pieces.empty() ? 0 : pieces.back().first_row + pieces.back().rows;
  if (counts) check_count(counts->words, found);
  // A number and its space take at least two bytes, which bounds the memory for the matrix.
  if (found > static_cast<std::int64_t>(text.size()) / (2 * dimensions) + 1)
    fail(ErrorCode::malformed, "the lines are too short for a word and ", dimensions, " numbers each");
  WordRows rows = rows_of(found, dimensions);
  parallel_for(static_cast<std::int64_t>(pieces.size()), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) read_piece(pieces[static_cast<std::size_t>(i)], rows);
  });
  skip_rows(rows);
  return rows;
}

WordRows read_word2vec(std::string_view bytes) {
  const std::size_t line = bytes.find('\n');
  const VectorCounts counts = *counts_of(bytes.substr(0, line));
  std::string_view rest = line == std::string_view::npos ? std::string_view() : bytes.substr(line + 1);
  const auto vector_bytes =
      static_cast<std::size_t>(checked_dimensions(counts.dimensions, 1)) * sizeof(float);
  // A word takes a space at least.
  if (static_cast<std::size_t>(counts.words) > rest.size() / (vector_bytes + 1)) {
    fail(ErrorCode::malformed, "the first line says ", counts.words, " words of ", counts.dimensions,
         " numbers, for which ", rest.size(), " bytes are too few; is the file cut short?");
  }
  WordRows rows = rows_of(counts.words, counts.dimensions);
  auto* dst = rows.matrix.data<float>();
  for (std::string& word : rows.words) {
    // Some writers end each vector with a line end, others do not.
    if (rest.starts_with('\n')) rest.remove_prefix(1);
    const std::size_t space = rest.substr(0, kLongestWord + 1).find(' ');
    if (space == std::string_view::npos || rest.size() - space - 1 < vector_bytes) {
      fail(ErrorCode::malformed, "word ", static_cast<std::int64_t>(&word - rows.words.data()) + 1, " of ",
           counts.words, ": expected it, a space, and ", vector_bytes,
           " bytes of numbers; is the file cut short?");
    }
    word = rest.substr(0, space);
    std::memcpy(dst, rest.data() + space + 1, vector_bytes);
    for (std::int64_t i = 0; i < counts.dimensions; ++i) {
      if (!std::isfinite(dst[i]))
        fail(ErrorCode::malformed, "a number of the word ", quoted(word), " is not finite");
    }
    dst += counts.dimensions;
    rest.remove_prefix(space + 1 + vector_bytes);
  }
  skip_rows(rows);
  return rows;
}

}  // namespace mxinfer::text
