#include "formats/json/sample_json.h"

#include <mxinfer/version.h>

#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "base/checked.h"
#include "base/fail.h"
#include "base/text/base64.h"
#include "base/text/strict_json.h"
#include "formats/json_fields.h"
#include "tensor/names.h"

namespace mxinfer::formats {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::size_t kMostArrays = 4096;

json parse_sample(std::string_view text) {
  JsonLimits limits;
  limits.values = 1'000'000;
  return parse_strict_json(text, limits);
}

// Bytes of an array, taken from what the sample may still have.
std::int64_t take_bytes(DType dtype, const Shape& shape, std::int64_t& left) {
  std::optional<std::int64_t> bytes = static_cast<std::int64_t>(size_of(dtype));
  for (std::int64_t dim : shape) {
    if (bytes) bytes = checked_mul(*bytes, dim);
  }
  if (!bytes || *bytes > left) {
    fail(ErrorCode::malformed, "with ", to_string(dtype), " ", to_string(shape),
         " the arrays of the sample have more than ", kSampleByteLimit, " bytes together");
  }
  left -= *bytes;
  return *bytes;
}

NamedArray read_array(const json& object, std::int64_t& left) {
  json_object("it", object);
  NamedArray array;
  array.name = json_text("\"name\"", json_require(object, "name"));
  const json& dtype = json_require(object, "dtype");
  const auto known = dtype_named(json_text("\"dtype\"", dtype));
  if (!known) reject_json("\"dtype\"", dtype, "a dtype such as float32 or uint8");
  const Shape shape = json_shape(json_require(object, "shape"), 0, kSampleByteLimit);
  const std::string& data = json_text("\"data\"", json_require(object, "data"));
  const auto bytes = static_cast<std::size_t>(take_bytes(*known, shape, left));
  array.tensor = Tensor(*known, shape);
  auto* first = static_cast<std::byte*>(array.tensor.raw());
  in_context([] { return std::string("\"data\""); }, [&] { from_base64(data, {first, bytes}); });
  // What a C++ bool may not hold is made true.
  for (std::size_t i = 0; *known == DType::boolean && i < bytes; ++i) {
    first[i] = static_cast<std::byte>(first[i] != std::byte{0});
  }
  return array;
}

void reject_repeated(const char* key, std::set<std::string>& names, const std::string& name) {
  if (names.insert(name).second) return;
  fail(ErrorCode::malformed, "\"", key, "\" has two arrays named '", printable(name),
       "'; each name may be there once");
}

std::vector<NamedArray> read_arrays(const json& root, const char* key, std::int64_t& left) {
  std::vector<NamedArray> arrays;
  std::set<std::string> names;
  for (const json& entry : json_list(concat("\"", key, "\""), json_require(root, key), kMostArrays)) {
    in_context([&] { return concat("\"", key, "\"[", arrays.size(), "]"); },
               [&] { arrays.push_back(read_array(entry, left)); });
    reject_repeated(key, names, arrays.back().name);
  }
  return arrays;
}

Sample read_sample_root(const json& root) {
  json_object("it", root);
  const auto version = json_integer("\"version\"", json_require(root, "version"), 1, 1'000'000);
  if (version > kSampleVersion) {
    fail(ErrorCode::unsupported, "\"version\" is ", version, "; mxinfer ", mxinfer::version(),
         " knows samples up to version ", kSampleVersion, ": update mxinfer");
  }
  std::int64_t left = kSampleByteLimit;
  Sample sample;
  sample.inputs = read_arrays(root, "inputs", left);
  sample.outputs = read_arrays(root, "outputs", left);
  return sample;
}

ordered_json to_json(const char* key, const std::vector<SampleArray>& arrays, std::int64_t& left) {
  ordered_json list = ordered_json::array();
  std::set<std::string> names;
  for (const SampleArray& array : arrays) {
    const TensorView& tensor = array.tensor;
    reject_repeated(key, names, array.name);
    const auto bytes = static_cast<std::size_t>(take_bytes(tensor.dtype(), tensor.shape(), left));
    list.push_back({{"name", array.name},
                    {"dtype", to_string(tensor.dtype())},
                    {"shape", std::vector<std::int64_t>(tensor.shape().begin(), tensor.shape().end())},
                    {"data", to_base64({static_cast<const std::byte*>(tensor.raw()), bytes})}});
  }
  return list;
}

}  // namespace

std::optional<Sample> read_sample(const graph::Graph& graph) {
  const auto found = graph.attrs.find(kSampleAttribute);
  if (found == graph.attrs.end()) return std::nullopt;
  return in_context(
      [] { return concat("attribute ", kSampleAttribute, " of the symbol file"); },
      [&] {
        const json value = parse_sample(found->second.second);
        if (found->second.first != "str" || !value.is_string()) {
          fail(ErrorCode::malformed, "it is [\"", printable(found->second.first), "\", ", json_excerpt(value),
               "]; expected [\"str\", \"<JSON text>\"]");
        }
        return std::optional(read_sample_root(parse_sample(value.get_ref<const std::string&>())));
      });
}

void write_sample(graph::Graph& graph, const std::vector<SampleArray>& inputs,
                  const std::vector<SampleArray>& outputs) {
  try {
    std::int64_t left = kSampleByteLimit;
    ordered_json out;
    out["version"] = kSampleVersion;
    out["inputs"] = to_json("inputs", inputs, left);
    out["outputs"] = to_json("outputs", outputs, left);
    graph.attrs[kSampleAttribute] = {"str", ordered_json(out.dump()).dump()};
  } catch (const Error& e) {
    throw Error(ErrorCode::invalid_argument, concat("the sample cannot be stored", kTrail, e.what()));
  } catch (const json::exception&) {
    fail(ErrorCode::invalid_argument, "the sample cannot be stored", kTrail, "a name is not UTF-8");
  }
}

}  // namespace mxinfer::formats
