// Attaches texts in front of a network: they become ids, framed by special tokens and padded, which become
// one or several of its inputs.
//
//   text ── lower ── wordpiece ──┐
//                                ├─ frame ──┬─ ids ──────|text|── network
//   text_pair ── lower ── … ─────┘          ├─ segments ─|text|──
//                                           └─ lengths ──|text|──
#pragma once

#include <map>
#include <string>
#include <vector>

#include "compose/attach_transforms.h"
#include "compose/network.h"
#include "compose/texts/prepare_texts.h"
#include "formats/json/sequence_json.h"

namespace mxinfer::api {

/// The network's inputs that are made of texts.
struct AttachedText {
  std::vector<DataDesc> descs;           ///< of the texts
  std::map<std::string, Trials> trials;  ///< by the network's input
  formats::FileSequence sequence;
};

/// `taken`: the network's inputs that are made of other texts. Throws Error naming the texts, and the step or
/// the key. Appends to lines, warnings and parameters of `attached`.
AttachedText attach_text(graph::Graph& graph, const Network& network, const PreparedText& prepared,
                         const std::set<std::string>& taken, AttachedInputs& attached);

}  // namespace mxinfer::api
