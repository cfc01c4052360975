// Which operators were recorded from MXNet, and with what: the cases of tests/golden/ops.
#pragma once

#include <mxinfer/tensor.h>

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace mxinfer::test {

/// One case: an operator's name, its attributes as a file has them, and its inputs, which live during the
/// call.
struct RecordedCase {
  std::string name;
  std::string op;
  std::map<std::string, std::string> attrs;
  std::vector<const Tensor*> inputs;
  std::vector<std::size_t> parameters;   ///< the inputs that are weights
  std::vector<const Tensor*> outputs;    ///< MXNet's
  std::optional<double> tolerance = {};  ///< of the case; else that of the type
  bool numpy_shapes = false;
};
void for_each_recorded(const std::function<void(const RecordedCase&)>& body);
/// Those of one file of tests/golden/ops, by its name without .npz.
void for_each_recorded_of(const std::string& family, const std::function<void(const RecordedCase&)>& body);
std::vector<std::string> recorded_families();

/// How far a result of a type may be off, in units of the largest output: sums are rounded in another order
/// than MXNet's; the short types are also rounded once at the end, where two neighbours are 2^-10 or 2^-7 of
/// a value apart. 0: the same bits.
double recorded_tolerance(DType dtype);

struct RecordedCases {
  int count = 0;
  std::set<std::string> dtypes;  ///< of the first input, or of the output where there is none
};

/// By the operator's name as the case has it, which may be an alias.
std::map<std::string, RecordedCases> recorded_cases();

}  // namespace mxinfer::test
