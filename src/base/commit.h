// The git commit of these sources. The build writes the definition into its own file (cmake/Commit.cmake), so
// a new commit recompiles nothing else.
#pragma once

namespace mxinfer {

/// Such as "d3123e786b08", followed by "-dirty" if files have changed since; empty if unknown.
const char* commit() noexcept;

}  // namespace mxinfer
