// A source of bytes of a C program as the ByteSource of the C++ interface.
#pragma once

#include <mxinfer/byte_source.h>
#include <mxinfer_c/model.h>

#include <memory>

namespace mxinfer::c_api {

/// NULL gives nullptr. The source is released when it is not needed any more, and at once if this throws.
std::shared_ptr<const ByteSource> source_of(const mxinfer_source* source);

}  // namespace mxinfer::c_api
