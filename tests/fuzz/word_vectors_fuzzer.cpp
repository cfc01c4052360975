#include "fuzz/fuzz_targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  mxinfer::test::fuzz_word_vectors({data, size});
  return 0;
}
