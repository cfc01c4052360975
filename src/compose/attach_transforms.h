// Appends transforms to the graph of a network, in front of it and behind it, with the connectors that mark
// where the network begins and ends.
#pragma once

#include <mxinfer/signature.h>
#include <mxinfer/tools/transforms.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "compose/build_transforms.h"
#include "compose/network.h"
#include "formats/json/sequence_json.h"
#include "graph/graph.h"

namespace mxinfer::api {

/// What was attached to one end of a network.
struct Attached {
  std::vector<DataDesc> descs;                          ///< of the model's inputs or outputs
  std::map<std::string, std::vector<Transform>> steps;  ///< by the network's input or output; none is empty
  std::vector<std::string> lines;                       ///< of ModelBuilder::describe
  std::vector<std::string> warnings;
};

/// A parameter that transforms add.
struct AddedParameter {
  std::string name;
  std::shared_ptr<const Parameter> value;
};

struct PreparedText;

struct AttachedInputs : Attached {
  std::map<std::string, std::vector<ColumnTransform>> columns;  ///< by the network's input
  std::vector<Trials> trials;                                   ///< what reaches each input of the network
  std::vector<AddedParameter> parameters;
  std::set<std::string> of_texts;                ///< inputs of the network that texts become
  std::vector<formats::FileSequence> sequences;  ///< of each of the texts

  /// Whether anything is attached in front of the network.
  bool has_any() const { return !steps.empty() || !columns.empty() || !of_texts.empty(); }
};

/// Whether a list has a step.
bool has_steps(const TransformLists& lists);

/// Throws if transforms are given for an unknown input or output of the network; `what` is "input" or
/// "output".
void require_known_names(const TransformLists& lists, const std::vector<DataDesc>& descs, const char* what);

/// given: by input of the network, what the caller says of the model's input, or null. Of `lists` the texts
/// are prepared.
AttachedInputs attach_preprocessing(graph::Graph& graph, const Network& network, const TransformLists& lists,
                                    const std::vector<PreparedText>& texts,
                                    const std::vector<const DataDesc*>& given);

/// network_outputs: the types of each output of the network, empty if they are not known.
Attached attach_postprocessing(graph::Graph& graph, const Network& network, const TransformLists& lists,
                               const std::vector<Trials>& network_outputs,
                               const std::vector<std::string>& labels);

}  // namespace mxinfer::api
