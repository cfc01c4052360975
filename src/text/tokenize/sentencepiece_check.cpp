#include "text/tokenize/sentencepiece_check.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "text/tokenize/charsmap_check.h"
#include "text/tokenize/proto_fields.h"

namespace mxinfer::text {
namespace {

// Numbers of fields in sentencepiece_model.proto.
constexpr std::uint64_t kPieces = 1, kNormalizer = 3, kSelfTest = 4, kDenormalizer = 5;
constexpr std::uint64_t kPieceText = 1, kPieceType = 3;
constexpr std::uint64_t kUserDefined = 4;
constexpr std::uint64_t kCharsmap = 2;

// The library builds its table of pieces, and splits unused BPE pieces, by functions that recurse once per
// byte. This bounds the stack of both.
constexpr std::size_t kLongestPiece = 1024;

// The most matches that a search for user-defined pieces keeps.
constexpr std::size_t kMostNested = 64;

std::size_t check_normalizer(std::string_view message) {
  std::size_t longest = 0;
  for (ProtoFields fields(message); fields.next();) {
    if (fields.number() == kCharsmap) longest = std::max(longest, check_charsmap(fields.bytes()));
  }
  return longest;
}

void check_length(std::string_view piece) {
  if (piece.size() > kLongestPiece) {
    fail(ErrorCode::malformed, "a piece of ", piece.size(), " bytes; expected ", kLongestPiece, " at most");
  }
}

// Adds the piece to the user-defined ones if it may be one. The library keeps the last valid type and skips
// invalid ones and fields of a wrong kind, so a piece that states the type anywhere may count as
// user-defined.
void note_piece(std::string_view message, std::vector<std::string_view>& user_defined) {
  std::string_view text;
  bool may_be_user_defined = false;
  for (ProtoFields fields(message); fields.next();) {
    if (fields.number() == kPieceText && fields.is_bytes()) {
      text = fields.bytes();
      check_length(text);
    }
    // The library reads 32 bits of the type.
    if (fields.number() == kPieceType && static_cast<std::uint32_t>(fields.value()) == kUserDefined)
      may_be_user_defined = true;
  }
  // It reads the text up to a zero byte.
  if (may_be_user_defined) user_defined.push_back(text.substr(0, text.find('\0')));
}

void check_nesting(std::vector<std::string_view> pieces) {
  std::sort(pieces.begin(), pieces.end());
  std::vector<std::string_view> starts;  // each is a prefix of the next, and all are prefixes of the piece
  for (const std::string_view piece : pieces) {
    while (!starts.empty() && piece.substr(0, starts.back().size()) != starts.back()) starts.pop_back();
    starts.push_back(piece);
    if (starts.size() > kMostNested) {
      fail(ErrorCode::malformed, "more than ", kMostNested,
           " pieces that the user defined begin one another, '", printable(piece), "' among them");
    }
  }
}

}  // namespace

std::size_t check_sentencepiece_model(std::string_view model) {
  if (model.size() > kMostModelBytes) {
    fail(ErrorCode::malformed, "a model of ", model.size(), " bytes; expected ", kMostModelBytes, " at most");
  }
  std::size_t longest = 1;  // that one byte of a text becomes
  std::size_t longest_sample = 0;
  std::size_t pieces = 0;
  std::vector<std::string_view> user_defined;
  for (ProtoFields fields(model); fields.next();) {
    if (fields.number() == kPieces) {
      note_piece(fields.bytes(), user_defined);
      ++pieces;
    } else if (fields.number() == kNormalizer || fields.number() == kDenormalizer) {
      in_context([&] { return fields.number() == kNormalizer ? "normalizer_spec" : "denormalizer_spec"; },
                 [&] { longest = std::max(longest, check_normalizer(fields.bytes())); });
    } else if (fields.number() == kSelfTest) {
      longest_sample = std::max(longest_sample, fields.bytes().size());
    }
  }
  if (pieces == 0) fail(ErrorCode::malformed, "there are no pieces in it");
  check_nesting(std::move(user_defined));
  // A space becomes three bytes.
  const std::size_t most_bytes = static_cast<std::size_t>(std::numeric_limits<int>::max()) / 3 / longest;
  // The library tokenizes the model's own samples when it loads a model.
  if (longest_sample > most_bytes) {
    fail(ErrorCode::malformed, "samples of ", longest_sample, " bytes; expected ", most_bytes, " at most");
  }
  return most_bytes;
}

}  // namespace mxinfer::text
