// What nodes of Proposal and MultiProposal compute, for the backends that do.
#pragma once

#include <vector>

#include "kernels/proposal/proposal.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

/// The corners of the anchors around the first pixel.
std::vector<float> proposal_anchors(const Attrs& attrs);

/// Without operands and work space; `prob` is the shape of the class probabilities.
kernels::ProposalArgs proposal_args(const Attrs& attrs, const Shape& prob);

}  // namespace mxinfer::ops
