// The signature in a symbol file: the model's inputs and outputs, its class names, and the transforms
// attached to it.
//
//   if (const auto file = formats::read_signature(graph)) file->signature.inputs[0].meaning ...
//   formats::write_signature(graph, {.signature = {inputs, outputs}, .labels = labels});
//   formats::write_symbol(graph);
//
// It is the graph attribute "mxinfer_signature", which every MXNet passes over;
// docs/reference/signature-format.md describes it. The form of MXNet's design document, the keys "inputs" and
// "outputs" beside "nodes", is read too, never written: MXNet rejects keys that it does not know.
#pragma once

#include <mxinfer/signature.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/json/sequence_json.h"
#include "graph/graph.h"

namespace mxinfer::formats {

inline constexpr const char* kSignatureAttribute = "mxinfer_signature";
inline constexpr int kSignatureVersion = 1;

struct FileSignature {
  Signature signature;
  /// That of the network without transforms, if there are some.
  std::optional<Signature> network{};
  std::vector<std::string> labels{};
  /// What the transforms were made of, as JSON text; empty if the file does not say.
  std::string transforms{};
  std::string post{};
  /// How sequences go into the network: names are those of its inputs, without transforms.
  std::optional<FileSequence> sequence{};
  /// Unknown keys, as JSON text, kept for writing them back.
  std::map<std::string, std::string> unknown_keys{};
  /// From objects of the design document, which have no order: names say which input or output is meant.
  bool inputs_by_name = false;
  bool outputs_by_name = false;
  /// false if a file in the form of the design document leaves the key out.
  bool states_inputs = true;
  bool states_outputs = true;
  /// false of the design document's form, whose shapes may be those of some run.
  bool is_exact = true;
};

/// nullopt if the file has no signature. Throws Error(malformed) with the key, its value and what was
/// expected; Error(unsupported) for an unknown version. Descriptors are complete in themselves (layout as
/// long as the shape, names there once), but not compared with the graph.
std::optional<FileSignature> read_signature(const graph::Graph& graph);

/// The same from the JSON text of the attribute.
FileSignature parse_signature(std::string_view text);

/// Stores the signature in the graph, replacing an existing one. Throws Error(invalid_argument) for what
/// read_signature would reject, such as a name that is not UTF-8.
void write_signature(graph::Graph& graph, const FileSignature& file);

/// The JSON text of the attribute.
std::string signature_text(const FileSignature& file);

/// "image" as Meaning::image, "" as Meaning::unspecified.
std::optional<Meaning> meaning_named(std::string_view name);

}  // namespace mxinfer::formats
