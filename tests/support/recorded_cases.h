// Which operators were recorded from MXNet, and with what: the cases of tests/golden/ops.
#pragma once

#include <map>
#include <set>
#include <string>

namespace mxinfer::test {

struct RecordedCases {
  int count = 0;
  std::set<std::string> dtypes;  ///< of the first input, or of the output where there is none
};

/// By the operator's name as the case has it, which may be an alias.
std::map<std::string, RecordedCases> recorded_cases();

}  // namespace mxinfer::test
