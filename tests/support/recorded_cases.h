// Which operators were recorded from MXNet, and with what: the cases of tests/golden/ops.
#pragma once

#include <mxinfer/tensor.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace mxinfer::test {

/// One case: an operator's name, its attributes as a file has them, and its inputs, which live during the
/// call.
struct RecordedCase {
  std::string op;
  std::map<std::string, std::string> attrs;
  std::vector<const Tensor*> inputs;
};
void for_each_recorded(const std::function<void(const RecordedCase&)>& body);

struct RecordedCases {
  int count = 0;
  std::set<std::string> dtypes;  ///< of the first input, or of the output where there is none
};

/// By the operator's name as the case has it, which may be an alias.
std::map<std::string, RecordedCases> recorded_cases();

}  // namespace mxinfer::test
