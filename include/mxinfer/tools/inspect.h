// inspect: what a model file holds, even if this library cannot run it.
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

/// An operator that an output of the network needs, and that does not run here: there is none of that name,
/// or these nodes do not fit it, for which the reason is theirs.
struct UnsupportedOperator {
  std::string op;
  std::vector<std::string> nodes;
  std::string reason;  ///< "is an optimizer's update of a weight, ...: export ..."
};

/// What an operator reads.
struct NodeInput {
  std::string value;  ///< the name of a variable, or of an output of another node
  std::string port;   ///< what the operator calls it, such as "weight"; empty if the operator is not known
};

/// An operator of the network. Its outputs can be asked for in LoadOptions::outputs.
struct NodeInfo {
  std::string name;
  std::string op;
  std::vector<NodeInput> inputs;
  std::vector<std::string> outputs;
};

struct Inspection {
  std::string name;
  std::string kind;                 ///< of file: "symbol and parameters", "bundle", "SageMaker archive", ...
  std::vector<std::string> graphs;  ///< of a bundle: the names that LoadOptions::graph takes
  std::string graph;                ///< the one that this is about
  int mxnet_version = 0;            ///< that wrote the file, 10901 for 1.9.1; 800 if the file does not say
  Signature signature;  ///< guessed if the file does not say; outputs without shapes if they do not follow
  std::vector<DataDesc> parameters;
  /// Those that the network needs and no .params file has; all of them if there is no such file.
  std::vector<std::string> missing_parameters;
  std::int64_t parameter_elements = 0;
  std::map<std::string, int> operators;  ///< how many nodes of each
  std::vector<NodeInfo> nodes;           ///< in the order in which they run
  std::vector<UnsupportedOperator> unsupported;
  std::vector<std::string> labels;
  std::vector<std::string> warnings;
  bool signature_from_file = false;  ///< the file carries a signature, from which `signature` is
  /// What the transforms in front of the network and behind it were made of, as JSON; empty if the file
  /// does not say.
  std::string transforms, post;
  /// How sequences go into the network (docs/how-to/signature.md), as JSON; empty if the file does not say.
  std::string sequence;
};

/// Reads a model (as Model::load) and says what is in it. Errors as Model::load, but an operator that is not
/// supported is reported instead, as are nodes that do not fit their operators, and parameters that are
/// missing: the symbol file alone is enough. Shapes that would follow from parameters are unknown then.
MXINFER_API Inspection inspect_model(const std::string& uri, const LoadOptions& options = {});
/// The same from memory, as Model::load_memory takes it.
MXINFER_API Inspection inspect_memory(ByteSpan symbol_json, ByteSpan params, const LoadOptions& options = {});

}  // namespace MXINFER_ABI
}  // namespace mxinfer
