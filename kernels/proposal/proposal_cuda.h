// The proposals of proposal.h on a GPU. The same ones are kept as on the CPU.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/cuda/scratch.h"
#include "kernels/cuda/stream.h"
#include "kernels/nms/nms_cuda.h"
#include "kernels/proposal/proposal.h"

namespace mxinfer::kernels::cuda {

inline constexpr std::int64_t kMostProposalAnchors = 128;

/// The anchors around the first pixel, as their kernel takes them.
struct ProposalAnchors {
  float corners[kMostProposalAnchors][4];
};

struct ProposalScratch {
  float* proposals;  ///< as ProposalArgs::proposals
  KeyRows keys;
  Suppression boxes;
};
inline ProposalScratch take_proposal(Scratch& scratch, const ProposalArgs& args, std::int64_t batch) {
  ProposalScratch taken{};
  taken.proposals = scratch.take<float>(batch * args.count() * 5);
  taken.keys = take_key_rows(scratch, batch, args.count(), args.pre_nms);
  const std::int64_t most = args.post_nms < args.pre_nms ? args.post_nms : args.pre_nms;
  taken.boxes = take_suppression(scratch, batch, args.pre_nms, most);
  return taken;
}
inline std::size_t proposal_scratch_bytes(const ProposalArgs& args, std::int64_t batch) {
  Scratch scratch(nullptr);
  take_proposal(scratch, args, batch);
  return scratch.bytes();
}
/// args.anchor and args.proposals have no effect; `scratch` is proposal_scratch_bytes() bytes. The outputs of
/// an image that is larger than its feature map says are NaN.
Status proposal(const ProposalArgs& args, const ProposalAnchors& anchors, std::int64_t batch, void* scratch,
                const Stream& stream);

}  // namespace mxinfer::kernels::cuda
