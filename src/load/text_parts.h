// Splits a model that takes texts into two parts: one turns texts into ids, the other is the network.
//
//   if (auto parts = text_parts(model)) {
//     Predictor texts(parts->text), network(parts->network);
//     ...                                        // cut the ids to the longest text between the two
//   }
//
// Between them a program can cut the ids, which are padded to the model's longest length, to the length that
// a batch needs. Both parts share the model's weights.
#pragma once

#include <mxinfer/model.h>
#include <mxinfer/sequence/side.h>

#include <optional>
#include <string>
#include <vector>

namespace mxinfer::api {

struct TextParts {
  /// Takes the texts. The last output is the lengths, int32 (N,), whether or not the network takes them.
  Model text;
  /// The network and its postprocessing; its inputs are those of the network without texts.
  Model network;
  /// By output of `text`, without the last: the input of `network` that it becomes.
  std::vector<std::string> text_inputs;
  /// All inputs of `network`, in order. Those that are not in text_inputs are the caller's.
  std::vector<std::string> network_inputs;
  /// The side on which `text` pads its ids.
  Side pad_side = Side::right;
};

/// nullopt if the model takes no texts, or was loaded without its transforms. Throws Error(unsupported) if
/// its texts are framed in several places, or are read around the network's inputs, and for a model that
/// takes images in files too; Error(malformed) if they are not framed, or the file's signature has another
/// side of the padding than the node that pads.
std::optional<TextParts> text_parts(const Model& model);

}  // namespace mxinfer::api
