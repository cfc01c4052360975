#include "api/generation/generator_scores.h"

#include <cstring>

#include "base/fail.h"
#include "tensor/read_element.h"

namespace mxinfer::api {
namespace {

// If trials were inconclusive, the shape decides, unless there are as many tokens as sequences.
bool are_by_time(const GeneratorGraph& graph, const Shape& scores, std::int64_t columns, std::int64_t batch) {
  if (graph.scores_by_time) return *graph.scores_by_time;
  if (scores.rank() == 3 && columns != batch) {
    if (scores[0] == columns && scores[1] == batch) return true;
    if (scores[0] == batch && scores[1] == columns) return false;
  }
  return graph.layout == "TN";
}

[[noreturn]] void reject_output(const DataDesc& desc, const Shape& shape, std::int64_t batch,
                                std::int64_t columns, bool one_of_each) {
  fail(ErrorCode::invalid_argument, "output '", printable(desc.name), "' is ", to_string(shape), " for ",
       batch, " sequences of ", columns,
       " tokens; expected a score for each token of the vocabulary, either per sequence, (", batch,
       ", V), or per token of a sequence, (", batch, ", ", columns, ", V)",
       one_of_each ? "; buckets need scores per token, or a length_input" : "");
}

void read_floats(const Tensor& from, std::int64_t first, std::int64_t count, float* to) {
  if (from.dtype() == DType::float32) {
    std::memcpy(to, from.data<float>() + first, static_cast<std::size_t>(count) * sizeof(float));
    return;
  }
  const ElementReader read = element_reader(from.dtype());
  for (std::int64_t i = 0; i < count; ++i) to[i] = static_cast<float>(read(from.raw(), first + i));
}

}  // namespace

std::size_t last_scores(const GeneratorGraph& graph, const Signature& signature, const Tensor& output,
                        const LastTokens& last, std::vector<float>& scores) {
  const Shape& shape = output.shape();
  const auto batch = static_cast<std::int64_t>(last.batch);
  const auto length = static_cast<std::int64_t>(last.length);
  const std::int64_t columns = last.columns;
  const std::int64_t vocabulary = shape.rank() == 0 ? 0 : shape[shape.rank() - 1];
  const std::int64_t places = vocabulary == 0 ? 0 : output.elements() / vocabulary;
  const bool of_all = places == batch * columns;
  const bool of_last = places == batch && (columns == length || graph.length || !graph.whole_prefix);
  if (shape.rank() < 2 || (!of_all && !of_last))
    reject_output(signature.outputs[graph.scores], shape, batch, columns, places == batch);
  const bool by_time = are_by_time(graph, shape, columns, batch);
  const std::int64_t time = graph.whole_prefix ? length - 1 : 0;
  scores.resize(last.rows * static_cast<std::size_t>(vocabulary));
  for (std::size_t row = 0; row < last.rows; ++row) {
    const auto r = static_cast<std::int64_t>(row);
    const std::int64_t in_all = by_time ? time * batch + r : r * columns + time;
    read_floats(output, (of_all ? in_all : r) * vocabulary, vocabulary,
                scores.data() + row * static_cast<std::size_t>(vocabulary));
  }
  return static_cast<std::size_t>(vocabulary);
}

}  // namespace mxinfer::api
