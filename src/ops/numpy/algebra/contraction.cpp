#include "ops/numpy/algebra/contraction.h"

#include <algorithm>

namespace mxinfer::ops {
namespace {

std::int64_t elements_of(const std::vector<ContractionDim>& dims) {
  std::int64_t count = 1;
  for (const ContractionDim& dim : dims) count = checked_mul(count, dim.size).value_or(0);
  return count;
}

std::vector<ContractionDim> merged(const std::vector<ContractionDim>& dims) {
  std::vector<ContractionDim> result;
  for (const ContractionDim& dim : dims) {
    if (dim.size == 1) continue;
    const auto continues = [&](const ContractionDim& outer) {
      return outer.a == dim.a * dim.size && outer.b == dim.b * dim.size && outer.dst == dim.dst * dim.size;
    };
    if (!result.empty() && continues(result.back())) {
      result.back() = {result.back().size * dim.size, dim.a, dim.b, dim.dst};
    } else {
      result.push_back(dim);
    }
  }
  return result;
}

void set_dense(std::vector<ContractionDim>& dims, std::int64_t& step) {
  for (std::size_t d = dims.size(); d-- > 0;) {
    dims[d].dst = step;
    step = checked_mul(step, dims[d].size).value_or(0);
  }
}

}  // namespace

std::int64_t Contraction::matrices() const {
  return elements_of(batch);
}
std::int64_t Contraction::row_count() const {
  return elements_of(rows);
}
std::int64_t Contraction::column_count() const {
  return elements_of(columns);
}
std::int64_t Contraction::depth_count() const {
  return elements_of(depth);
}
double Contraction::flops() const {
  return 2.0 * static_cast<double>(matrices()) * static_cast<double>(row_count()) *
         static_cast<double>(column_count()) * static_cast<double>(depth_count());
}

void set_dense_output(Contraction& contraction) {
  std::int64_t step = 1;
  for (auto* dims : {&contraction.columns, &contraction.rows, &contraction.batch}) set_dense(*dims, step);
}

Contraction simplified(const Contraction& contraction) {
  Contraction result;
  result.columns = merged(contraction.columns);
  result.depth = merged(contraction.depth);
  result.batch = merged(contraction.batch);
  result.rows = merged(contraction.rows);
  // A batch that b repeats, in front of the rows in the output, is more of them.
  while (!result.batch.empty() && result.batch.back().b == 0) {
    std::vector<ContractionDim> rows = result.rows;
    rows.insert(rows.begin(), result.batch.back());
    rows = merged(rows);
    if (rows.size() > 1) break;
    result.rows = rows;
    result.batch.pop_back();
  }
  return result;
}

}  // namespace mxinfer::ops
