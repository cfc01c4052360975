// Side: at which end of a sequence its padding stands, or what does not fit is cut off.
//
//   mxinfer::SequenceOptions options;
//   options.pad_side = mxinfer::Side::left;       // 0 0 5 17 4
//   options.truncate_side = mxinfer::Side::left;  // a sequence that is too long keeps its end
#pragma once

#include <mxinfer/export.h>

namespace mxinfer {
inline namespace MXINFER_ABI {

enum class Side { left, right };

}  // namespace MXINFER_ABI
}  // namespace mxinfer
