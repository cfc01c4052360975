#include "api/options/data_desc_text.h"

#include <mxinfer/settings.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <system_error>

#include "base/fail.h"
#include "base/text/strict_json.h"
#include "base/text/suggest.h"
#include "formats/json/signature_json.h"
#include "tensor/names.h"

namespace mxinfer {
namespace {

constexpr const char* kForm = "NAME=SHAPE[:DTYPE[:LAYOUT[:MEANING]]], such as data=-1,3,224,224:uint8:NCHW";

std::string_view trimmed_text(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// Removes and returns the text up to the separator; removes the separator too.
std::string_view next_part(std::string_view& text, char separator) {
  const std::size_t end = text.find(separator);
  const std::string_view part = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  return part;
}

std::string_view without_round_brackets(std::string_view text) {
  text = trimmed_text(text);
  if (text.size() < 2 || text.front() != '(' || text.back() != ')') return text;
  text = trimmed_text(text.substr(1, text.size() - 2));
  if (!text.empty() && text.back() == ',') text.remove_suffix(1);  // "(3,)"
  return text;
}

Shape parse_dims(std::string_view text) {
  Shape shape;
  std::string_view rest = without_round_brackets(text);
  while (!rest.empty()) {
    const bool more = rest.find(',') != std::string_view::npos;
    const std::string_view digits = trimmed_text(next_part(rest, ','));
    std::int64_t size = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), size);
    if (error != std::errc() || end != digits.data() + digits.size() || size < -1 || (more && rest.empty())) {
      fail(ErrorCode::invalid_argument, "'", printable(text),
           "' is not a shape; expected sizes separated by commas, -1 for a free one, such as -1,3,224,224");
    }
    shape.push_back(size);
  }
  return shape;
}

DType known_dtype(std::string_view name) {
  if (const std::optional<DType> dtype = dtype_named(name)) return *dtype;
  std::vector<std::string> known;
  for (std::int32_t i = 0; i <= static_cast<std::int32_t>(DType::bfloat16); ++i)
    known.emplace_back(to_string(static_cast<DType>(i)));
  fail(ErrorCode::invalid_argument, "'", printable(name), "' is not a dtype",
       did_you_mean(std::string(name), known), "; the dtypes are ", listed(known));
}

Meaning parse_meaning_name(std::string_view name) {
  if (const std::optional<Meaning> meaning = formats::meaning_named(name)) return *meaning;
  std::vector<std::string> known;
  for (const Meaning meaning : {Meaning::image, Meaning::encoded_image, Meaning::image_path, Meaning::scores,
                                Meaning::ids, Meaning::boxes, Meaning::landmarks, Meaning::text})
    known.emplace_back(to_string(meaning));
  fail(ErrorCode::invalid_argument, "'", printable(name), "' is not a meaning",
       did_you_mean(std::string(name), known), "; it can be ", listed(known));
}

/// The reader of signatures requires at least one output.
std::vector<DataDesc> read_json_descs(std::string_view text) {
  nlohmann::json root = {{"version", formats::kSignatureVersion},
                         {"inputs", parse_strict_json(text)},
                         {"outputs", {{{"name", "output"}}}}};
  return formats::parse_signature(root.dump()).signature.inputs;
}

}  // namespace

DataDesc MXINFER_ABI::parse_data_desc(std::string_view text) try {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size())
    fail(ErrorCode::invalid_argument, "'", printable(text), "' is not ", kForm);
  DataDesc desc;
  desc.name = std::string(text.substr(0, equals));
  std::string_view rest = text.substr(equals + 1);
  desc.shape = parse_dims(next_part(rest, ':'));
  if (!rest.empty()) desc.dtype = known_dtype(next_part(rest, ':'));
  if (!rest.empty()) desc.layout = layout_named(next_part(rest, ':'));
  if (!rest.empty()) desc.meaning = parse_meaning_name(next_part(rest, ':'));
  if (!rest.empty()) fail(ErrorCode::invalid_argument, "'", printable(text), "' is not ", kForm);
  return desc;
} catch (...) {
  throw_as_error();
}

DType MXINFER_ABI::parse_dtype(std::string_view name) try { return known_dtype(name); } catch (...) {
  throw_as_error();
}

std::vector<DataDesc> api::parse_data_descs(std::string_view text) {
  if (trimmed_text(text).substr(0, 1) == "[") return read_json_descs(text);
  std::vector<DataDesc> descs;
  while (!text.empty()) descs.push_back(parse_data_desc(trimmed_text(next_part(text, ';'))));
  return descs;
}

}  // namespace mxinfer
