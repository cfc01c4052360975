// Where code was written.
#pragma once

#include <cstdint>
#include <string>

namespace mxinfer::simt {

/// An address of the code of this library or program, from its start, and back.
std::uint32_t code_offset(const void* code);

/// "kernels/pool_nd/pool.cu:12", by addr2line; "code at 0x1234" where there is none, or no debug information.
std::string source_line(std::uint32_t offset);

/// Whether the address is in this library or program: a constant or a variable of it.
bool is_in_this_object(const void* address);

}  // namespace mxinfer::simt
