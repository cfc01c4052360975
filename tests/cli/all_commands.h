// The commands that mxinfer has.
#pragma once

#include <string>
#include <vector>

namespace mxinfer::test {

inline const std::vector<std::string> kAllCommands = {
    "inspect", "pack",    "unpack", "fetch", "cache",    "predict", "classify", "classify-text",
    "detect",  "segment", "embed",  "words", "generate", "explain", "bench",    "sign",
    "fuse",    "verify",  "diff",   "tune",  "quantize", "help"};

}  // namespace mxinfer::test
