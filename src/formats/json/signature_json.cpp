#include "formats/json/signature_json.h"

#include <mxinfer/version.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "base/fail.h"
#include "base/text/strict_json.h"
#include "formats/json_fields.h"
#include "tensor/data_desc.h"
#include "tensor/names.h"

namespace mxinfer::formats {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::size_t kMostSignatureBytes = std::size_t{64} << 20;
constexpr std::size_t kMostDescriptors = 4096;
constexpr std::size_t kMostLabels = 1'000'000;
constexpr std::size_t kMostNameBytes = 4096;
constexpr std::int64_t kLargestDimension = std::int64_t{1} << 40;

constexpr const char* kMeanings = "image, encoded_image, image_path, scores, ids, boxes, text, or nothing";

json parse_member(std::string_view text) {
  JsonLimits limits;
  limits.values = 8'000'000;
  return parse_strict_json(text, limits);
}

// What does not depend on the graph.
void check(const DataDesc& desc) {
  if (desc.name.empty()) fail(ErrorCode::malformed, "\"name\" is empty");
  if (desc.name.size() > kMostNameBytes) {
    fail(ErrorCode::malformed, "\"name\" has ", desc.name.size(), " bytes; the limit is ", kMostNameBytes);
  }
  for (std::int64_t dim : desc.shape) {
    if (dim < -1 || dim > kLargestDimension) {
      fail(ErrorCode::malformed, "\"shape\" is ", to_string(desc.shape),
           "; expected dimensions of -1 (free) or from 0 to ", kLargestDimension);
    }
  }
  for (char letter : desc.layout) {
    if (letter >= 'A' && letter <= 'Z') continue;
    fail(ErrorCode::malformed, "\"layout\" is \"", printable(desc.layout),
         "\"; expected one letter for each dimension, such as NCHW, or nothing");
  }
  if (!desc.layout.empty() && desc.shape.rank() > 0 && desc.layout.size() != desc.shape.rank()) {
    fail(ErrorCode::malformed, "\"layout\" is \"", printable(desc.layout), "\" and \"shape\" ",
         to_string(desc.shape), "; expected one letter for each of ", desc.shape.rank(), " dimensions");
  }
  if (is_file(desc.meaning) && (desc.dtype != DType::uint8 || desc.shape.rank() != 1)) {
    fail(ErrorCode::malformed, "\"meaning\" is ", to_string(desc.meaning), ", \"dtype\" ",
         to_string(desc.dtype), " and \"shape\" ", to_string(desc.shape),
         "; the bytes of a file and a path are uint8 of shape (-1,)");
  }
  if (desc.meaning == Meaning::text && (desc.dtype != DType::uint8 || desc.shape.rank() != 2)) {
    fail(ErrorCode::malformed, "\"meaning\" is text, \"dtype\" ", to_string(desc.dtype), " and \"shape\" ",
         to_string(desc.shape), "; text is uint8 of shape (-1, -1), a row of bytes for each");
  }
  if (desc.meaning == Meaning::image && desc.shape.rank() != 0 && desc.shape.rank() != 3 &&
      desc.shape.rank() != 4) {
    fail(ErrorCode::malformed, "\"meaning\" is image and \"shape\" ", to_string(desc.shape),
         "; an image has 3 dimensions, a batch of images 4");
  }
}

// Every key but the name.
void read_fields(const json& object, DataDesc& desc) {
  if (const json* shape = json_find(object, "shape")) desc.shape = json_shape(*shape, -1, kLargestDimension);
  if (const json* dtype = json_find(object, "dtype")) {
    const auto known = dtype_named(json_text("\"dtype\"", *dtype));
    if (!known) reject_json("\"dtype\"", *dtype, concat("a dtype: ", kDtypeNames).c_str());
    desc.dtype = *known;
  }
  if (const json* layout = json_find(object, "layout"))
    desc.layout = layout_named(json_text("\"layout\"", *layout));
  if (const json* meaning = json_find(object, "meaning")) {
    const auto known = meaning_named(json_text("\"meaning\"", *meaning));
    if (!known) reject_json("\"meaning\"", *meaning, kMeanings);
    desc.meaning = *known;
  }
  if (const json* nullable = json_find(object, "nullable")) {
    if (!nullable->is_boolean()) reject_json("\"nullable\"", *nullable, "true or false");
    desc.is_nullable = nullable->get<bool>();
  }
}

DataDesc read_listed(const json& object) {
  DataDesc desc;
  json_object("it", object);
  desc.name = json_text("\"name\"", json_require(object, "name"));
  read_fields(object, desc);
  check(desc);
  return desc;
}

std::string place(const char* key, std::size_t index, const json& object) {
  const json* name = object.is_object() ? json_find(object, "name") : nullptr;
  if (name == nullptr || !name->is_string()) return concat("\"", key, "\"[", index, "]");
  return concat("\"", key, "\"[", index, "] '", printable(name->get_ref<const std::string&>()), "'");
}

void reject_repeated(const char* key, const std::vector<DataDesc>& list) {
  std::set<std::string_view> names;
  for (const DataDesc& desc : list) {
    if (!names.insert(desc.name).second) {
      fail(ErrorCode::malformed, "\"", key, "\" has two entries named '", printable(desc.name),
           "'; each name may be there once");
    }
  }
}

std::vector<DataDesc> read_list(const char* key, const json& list) {
  std::vector<DataDesc> descs;
  for (const json& entry : json_list(concat("\"", key, "\""), list, kMostDescriptors)) {
    in_context([&] { return place(key, descs.size(), entry); }, [&] { descs.push_back(read_listed(entry)); });
  }
  reject_repeated(key, descs);
  return descs;
}

Signature read_both(const json& object) {
  Signature signature{read_list("inputs", json_require(object, "inputs")),
                      read_list("outputs", json_require(object, "outputs"))};
  if (signature.outputs.empty()) fail(ErrorCode::malformed, "\"outputs\" is empty; a model has at least one");
  return signature;
}

DataDesc read_design_entry(const std::string& name, const json& entry) {
  DataDesc desc;
  desc.name = name;
  if (entry.is_object()) {
    read_fields(entry, desc);
  } else if (entry.is_array()) {
    desc.shape = json_shape(entry, -1, kLargestDimension);
  } else {
    reject_json("it", entry, "a shape, or an object with a shape");
  }
  // MXNet 1 writes 0 for a dimension that is not known.
  for (std::size_t i = 0; i < desc.shape.rank(); ++i) {
    if (desc.shape[i] == 0) desc.shape[i] = -1;
  }
  check(desc);
  return desc;
}

// {"data": [1, 3, 224, 224]}, {"data": {"shape": ...}} or [{"name": "data", ...}].
std::vector<DataDesc> read_design(const char* key, const json& value, bool& by_name) {
  if (value.is_array()) return read_list(key, value);
  if (!value.is_object()) {
    reject_json(concat("\"", key, "\""), value, "an object from names to shapes, or a list of descriptors");
  }
  if (value.size() > kMostDescriptors) {
    fail(ErrorCode::malformed, "\"", key, "\" has ", value.size(), " entries; the limit is ",
         kMostDescriptors);
  }
  std::vector<DataDesc> descs;
  for (const auto& [name, entry] : value.items()) {
    // Lambdas cannot capture the names of a structured binding everywhere.
    const std::string& who = name;
    const json& what = entry;
    in_context([&] { return concat("\"", key, "\" '", printable(who), "'"); },
               [&] { descs.push_back(read_design_entry(who, what)); });
  }
  by_name = true;
  return descs;
}

std::optional<FileSignature> read_design_keys(const graph::Graph& graph) {
  const auto inputs = graph.unknown_keys.find("inputs");
  const auto outputs = graph.unknown_keys.find("outputs");
  FileSignature file;
  file.is_exact = false;
  file.states_inputs = inputs != graph.unknown_keys.end();
  file.states_outputs = outputs != graph.unknown_keys.end();
  if (!file.states_inputs && !file.states_outputs) return std::nullopt;
  in_context(
      [] { return std::string("the signature in the symbol file"); },
      [&] {
        if (file.states_inputs) {
          file.signature.inputs = read_design("inputs", parse_member(inputs->second), file.inputs_by_name);
        }
        if (!file.states_outputs) return;
        file.signature.outputs = read_design("outputs", parse_member(outputs->second), file.outputs_by_name);
        if (file.signature.outputs.empty()) fail(ErrorCode::malformed, "\"outputs\" is empty");
      });
  return file;
}

void check_signature_version(const json& root) {
  const auto version = json_integer("\"version\"", json_require(root, "version"), 1, 1'000'000);
  if (version > kSignatureVersion) {
    fail(ErrorCode::unsupported, "\"version\" is ", version, "; mxinfer ", mxinfer::version(),
         " knows signatures up to version ", kSignatureVersion,
         ": update mxinfer, or sign the model again with this version (mxinfer sign --replace)");
  }
}

std::string provenance(const char* key, const json& value) {
  if (!value.is_object() && !value.is_array())
    reject_json(concat("\"", key, "\""), value, "a list or an object");
  return value.dump();
}

FileSignature read_root(const json& root) {
  json_object("it", root);
  check_signature_version(root);
  FileSignature file;
  file.signature = read_both(root);
  if (const json* network = json_find(root, "network")) {
    in_context([] { return std::string("\"network\""); },
               [&] { file.network = read_both(json_object("it", *network)); });
  }
  if (const json* labels = json_find(root, "labels")) {
    for (const json& label : json_list("\"labels\"", *labels, kMostLabels)) {
      file.labels.push_back(json_text(concat("\"labels\"[", file.labels.size(), "]"), label));
    }
  }
  if (const json* sequence = json_find(root, "sequence")) {
    file.sequence = read_sequence(*sequence);
    require_inputs(*file.sequence, (file.network ? *file.network : file.signature).inputs);
  }
  for (const auto& [key, value] : root.items()) {
    if (key == "transforms") {
      file.transforms = provenance("transforms", value);
    } else if (key == "post") {
      file.post = provenance("post", value);
    } else if (key != "version" && key != "producer" && key != "inputs" && key != "outputs" &&
               key != "network" && key != "labels" && key != "sequence") {
      file.unknown_keys.emplace(key, value.dump());
    }
  }
  return file;
}

ordered_json to_json(const DataDesc& desc) {
  check(desc);
  ordered_json out;
  out["name"] = desc.name;
  // A rank of 0 stands for a shape that is not known.
  if (desc.shape.rank() > 0) out["shape"] = std::vector<std::int64_t>(desc.shape.begin(), desc.shape.end());
  out["dtype"] = to_string(desc.dtype);
  out["layout"] = desc.layout;
  out["meaning"] = to_string(desc.meaning);
  if (desc.is_nullable) out["nullable"] = true;
  return out;
}

ordered_json to_json(const char* key, const std::vector<DataDesc>& descs) {
  if (descs.size() > kMostDescriptors) {
    fail(ErrorCode::malformed, "\"", key, "\" has ", descs.size(), " entries; the limit is ",
         kMostDescriptors);
  }
  reject_repeated(key, descs);
  ordered_json list = ordered_json::array();
  for (const DataDesc& desc : descs) {
    in_context([&] { return concat("\"", key, "\" '", printable(desc.name), "'"); },
               [&] { list.push_back(to_json(desc)); });
  }
  return list;
}

void add_both(const Signature& signature, ordered_json& out) {
  if (signature.outputs.empty()) fail(ErrorCode::malformed, "\"outputs\" is empty; a model has at least one");
  out["inputs"] = to_json("inputs", signature.inputs);
  out["outputs"] = to_json("outputs", signature.outputs);
}

ordered_json to_json(const FileSignature& file) {
  if (file.labels.size() > kMostLabels) {
    fail(ErrorCode::malformed, "there are ", file.labels.size(), " labels; the limit is ", kMostLabels);
  }
  ordered_json out;
  out["version"] = kSignatureVersion;
  out["producer"] = std::string("mxinfer ") + version();
  add_both(file.signature, out);
  if (file.network) {
    in_context([] { return std::string("\"network\""); }, [&] { add_both(*file.network, out["network"]); });
  }
  if (!file.labels.empty()) out["labels"] = file.labels;
  if (!file.transforms.empty()) out["transforms"] = parse_member(file.transforms);
  if (!file.post.empty()) out["post"] = parse_member(file.post);
  if (file.sequence) out["sequence"] = parse_member(sequence_text(*file.sequence));
  // Other keys than those above. (To ask for each by its name is to look through all of them.)
  auto& members = out.get_ref<ordered_json::object_t&>();
  for (const auto& [key, text] : file.unknown_keys) members.push_back({key, parse_member(text)});
  return out;
}

}  // namespace

