// Writes models of SentencePiece byte by byte, sound or broken.
//
//   SentencePieceWriter writer;
//   writer.piece("<unk>", 0, PieceType::unknown).piece("▁a", -1).piece("b", -2);
//   std::string model = writer.finish();
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace mxinfer::test {

enum class PieceType { normal = 1, unknown = 2, control = 3, user_defined = 4, unused = 5, byte = 6 };

inline std::string proto_varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(0x80u | (value & 0x7fu));
  return bytes + static_cast<char>(value);
}

inline std::string proto_number(std::uint64_t field, std::uint64_t value) {
  return proto_varint(field << 3) + proto_varint(value);
}

inline std::string proto_bytes(std::uint64_t field, std::string_view bytes) {
  return proto_varint(field << 3 | 2) + proto_varint(bytes.size()) + std::string(bytes);
}

inline std::string proto_float(std::uint64_t field, float value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return proto_varint(field << 3 | 5) + bytes;
}

class SentencePieceWriter {
 public:
  explicit SentencePieceWriter(bool bpe = false) : bpe_(bpe) {}

  SentencePieceWriter& piece(std::string_view text, float score, PieceType type = PieceType::normal) {
    pieces_ += proto_bytes(
        1, proto_bytes(1, text) + proto_float(2, score) + proto_number(3, static_cast<std::uint64_t>(type)));
    return *this;
  }
  /// The table of the normalizer.
  SentencePieceWriter& charsmap(std::string_view table) {
    charsmap_ = table;
    return *this;
  }
  /// Fields of the whole, behind the others.
  SentencePieceWriter& more(const std::string& fields) {
    more_ += fields;
    return *this;
  }

  [[nodiscard]] std::string finish() const {
    const std::string normalizer = charsmap_.empty() ? std::string() : proto_bytes(2, charsmap_);
    return pieces_ + proto_bytes(2, proto_number(3, bpe_ ? 2 : 1)) + proto_bytes(3, normalizer) + more_;
  }

 private:
  bool bpe_;
  std::string pieces_{};
  std::string charsmap_{};
  std::string more_{};
};

/// A table that makes "a" of "A", its double array as words to break: the root, and the node of "A".
struct CharsmapWords {
  static constexpr std::size_t kNode = 256 ^ 'A';
  static constexpr std::size_t kValue = kNode ^ 0x40;
  std::vector<std::uint32_t> words = std::vector<std::uint32_t>(512, 1u << 31);
  std::string texts = std::string("a\0", 2);

  CharsmapWords() {
    words[0] = 256u << 10;
    words[kNode] = 0x40u << 10 | 1u << 8 | 'A';
    words[kValue] = 1u << 31;
  }
  [[nodiscard]] std::string table() const {
    const auto bytes = static_cast<std::uint32_t>(words.size() * sizeof(std::uint32_t));
    std::string table(sizeof bytes + bytes, '\0');
    std::memcpy(table.data(), &bytes, sizeof bytes);
    std::memcpy(table.data() + sizeof bytes, words.data(), bytes);
    return table + texts;
  }
};

/// Pieces for "hello world" and parts of it.
inline SentencePieceWriter small_sentencepiece(bool bpe = false) {
  SentencePieceWriter writer(bpe);
  writer.piece("<unk>", 0, PieceType::unknown).piece("<s>", 0, PieceType::control);
  writer.piece("</s>", 0, PieceType::control);
  float score = -1;
  for (const char* text : {"\u2581hello", "\u2581hell", "\u2581he", "llo", "ll", "\u2581h", "\u2581", "h",
                           "e", "l", "o", "w", "r", "d", "a"}) {
    writer.piece(text, score);
    score -= 1;
  }
  return writer;
}

}  // namespace mxinfer::test
