#include "formats/strict_json.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/fail.h"

namespace mxinfer::formats {
namespace {

using nlohmann::json;

std::string position(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const auto last = before.rfind('\n');
  const std::size_t column = last == std::string_view::npos ? before.size() + 1 : before.size() - last;
  return concat("line ", line, ", column ", column);
}

// Looks on while the parser works, and refuses what the parser would accept.
class Guard {
 public:
  explicit Guard(const JsonLimits& limits) : limits_(limits) {}

  bool operator()(int depth, json::parse_event_t event, json& parsed) {
    switch (event) {
      case json::parse_event_t::object_start:
        keys_.emplace_back();
        check_depth(depth);
        break;
      case json::parse_event_t::array_start:
        check_depth(depth);
        break;
      case json::parse_event_t::object_end:
        keys_.pop_back();
        break;
      case json::parse_event_t::key:
        check_key(parsed.get_ref<const std::string&>());
        break;
      default:
        break;
    }
    if (++values_ > limits_.values) {
      fail(ErrorCode::malformed, "the JSON holds more than ", limits_.values, " values");
    }
    return true;
  }

 private:
  void check_depth(int depth) const {
    if (depth >= limits_.depth) {
      fail(ErrorCode::malformed, "the JSON is nested more than ", limits_.depth, " levels deep");
    }
  }
  void check_key(const std::string& key) {
    if (!keys_.back().insert(key).second) {
      fail(ErrorCode::malformed, "key \"", printable(key), "\" is twice in one JSON object");
    }
  }

  const JsonLimits& limits_;
  std::vector<std::set<std::string>> keys_;
  std::size_t values_ = 0;
};

}  // namespace

json parse_strict_json(std::string_view text, const JsonLimits& limits) {
  Guard guard(limits);
  try {
    return json::parse(text.begin(), text.end(), std::ref(guard));
  } catch (const json::parse_error& e) {
    // The parser's own text repeats the position, and quotes what it read.
    std::string_view reason = e.what();
    const auto start = reason.find("syntax error");
    if (start != std::string_view::npos) reason = reason.substr(start);
    fail(ErrorCode::malformed, "not JSON at ", position(text, e.byte > 0 ? e.byte - 1 : 0), ": ",
         printable(reason));
  } catch (const json::exception& e) {
    fail(ErrorCode::malformed, "not JSON that can be read: ", printable(e.what()));
  }
}

}  // namespace mxinfer::formats
