#include "cli/output/output.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/output/command_words.h"

namespace mxinfer::cli {
namespace {

bool quiet = false;

}  // namespace

void be_quiet() {
  quiet = true;
}
bool is_quiet() {
  return quiet;
}

void Table::print(std::ostream& out, std::string_view indent) const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const auto& row : rows_) {
    out << indent;
    for (std::size_t i = 0; i < row.size(); ++i) {
      out << row[i];
      if (i + 1 < row.size()) out << std::string(widths[i] - row[i].size() + 2, ' ');
    }
    out << '\n';
  }
}

void print_warnings(const std::vector<std::string>& warnings) {
  if (quiet) return;
  for (const std::string& warning : warnings)
    std::cerr << "mxinfer: warning: " << clean(in_command_words(warning)) << '\n';
}

void print_note(const std::string& note) {
  if (!quiet) std::cerr << "mxinfer: note: " << clean(note) << '\n';
}

void print_json(const Json& value) {
  // Names and labels come from files: bytes that are not UTF-8 are replaced, not rejected.
  std::cout << value.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

void print_json_line(const Json& value) {
  std::cout << value.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
}

Json to_json(const Shape& shape) {
  Json sizes = Json::array();
  for (std::int64_t size : shape) sizes.push_back(size);
  return sizes;
}

Json to_json(const DataDesc& desc) {
  Json json = {{"name", desc.name},
               {"dtype", to_string(desc.dtype)},
               {"shape", to_json(desc.shape)},
               {"layout", desc.layout},
               {"meaning", to_string(desc.meaning)}};
  if (desc.is_guess) json["is_guess"] = true;
  if (desc.is_optional) json["is_optional"] = true;
  if (desc.is_nullable) json["is_nullable"] = true;
  return json;
}

Json to_json(const std::vector<DataDesc>& list) {
  Json result = Json::array();
  for (const DataDesc& desc : list) result.push_back(to_json(desc));
  return result;
}

std::string clean(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  return result;
}

std::string fixed(double value, int decimals) {
  std::array<char, 400> text{};
  std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
  return text.data();
}

std::string rounded(double value, int digits) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.*g", digits, value);
  return text.data();
}

std::string with_commas(std::int64_t value) {
  std::string digits = std::to_string(value);
  const std::size_t first = value < 0 ? 1 : 0;
  for (std::size_t i = digits.size(); i > first + 3;) {
    i -= 3;
    digits.insert(i, ",");
  }
  return digits;
}

std::string bytes_text(double bytes) {
  constexpr std::array<const char*, 4> kUnits = {"bytes", "KB", "MB", "GB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < kUnits.size(); ++unit) bytes /= 1024;
  return fixed(bytes, unit == 0 ? 0 : 1) + ' ' + kUnits[unit];
}

}  // namespace mxinfer::cli
