// ItemError: what went wrong with one item of a list, for calls that go on without it.
#pragma once

#include <mxinfer/error.h>
#include <mxinfer/export.h>

#include <cstddef>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// What went wrong with one item of a list.
struct ItemError {
  std::size_t item = 0;  ///< its position in the list, from 0
  Error error;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
