#include "sources/remote/s3/aws_ini.h"

#include <utility>

#include "base/fail.h"
#include "base/text/take_line.h"
#include "base/text/trim.h"
#include "base/utf8.h"

namespace mxinfer::sources {
namespace {

std::string setting_name(std::string_view text) {
  std::string name(trimmed(text));
  for (char& c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return name;
}

/// Takes one line after the other.
class IniReader {
 public:
  explicit IniReader(const std::string& path) : path_(path) {}

  void take(std::string_view line) {
    ++number_;
    const std::string_view text = trimmed(line);
    if (text.empty() || text.front() == '#' || text.front() == ';') return;
    const std::size_t indent = line.find_first_not_of(" \t\r\f\v");
    if (value_ != nullptr && indent > indent_) return take_more(text);
    indent_ = indent;
    if (text.front() == '[' && text.find(']') != std::string_view::npos) return take_section(text);
    take_setting(text);
  }

  AwsSections sections;

 private:
  void take_section(std::string_view text) {
    section_ = &sections[std::string(trimmed(text.substr(1, text.rfind(']') - 1)))];
    value_ = nullptr;
  }

  void take_setting(std::string_view text) {
    const std::size_t mark = text.find_first_of("=:");
    if (mark == std::string_view::npos) refuse("neither [a section], nor name = value, nor a # comment");
    if (mark == 0) refuse("a value without a name");
    if (section_ == nullptr) refuse("a setting in front of the first [section]");
    name_ = setting_name(text.substr(0, mark));
    value_ = &(*section_)[name_];
    *value_ = trimmed(text.substr(mark + 1));
    has_nested_ = value_->empty();
  }

  /// A line that is indented further: of a nested setting, or more of the value.
  void take_more(std::string_view text) {
    if (!has_nested_) {
      *value_ += concat("\n", text);
      return;
    }
    const std::size_t mark = text.find('=');
    if (mark == std::string_view::npos) refuse("indented, but not name = value");
    (*section_)[concat(name_, ".", trimmed(text.substr(0, mark)))] = trimmed(text.substr(mark + 1));
  }

  [[noreturn]] void refuse(std::string_view what) const {
    fail(ErrorCode::malformed, printable(path_), kTrail, "line ", number_, " is ", what);
  }

  const std::string& path_;
  int number_ = 0;
  std::size_t indent_ = 0;
  AwsSection* section_ = nullptr;
  std::string name_;
  std::string* value_ = nullptr;
  bool has_nested_ = false;
};

}  // namespace

AwsSections parse_aws_ini(std::string_view text, const std::string& path) {
  text = without_byte_order_mark(text);
  IniReader reader(path);
  while (!text.empty()) reader.take(take_line(text));
  return std::move(reader.sections);
}

}  // namespace mxinfer::sources
