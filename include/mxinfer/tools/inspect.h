// inspect: what is in a model file, even if this library cannot run it.
//
//   mxinfer::Inspection report = mxinfer::inspect_model("resnet18_v1");
//   for (const auto& op : report.unsupported) std::cerr << op.op << ' ' << op.reason << '\n';
#pragma once

#include <mxinfer/byte_span.h>
#include <mxinfer/export.h>
#include <mxinfer/model.h>

#include <map>
#include <string>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// An operator that the network's outputs need but that cannot run here. Either there is no such operator, or
/// these nodes do not fit it, all for the same reason.
struct UnsupportedOperator {
  std::string op;
  std::vector<std::string> nodes;
  std::string reason;  ///< such as "is an optimizer's update of a weight, ...: export ..."
};

/// An input of a node.
struct NodeInput {
  std::string value;  ///< the name of a variable, or of an output of another node
  std::string port;   ///< the operator's name for it, such as "weight"; empty if the operator is not known
};

/// A node of the network. You can request its outputs by LoadOptions::outputs.
struct NodeInfo {
  std::string name;
  std::string op;
  std::vector<NodeInput> inputs;
  std::vector<std::string> outputs;
};

/// Weights that a bundle has packed (docs/how-to/bundle.md).
struct PackedWeightsInfo {
  std::string target;     ///< a value of Options::target, such as "avx512"
  std::string precision;  ///< a value of Options::precision
  std::string library;    ///< the library that reads them: its version and compiler
  std::size_t weights = 0;
  std::int64_t bytes = 0;  ///< in the file
};

/// What is in a model file.
struct Inspection {
  std::string name;
  std::string kind;  ///< the kind of file: "symbol and parameters", "bundle", "SageMaker archive", ...
  std::vector<std::string> graphs;  ///< of a bundle: the names that LoadOptions::graph takes
  std::string graph;                ///< the graph that this report is about
  int mxnet_version = 0;            ///< the one that wrote the file: 10901 is 1.9.1; 800 if unknown
  Signature signature;  ///< inferred if the file has none; outputs have no shapes if they cannot be inferred
  std::vector<DataDesc> parameters;
  /// Parameters that the network needs but no .params file has; all of them if there is no such file.
  std::vector<std::string> missing_parameters;
  std::int64_t parameter_elements = 0;
  std::map<std::string, int> operators;  ///< how many nodes of each operator
  std::vector<NodeInfo> nodes;           ///< in the order in which they run
  std::vector<UnsupportedOperator> unsupported;
  std::vector<std::string> labels;
  std::vector<std::string> warnings;
  bool signature_from_file = false;  ///< whether `signature` comes from the file
  /// The transforms before and after the network, as JSON. Empty if the file does not state them.
  std::string transforms, post;
  /// How sequences become inputs (docs/reference/signature-format.md), as JSON. Empty if the file does not
  /// state it.
  std::string sequence;
  /// How the model was quantized (docs/how-to/quantization.md), as JSON. Empty if quantize_model did not make
  /// it.
  std::string quantization;
  /// One for each target and precision; empty if the bundle has none, or is read from memory.
  std::vector<PackedWeightsInfo> packed;
};

/// Reads a model as Model::load does and reports what is in it. Throws as Model::load, except that
/// unsupported operators, nodes that do not fit their operators and missing parameters are reported. The
/// symbol file alone is enough; shapes that follow from parameters are then unknown.
MXINFER_API Inspection inspect_model(const std::string& uri, const LoadOptions& options = {});
/// As above, from memory, as Model::load_memory takes it.
MXINFER_API Inspection inspect_memory(ByteSpan symbol_json, ByteSpan params, const LoadOptions& options = {});

}  // namespace MXINFER_ABI
}  // namespace mxinfer
