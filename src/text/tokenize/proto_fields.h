// ProtoFields: the fields of a message of Protocol Buffers, one after another, without a description of it.
//
//   for (ProtoFields fields(message); fields.next();) {
//     if (fields.number() == 3 && fields.is_bytes()) read(fields.bytes());
//   }
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace mxinfer::text {

class ProtoFields {
 public:
  explicit ProtoFields(std::string_view message) : rest_(message), size_(message.size()) {}

  /// Goes to the next field; false at the end. Throws Error(malformed) with the byte position if a field is
  /// cut short, or is a group, which is obsolete.
  bool next();

  [[nodiscard]] std::uint64_t number() const { return number_; }
  [[nodiscard]] bool is_bytes() const { return is_bytes_; }
  /// Of texts, byte strings and messages; empty for numbers.
  [[nodiscard]] std::string_view bytes() const { return bytes_; }
  /// Of numbers; 0 for others.
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t read_varint();
  std::string_view take(std::uint64_t bytes);

  std::string_view rest_;
  std::size_t size_;
  std::uint64_t number_ = 0;
  std::uint64_t value_ = 0;
  std::string_view bytes_;
  bool is_bytes_ = false;
};

}  // namespace mxinfer::text
