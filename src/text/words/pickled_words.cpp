#include "text/words/pickled_words.h"

#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "base/checked.h"
#include "base/fail.h"
#include "base/utf8.h"
#include "tensor/npy.h"
#include "text/words/vocabulary_data.h"

namespace mxinfer::text {
namespace {

/// An array of words has one list. These limits bound the memory for malicious files: each value takes many
/// times the memory of the byte that creates it, even more so if the file is compressed.
constexpr std::size_t kMostLists = 1'000;
/// The most values on the stack, memo entries and texts: each word takes one of each, and the array a few.
constexpr std::size_t kMostValues = 2 * kMostWords;

/// An instruction that pops values, pushes one or none, and creates nothing that matters here.
struct Plain {
  unsigned char code;
  std::size_t operand;  ///< bytes behind the code
  std::size_t taken;
  bool gives;
};

/// Names as in Python's module pickle.
constexpr Plain kPlain[] = {
    {0x80, 1, 0, false},  // PROTO
    {0x95, 8, 0, false},  // FRAME
    {'0', 0, 1, false},   // POP
    {0x93, 0, 2, true},   // STACK_GLOBAL
    {'R', 0, 2, true},    // REDUCE
    {0x81, 0, 2, true},   // NEWOBJ
    {'b', 0, 1, false},   // BUILD
    {')', 0, 0, true},    // EMPTY_TUPLE
    {'}', 0, 0, true},    // EMPTY_DICT
    {'N', 0, 0, true},    // NONE
    {0x88, 0, 0, true},   // NEWTRUE
    {0x89, 0, 0, true},   // NEWFALSE
    {0x85, 0, 1, true},   // TUPLE1
    {0x86, 0, 2, true},   // TUPLE2
    {0x87, 0, 3, true},   // TUPLE3
    {'J', 4, 0, true},    // BININT
    {'K', 1, 0, true},    // BININT1
    {'M', 2, 0, true},    // BININT2
    {'G', 8, 0, true},    // BINFLOAT
};

/// The virtual machine that runs pickles. Values are texts, lists of texts, and opaque others.
class Unpickler {
 public:
  explicit Unpickler(std::string_view pickle) : pickle_(pickle) {}

  std::vector<std::string> run() {
    while (step(static_cast<unsigned char>(take(1)[0]))) {
    }
    const std::vector<std::uint32_t>* found = nullptr;
    for (const std::vector<std::uint32_t>& list : lists_) {
      if (list.empty()) continue;
      if (found != nullptr) reject("there is more than one list of texts");
      found = &list;
    }
    return found != nullptr ? texts_of(*found) : std::vector<std::string>();
  }

 private:
  enum class Kind : std::uint8_t { other, mark, text, list };
  struct Value {
    Kind kind = Kind::other;
    std::uint32_t index = 0;  ///< in texts_ or lists_
  };

  [[noreturn]] void reject(const std::string& what) const {
    fail(ErrorCode::malformed, "byte ", at_, " of the pickled words: ", what);
  }

  std::string_view take(std::size_t bytes) {
    if (bytes > pickle_.size() - at_) {
      reject(concat(bytes, " bytes are needed, ", pickle_.size() - at_, " are left"));
    }
    at_ += bytes;
    return pickle_.substr(at_ - bytes, bytes);
  }

  std::uint64_t number(std::size_t bytes) {
    const std::string_view digits = take(bytes);
    std::uint64_t value = 0;
    for (std::size_t i = bytes; i-- > 0;) value = value << 8 | static_cast<unsigned char>(digits[i]);
    return value;
  }

  void skip_line() {
    const std::size_t end = pickle_.find('\n', at_);
    if (end == std::string_view::npos) reject("a line without an end");
    at_ = end + 1;
  }

  void require_room(std::size_t count, std::size_t most, const char* what) const {
    if (count >= most) reject(concat("there are more than ", most, " ", what));
  }

