#include "compose/columns/row_constant.h"

#include "compose/build_transforms.h"
#include "compose/number_text.h"
#include "ops/registry.h"

namespace mxinfer::api {

using graph::Graph;
using graph::Value;

graph::Value append_row(Graph& graph, const std::string& prefix, const std::vector<double>& numbers,
                        DType dtype) {
  std::vector<Value> parts;
  for (std::size_t begin = 0; begin < numbers.size();) {
    std::size_t end = begin + 1;
    while (end < numbers.size() && numbers[end] == numbers[begin]) ++end;
    // The position makes names unique at once; trying numbers from 0 is slow if there are many.
    const std::string name = fresh_name(graph, prefix + "_at" + std::to_string(begin) + "_");
    parts.push_back(
        {graph::append(graph, ops::make_node(name, "_full",
                                             {{"shape", "(1, " + std::to_string(end - begin) + ")"},
                                              {"value", number_text(numbers[begin])},
                                              {"dtype", to_string(dtype)}},
                                             {})),
         0});
    begin = end;
  }
  if (parts.size() == 1) return parts[0];
  const std::string count = std::to_string(parts.size());
  return {graph::append(graph, ops::make_node(fresh_name(graph, prefix + "_row"), "Concat",
                                              {{"dim", "1"}, {"num_args", count}}, parts)),
          0};
}

}  // namespace mxinfer::api
