// Side: the end of a sequence at which padding is added, or at which a sequence that is too long is cut.
//
//   mxinfer::SequenceOptions options;
//   options.pad_side = mxinfer::Side::left;       // 0 0 5 17 4
//   options.truncate_side = mxinfer::Side::left;  // a sequence that is too long keeps its end
#pragma once

#include <mxinfer/export.h>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// An end of a sequence.
enum class Side { left, right };

}  // namespace MXINFER_ABI
}  // namespace mxinfer
