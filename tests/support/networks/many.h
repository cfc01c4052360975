// How often a test does what it does many times: less under a sanitizer, whose checks make each of them ten
// times as slow. What takes a square of the time shows in the other builds.
#pragma once

namespace mxinfer::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr int kManyDivisor = 8;
#else
inline constexpr int kManyDivisor = 1;
#endif

constexpr int many(int count) {
  return count / kManyDivisor;
}

}  // namespace mxinfer::test
