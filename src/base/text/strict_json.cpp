#include "base/text/strict_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/fail.h"

namespace mxinfer {
namespace {

using nlohmann::json;

std::string position(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const auto last = before.rfind('\n');
  const std::size_t column = last == std::string_view::npos ? before.size() + 1 : before.size() - last;
  return concat("line ", line, ", column ", column);
}

// Builds the value while the parser reads, and rejects more than the parser does. The parser's own callback
// would take quadratic time for a list: it searches the whole parent at the end of every element.
class Builder final : public nlohmann::json_sax<json> {
 public:
  Builder(std::string_view text, const JsonLimits& limits) : text_(text), limits_(limits) {}

  json take() { return std::move(root_); }

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(number_integer_t value) override { return put(value); }
  bool number_unsigned(number_unsigned_t value) override { return put(value); }
  bool number_float(number_float_t value, const string_t&) override { return put(value); }
  bool string(string_t& value) override { return put(std::move(value)); }
  bool binary(binary_t&) override { fail(ErrorCode::internal, "a JSON text holds binary data"); }

  bool start_object(std::size_t) override { return open(json::object()); }
  bool start_array(std::size_t) override { return open(json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    const auto [place, is_new] = open_.back()->emplace(std::move(name), nullptr);
    if (!is_new) {
      fail(ErrorCode::malformed, "key \"", printable(place.key()), "\" appears twice in one JSON object");
    }
    member_ = &*place;
    return true;
  }

  bool parse_error(std::size_t offset, const std::string&, const json::exception& error) override {
    if (dynamic_cast<const json::parse_error*>(&error) == nullptr) {
      fail(ErrorCode::malformed, "not JSON that can be read: ", printable(error.what()));
    }
    // The parser's own text repeats the position, and quotes what it read.
    std::string_view reason = error.what();
    const auto start = reason.find("syntax error");
    if (start != std::string_view::npos) reason = reason.substr(start);
    fail(ErrorCode::malformed, "not JSON at ", position(text_, offset > 0 ? offset - 1 : 0), ": ",
         printable(reason));
  }

 private:
  bool put(json value) {
    place(std::move(value));
    return true;
  }

  bool open(json container) {
    if (open_.size() >= static_cast<std::size_t>(limits_.depth)) {
      fail(ErrorCode::malformed, "the JSON is nested more than ", limits_.depth, " levels deep");
    }
    open_.push_back(place(std::move(container)));
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  // The address is valid until the enclosing container is closed: nothing is added to that meanwhile.
  json* place(json value) {
    if (++values_ > limits_.values) {
      fail(ErrorCode::malformed, "the JSON holds more than ", limits_.values, " values");
    }
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    if (open_.back()->is_array()) return &open_.back()->emplace_back(std::move(value));
    *member_ = std::move(value);
    return member_;
  }

  std::string_view text_;
  const JsonLimits& limits_;
  json root_;
  std::vector<json*> open_;  // the open containers, outermost first
  json* member_ = nullptr;   // where the value of the open object's last key goes
  std::size_t values_ = 0;
};

}  // namespace

json parse_strict_json(std::string_view text, const JsonLimits& limits) {
  Builder builder(text, limits);
  json::sax_parse(text.begin(), text.end(), &builder);
  return builder.take();
}

}  // namespace mxinfer
