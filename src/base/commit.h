// The git commit of these sources. The build writes the definition (cmake/Commit.cmake): a file of its own,
// so that a new commit compiles nothing else again.
#pragma once

namespace mxinfer {

/// Such as "d3123e786b08", with "-dirty" behind it if files were changed since; empty if it is not
/// known.
const char* commit() noexcept;

}  // namespace mxinfer
