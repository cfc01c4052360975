// The number of forks between the process that loaded the library and this one. A child lacks its parent's
// threads, so their work is never done there.
//
//   const unsigned made_in = fork_count();
//   if (fork_count() != made_in) fail(...);     // our threads are another process's
#pragma once

namespace mxinfer {

unsigned fork_count() noexcept;

}  // namespace mxinfer
