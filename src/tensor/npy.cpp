#include "tensor/npy.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "base/checked.h"
#include "base/fail.h"
#include "base/files/file.h"

namespace mxinfer {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

struct TypeName {
  std::string_view text;  // without the byte order
  DType dtype;
};
constexpr TypeName kTypeNames[] = {
    {"f4", DType::float32},  {"f8", DType::float64}, {"f2", DType::float16}, {"u1", DType::uint8},
    {"i4", DType::int32},    {"i1", DType::int8},    {"i8", DType::int64},   {"b1", DType::boolean},
    {"i2", DType::int16},    {"u2", DType::uint16},  {"u4", DType::uint32},  {"u8", DType::uint64},
    {"V2", DType::bfloat16},
};

struct ElementType {
  DType dtype = DType::float32;
  bool big_endian = false;
};

// The dtype of numbers named by a text such as "<f4".
ElementType element_type(std::string_view descr) {
  const std::string_view order = descr.substr(0, 1);
  for (const TypeName& type : kTypeNames) {
    if (descr.substr(order.size()) != type.text || std::string_view("<>|=").find(order) == order.npos)
      continue;
    return {type.dtype, order == ">"};
  }
  fail(ErrorCode::unsupported, "element type '", printable(descr),
       "'; expected bool, int8 to int64, uint8 to uint64, float16, float32 or float64");
}

// Reads the header's text, a Python dictionary such as {'descr': '<f4', 'fortran_order': False, 'shape': (3,
// 4), }.
class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : text_(text) {}

  NpyHeader parse() {
    NpyHeader header;
    bool descr = false, order = false, shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string_view key = quoted("a key");
      expect(':');
      if (key == "descr" && !std::exchange(descr, true)) {
        parse_descr(header);
      } else if (key == "fortran_order" && !std::exchange(order, true)) {
        header.fortran_order = parse_flag();
      } else if (key == "shape" && !std::exchange(shape, true)) {
        header.shape = parse_shape();
      } else {
        fail(ErrorCode::malformed, "header key '", printable(key), "' is unknown or appears twice");
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    if (!descr || !order || !shape) {
      fail(ErrorCode::malformed, "the header lacks '",
           !descr   ? "descr"
           : !order ? "fortran_order"
                    : "shape",
           "'");
    }
    skip_space();
    if (at_ != text_.size()) fail_here("the end of the header");
    return header;
  }

 private:
  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
  }
  bool accept(char c) {
    skip_space();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail_here(std::string("'") + c + "'");
  }
  [[noreturn]] void fail_here(const std::string& expected) const {
    fail(ErrorCode::malformed, "header byte ", at_, ": expected ", expected, ", got '",
         printable(text_.substr(at_, 20)), "'");
  }

  std::string_view quoted(const char* what) {
    skip_space();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote != '\'' && quote != '"') fail_here(std::string(what) + " in quotes");
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) fail_here(std::string("the closing quote of ") + what);
    const std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return inside;
  }

  void parse_descr(NpyHeader& header) {
    skip_space();
    if (at_ < text_.size() && text_[at_] == '[') {
      fail(ErrorCode::unsupported, "an array of records; expected one of numbers");
    }
    header.type = quoted("an element type");
  }

  bool parse_flag() {
    skip_space();
    for (const bool value : {true, false}) {
      const std::string_view word = value ? "True" : "False";
      if (text_.substr(at_, word.size()) != word) continue;
      at_ += word.size();
      return value;
    }
    fail_here("True or False");
  }

  Shape parse_shape() {
    Shape shape;
    expect('(');
    while (!accept(')')) {
      shape.push_back(parse_size());
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return shape;
  }

  std::int64_t parse_size() {
    skip_space();
    std::int64_t size = 0;
    const std::size_t start = at_;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
      const auto next = checked_mul(size, 10);
      const auto sum = next ? checked_add(*next, text_[at_] - '0') : std::nullopt;
      if (!sum) fail(ErrorCode::malformed, "header byte ", start, ": a dimension exceeds 2^63 - 1");
      size = *sum;
    }
    if (at_ == start) fail_here("a dimension");
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // Python 2 wrote long integers like this
    return size;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

std::size_t read_little_endian(Span<const std::byte> bytes, std::size_t at, std::size_t count) {
  std::size_t value = 0;
  for (std::size_t i = count; i-- > 0;) value = value << 8 | std::to_integer<std::size_t>(bytes[at + i]);
  return value;
}

void need(Span<const std::byte> bytes, std::size_t size, const char* what) {
  if (bytes.size() < size) {
    fail(ErrorCode::malformed, "the file ends inside ", what, ": ", size, " bytes are needed, there are ",
         bytes.size());
  }
}

std::size_t checked_bytes(DType dtype, const Shape& shape) {
  std::optional<std::int64_t> total = static_cast<std::int64_t>(size_of(dtype));
  for (std::int64_t dim : shape) {
    if (total) total = checked_mul(*total, dim);
  }
  if (!total) fail(ErrorCode::malformed, "shape ", to_string(shape), " has more than 2^63 - 1 bytes");
  return static_cast<std::size_t>(*total);
}

// Converts column-major elements to row-major order.
void copy_transposed(const std::byte* src, std::byte* dst, const Shape& shape, std::size_t element) {
  const std::size_t rank = shape.rank();
  std::int64_t index[Shape::kMaxRank] = {};
  std::int64_t stride[Shape::kMaxRank] = {};
  std::int64_t step = 1;
  for (std::size_t d = 0; d < rank; ++d) {
    stride[d] = step;
    step *= shape[d];
  }
  std::int64_t at = 0;
  for (std::int64_t i = 0; i < step; ++i) {
    std::memcpy(dst + static_cast<std::size_t>(i) * element, src + static_cast<std::size_t>(at) * element,
                element);
    for (std::size_t d = rank; d-- > 0;) {
      at += stride[d];
      if (++index[d] < shape[d]) break;
      at -= stride[d] * shape[d];
      index[d] = 0;
    }
  }
}

void swap_byte_order(std::byte* data, std::size_t bytes, std::size_t element) {
  for (std::size_t i = 0; i < bytes; i += element) std::reverse(data + i, data + i + element);
}

std::string_view type_text(DType dtype) {
  for (const TypeName& type : kTypeNames) {
    if (type.dtype == dtype) return type.text;
  }
  fail(ErrorCode::unsupported, "elements of type ", to_string(dtype), " have no .npy form");
}

}  // namespace