  void push(Value value) {
    require_room(stack_.size(), kMostValues, "values at a time");
    stack_.push_back(value);
  }
  Value pop() {
    if (stack_.empty()) reject("the stack is empty");
    const Value value = stack_.back();
    stack_.pop_back();
    return value;
  }
  void pop(std::size_t count) {
    while (count-- > 0) pop();
  }
  void pop_to_mark() {
    while (pop().kind != Kind::mark) {
    }
  }

  void push_text(std::size_t length_bytes) {
    const std::uint64_t length = number(length_bytes);
    if (length > pickle_.size()) reject(concat("a text of ", length, " bytes"));
    require_room(texts_.size(), kMostValues, "texts");
    texts_.push_back(take(static_cast<std::size_t>(length)));
    push({Kind::text, static_cast<std::uint32_t>(texts_.size() - 1)});
  }

  void push_list() {
    require_room(lists_.size(), kMostLists, "lists");
    lists_.emplace_back();
    push({Kind::list, static_cast<std::uint32_t>(lists_.size() - 1)});
  }

  void append(Value list, Value value) {
    if (list.kind != Kind::list) reject("an item is added to something that is not a list");
    if (value.kind != Kind::text) reject("an object of the array is not a text");
    lists_[list.index].push_back(value.index);
  }

  /// Appends the values after the last mark to the list in front of it.
  void append_all() {
    std::size_t mark = stack_.size();
    while (mark > 0 && stack_[mark - 1].kind != Kind::mark) --mark;
    if (mark < 2) reject("a list without a beginning");
    for (std::size_t i = mark; i < stack_.size(); ++i) append(stack_[mark - 2], stack_[i]);
    stack_.resize(mark - 1);
  }

  /// Python 3 numbers memo entries from 0, Python 2 from 1, so one number may be skipped.
  void remember(std::uint64_t place) {
    if (stack_.empty() || place > memo_.size() + 1) reject("a place in memory that is not the next one");
    require_room(static_cast<std::size_t>(place), kMostValues, "places in memory");
    if (place >= memo_.size()) memo_.resize(static_cast<std::size_t>(place) + 1);
    memo_[static_cast<std::size_t>(place)] = stack_.back();
  }
  void recall(std::uint64_t place) {
    if (place >= memo_.size()) reject("a place in memory where nothing is");
    push(memo_[static_cast<std::size_t>(place)]);
  }

  /// One instruction; false after the last.
  bool step(unsigned char code) {
    for (const Plain& plain : kPlain) {
      if (plain.code != code) continue;
      take(plain.operand);
      pop(plain.taken);
      if (plain.gives) push({});
      return true;
    }
    return code == '.' ? false : step_of_texts(code);
  }

  /// An instruction that creates texts or lists, or whose length is not fixed.
  bool step_of_texts(unsigned char code) {
    if (code == 'X' || code == 'T' || code == 'B') {  // BINUNICODE, BINSTRING, BINBYTES
      push_text(4);
    } else if (code == 0x8c || code == 'U' || code == 'C') {  // the same, of at most 255 bytes
      push_text(1);
    } else if (code == 0x8d) {  // BINUNICODE8
      push_text(8);
    } else if (code == ']') {  // EMPTY_LIST
      push_list();
    } else if (code == 'a') {  // APPEND
      append_one();
    } else if (code == 'e') {  // APPENDS
      append_all();
    } else if (code == '(') {  // MARK
      push({Kind::mark, 0});
    } else if (code == '1') {  // POP_MARK
      pop_to_mark();
    } else if (code == 't') {  // TUPLE
      pop_to_mark();
      push({});
    } else if (code == 'c') {  // GLOBAL: a module and a name in it, a line each
      skip_line();
      skip_line();
      push({});
    } else if (code == 0x8a) {  // LONG1
      take(static_cast<std::size_t>(number(1)));
      push({});
    } else {
      step_of_memory(code);
    }
    return true;
  }

  void step_of_memory(unsigned char code) {
    if (code == 'q') return remember(number(1));      // BINPUT
    if (code == 'r') return remember(number(4));      // LONG_BINPUT
    if (code == 0x94) return remember(memo_.size());  // MEMOIZE
    if (code == 'h') return recall(number(1));        // BINGET
    if (code == 'j') return recall(number(4));        // LONG_BINGET
    reject(concat("the instruction ", static_cast<int>(code), " is not one that lists of words need"));
  }

