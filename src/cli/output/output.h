// Prints results: tables for people, JSON for programs.
#pragma once

#include <mxinfer/plan_info.h>
#include <mxinfer/shape.h>
#include <mxinfer/signature.h>

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace mxinfer::cli {

using Json = nlohmann::ordered_json;

/// Rows of text, printed with aligned columns.
class Table {
 public:
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  void print(std::ostream& out, std::string_view indent = "") const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

/// Turns warnings, notes and progress off (--quiet).
void be_quiet();
bool is_quiet();

/// Prints one line per warning on standard error.
void print_warnings(const std::vector<std::string>& warnings);
/// Prints a note about a default that was chosen, on standard error.
void print_note(const std::string& note);

/// One JSON document and a newline, on standard output.
void print_json(const Json& value);
/// The same on one line (NDJSON).
void print_json_line(const Json& value);

Json to_json(const Shape& shape);
/// {"name", "dtype", "shape", "layout", "meaning"}.
Json to_json(const DataDesc& desc);
Json to_json(const std::vector<DataDesc>& list);

/// Makes text from a file safe for a terminal: control bytes become '?'.
std::string clean(std::string_view text);
/// `value` with a fixed number of decimals.
std::string fixed(double value, int decimals);
/// `value` with this number of significant digits: 0.000012 as "1.2e-05".
std::string rounded(double value, int digits);
/// 25557032 as "25,557,032".
std::string with_commas(std::int64_t value);
/// A number of bytes in a suitable unit: "97.5 MB".
std::string bytes_text(double bytes);

}  // namespace mxinfer::cli
