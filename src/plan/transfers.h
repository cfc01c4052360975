// The copies at both ends of a plan for a device: of the network's inputs to the device, and of its outputs
// from there. Whoever runs the plan may do them itself, in pieces or from other memory, and leave these steps
// out.
//
//   const Transfers transfers = transfers_of(plan);
//   for (const Transfer& upload : transfers.uploads)
//     stream.copy_to_device(device + upload.device_offset, inputs[upload.operand], upload.bytes);
#pragma once

#include <cstddef>
#include <vector>

#include "plan/plan.h"

namespace mxinfer::plan {

struct Transfer {
  std::size_t operand;        ///< index of the network's input or output
  std::size_t device_offset;  ///< bytes from the start of the plan's memory on the device
  std::size_t bytes;
  bool is_only_use;  ///< nothing else reads this input, or this output's memory
};

struct Transfers {
  std::vector<Transfer> uploads, downloads;
  std::size_t first = 0, last = 0;  ///< all other steps are [first, last)
};

/// Copies before the first step that is none, and behind the last one. None if no other step is left.
Transfers transfers_of(const Plan& plan);

}  // namespace mxinfer::plan