  void append_one() {
    const Value value = pop();
    if (stack_.empty()) reject("a list without a beginning");
    append(stack_.back(), value);
  }

  std::vector<std::string> texts_of(const std::vector<std::uint32_t>& list) const {
    // A pickle may push a text any number of times, but words appear once.
    std::size_t bytes = 0;
    std::vector<std::string> texts;
    for (const std::uint32_t index : list) {
      bytes += texts_[index].size();
      if (bytes > pickle_.size()) reject("a text appears many times");
      texts.emplace_back(texts_[index]);
    }
    return texts;
  }

  std::string_view pickle_;
  std::size_t at_ = 0;
  std::vector<Value> stack_;
  std::vector<Value> memo_;
  std::vector<std::string_view> texts_;
  std::vector<std::vector<std::uint32_t>> lists_;
};

/// The character of a code point; U+FFFD if it is invalid.
char32_t character_numbered(std::uint32_t number) {
  return number > 0x10ffff || (number >= 0xd800 && number < 0xe000) ? U'\ufffd' : number;
}

/// "<U7": each character is a number of 32 bits; zeros fill up.
std::string text_of_characters(Span<const std::byte> bytes) {
  std::string text;
  for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4) {
    std::uint32_t character = 0;
    std::memcpy(&character, bytes.data() + i, 4);
    if (character == 0) break;
    append_utf8(character_numbered(character), text);
  }
  return text;
}

/// "|S7": bytes; zeros fill up.
std::string text_of_bytes(Span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return std::string(text.substr(0, text.find('\0')));
}

/// The bytes of an element of a fixed width.
std::int64_t width_of(const NpyHeader& header) {
  std::int64_t width = 0;
  for (const char digit : std::string_view(header.type).substr(2)) {
    if (digit < '0' || digit > '9' || width > 1'000'000)
      fail(ErrorCode::malformed, "element type '", printable(header.type), "'");
    width = 10 * width + (digit - '0');
  }
  return header.type[1] == 'U' ? 4 * width : width;
}

std::vector<std::string> texts_of_width(const NpyHeader& header, Span<const std::byte> elements) {
  const std::int64_t width = width_of(header);
  std::optional<std::int64_t> count = 1;
  for (const std::int64_t dim : header.shape) {
    if (count) count = checked_mul(*count, dim);
  }
  const auto bytes = count ? checked_mul(*count, width) : std::nullopt;
  if (!bytes || static_cast<std::size_t>(*bytes) != elements.size() || (width == 0 && *count > 1)) {
    fail(ErrorCode::malformed, "an array of type '", printable(header.type), "' and shape ",
         to_string(header.shape), " does not have the ", elements.size(), " bytes that follow the header");
  }
  std::vector<std::string> texts;
  for (std::int64_t i = 0; i < *count; ++i) {
    const auto element =
        elements.subspan(static_cast<std::size_t>(i * width), static_cast<std::size_t>(width));
    texts.push_back(header.type[1] == 'U' ? text_of_characters(element) : text_of_bytes(element));
  }
  return texts;
}

}  // namespace

std::vector<std::string> read_pickled_texts(Span<const std::byte> pickle) {
  return Unpickler({reinterpret_cast<const char*>(pickle.data()), pickle.size()}).run();
}

std::vector<std::string> read_npy_texts(Span<const std::byte> bytes) {
  const NpyHeader header = read_npy_header(bytes);
  const auto elements = bytes.subspan(header.start, bytes.size() - header.start);
  if (header.type == "|O" || header.type == "O") return read_pickled_texts(elements);
  const std::string_view kind = std::string_view(header.type).substr(0, 2);
  if (kind != "<U" && kind != "|S" && kind != "=U") {
    fail(ErrorCode::malformed, "an array of type '", printable(header.type),
         "'; expected one of texts, '|O' or '<U...'");
  }
  return texts_of_width(header, elements);
}

}  // namespace mxinfer::text