NpyHeader read_npy_header(Span<const std::byte> bytes) {
  need(bytes, 8, "the magic number");
  if (std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0) {
    fail(ErrorCode::malformed, "not a .npy file: it does not begin with \\x93NUMPY");
  }
  const int major = std::to_integer<int>(bytes[6]);
  if (major < 1 || major > 3) fail(ErrorCode::unsupported, ".npy version ", major, "; expected 1, 2 or 3");
  const std::size_t length_bytes = major == 1 ? 2 : 4;
  const std::size_t start = 8 + length_bytes;
  need(bytes, start, "the header's length");
  const std::size_t length = read_little_endian(bytes, 8, length_bytes);
  need(bytes, start + length, "the header");
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()) + start, length);
  NpyHeader header = HeaderParser(text).parse();
  header.start = start + length;
  return header;
}

Tensor read_npy(Span<const std::byte> bytes, const std::string& name) {
  return in_context([&] { return name; },
                    [&] {
                      const NpyHeader header = read_npy_header(bytes);
                      const auto [dtype, big_endian] = element_type(header.type);
                      const std::size_t size = checked_bytes(dtype, header.shape);
                      const auto elements = bytes.subspan(header.start, bytes.size() - header.start);
                      if (elements.size() != size) {
                        fail(ErrorCode::malformed, "an array of ", to_string(dtype), " ",
                             to_string(header.shape), " has ", size, " bytes, but ", elements.size(),
                             " follow the header");
                      }
                      Tensor tensor = Tensor::uninitialized(dtype, header.shape);
                      if (size == 0) return tensor;
                      const std::size_t element = size_of(dtype);
                      auto* data = static_cast<std::byte*>(tensor.raw());
                      if (header.fortran_order && header.shape.rank() > 1) {
                        copy_transposed(elements.data(), data, header.shape, element);
                      } else {
                        std::memcpy(data, elements.data(), size);
                      }
                      if (big_endian && element > 1) swap_byte_order(data, size, element);
                      if (dtype == DType::boolean) {  // any other byte would not be a bool to the compiler
                        for (std::size_t i = 0; i < size; ++i)
                          data[i] = data[i] == std::byte{0} ? std::byte{0} : std::byte{1};
                      }
                      return tensor;
                    });
}

Tensor load_npy(const std::string& path) {
  return read_npy(read_file(path), printable(path));
}

std::vector<std::byte> write_npy(const TensorView& tensor) {
  const bool single_byte = size_of(tensor.dtype()) == 1;
  std::string header = concat("{'descr': '", single_byte ? "|" : "<", type_text(tensor.dtype()),
                              "', 'fortran_order': False, 'shape': ", to_string(tensor.shape()), ", }");
  // The elements begin at a multiple of 64, and the header ends with a line break.
  constexpr std::size_t kPrefix = 10, kAlign = 64;
  header.append(kAlign - (kPrefix + header.size() + 1) % kAlign, ' ');
  header += '\n';
  const std::size_t size = static_cast<std::size_t>(tensor.shape().elements()) * size_of(tensor.dtype());
  std::vector<std::byte> bytes(kPrefix + header.size() + size);
  std::memcpy(bytes.data(), kMagic.data(), kMagic.size());
  bytes[6] = std::byte{1};
  bytes[8] = static_cast<std::byte>(header.size() & 0xff);
  bytes[9] = static_cast<std::byte>(header.size() >> 8);
  std::memcpy(bytes.data() + kPrefix, header.data(), header.size());
  if (size > 0) std::memcpy(bytes.data() + kPrefix + header.size(), tensor.raw(), size);
  return bytes;
}

void save_npy(const std::string& path, const TensorView& tensor) {
  write_file(path, write_npy(tensor));
}

}  // namespace mxinfer