FileSignature parse_signature(std::string_view text) {
  if (text.size() > kMostSignatureBytes) {
    fail(ErrorCode::malformed, "it has ", text.size(), " bytes; the limit is ", kMostSignatureBytes);
  }
  return read_root(parse_member(text));
}

std::optional<FileSignature> read_signature(const graph::Graph& graph) {
  const auto found = graph.attrs.find(kSignatureAttribute);
  if (found == graph.attrs.end()) return read_design_keys(graph);
  return in_context([] { return concat("attribute ", kSignatureAttribute, " of the symbol file"); },
                    [&] {
                      const json value = parse_member(found->second.second);
                      if (found->second.first != "str" || !value.is_string()) {
                        fail(ErrorCode::malformed, "it is [\"", printable(found->second.first), "\", ",
                             json_excerpt(value), "]; expected [\"str\", \"<JSON text>\"]");
                      }
                      return std::optional(parse_signature(value.get_ref<const std::string&>()));
                    });
}

std::string signature_text(const FileSignature& file) {
  try {
    const std::string text = to_json(file).dump();
    if (text.size() > kMostSignatureBytes) {
      fail(ErrorCode::malformed, "it has ", text.size(), " bytes; the limit is ", kMostSignatureBytes);
    }
    return text;
  } catch (const Error& e) {
    throw Error(ErrorCode::invalid_argument, concat("the signature cannot be written", kTrail, e.what()));
  } catch (const json::exception&) {
    fail(ErrorCode::invalid_argument, "the signature cannot be written", kTrail,
         "a name or a label is not UTF-8");
  }
}

void write_signature(graph::Graph& graph, const FileSignature& file) {
  graph.attrs[kSignatureAttribute] = {"str", ordered_json(signature_text(file)).dump()};
  // MXNet rejects them, and they would say the same thing twice.
  graph.unknown_keys.erase("inputs");
  graph.unknown_keys.erase("outputs");
}

std::optional<Meaning> meaning_named(std::string_view name) {
  for (Meaning meaning : {Meaning::unspecified, Meaning::image, Meaning::encoded_image, Meaning::image_path,
                          Meaning::scores, Meaning::ids, Meaning::boxes, Meaning::text, Meaning::landmarks}) {
    if (name == to_string(meaning)) return meaning;
  }
  return std::nullopt;
}

}  // namespace mxinfer::formats
