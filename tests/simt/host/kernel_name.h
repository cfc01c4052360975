// The name of a function of this library or program.
#pragma once

#include <string>

namespace mxinfer::simt {

/// "copy_kernel<unsigned int>", by the file's table of symbols; its address where that has been stripped.
std::string kernel_name(const void* function);

}  // namespace mxinfer::simt
