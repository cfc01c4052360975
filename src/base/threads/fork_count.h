// How often this process was forked on the way from the one that loaded the library: what a parent's threads
// were to do is not done in a child.
//
//   const unsigned made_in = fork_count();
//   if (fork_count() != made_in) fail(...);     // our threads are another process's
#pragma once

namespace mxinfer {

unsigned fork_count() noexcept;

}  // namespace mxinfer
