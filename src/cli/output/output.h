// How results are printed: tables for people, JSON for programs.
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

/// From now on no warnings and no progress are printed (--quiet).
void be_quiet();
bool is_quiet();

/// One line each, on standard error.
void print_warnings(const std::vector<std::string>& warnings);
/// What was chosen where nothing was said, on standard error.
void print_note(const std::string& note);

/// One JSON document and a newline, on standard output.
void print_json(const Json& value);
/// The same without line breaks in it (NDJSON).
void print_json_line(const Json& value);

Json to_json(const Shape& shape);
/// {"name", "dtype", "shape", "layout", "meaning"}.
Json to_json(const DataDesc& desc);
Json to_json(const std::vector<DataDesc>& list);

/// Text from a file made safe for a terminal: control bytes become '?'.
std::string clean(std::string_view text);
/// With a fixed number of decimals.
std::string fixed(double value, int decimals);
/// With so many significant digits: 0.000012 as "1.2e-05".
std::string rounded(double value, int digits);
/// 25557032 as "25,557,032".
std::string with_commas(std::int64_t value);
/// Bytes in the unit that suits them: "97.5 MB".
std::string bytes_text(double bytes);

}  // namespace mxinfer::cli
