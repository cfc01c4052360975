#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/attention/attention.h"

namespace mxinfer::kernels {
namespace {

/// One query.
template <typename T>
class AttentionLine {
 public:
  AttentionLine(const AttentionArgs& args, std::int64_t line)
      : args_(args),
        query_(line % args.queries),
        head_(line / args.queries % args.heads),
        batch_(line / args.queries / args.heads) {}

  const T* row(const AttentionRows& rows, std::int64_t word) const {
    return static_cast<const T*>(rows.data) + at(rows, word);
  }
  std::int64_t at(const AttentionRows& rows, std::int64_t word) const {
    return batch_ * rows.batch + head_ * rows.head + word * rows.word;
  }
  std::int64_t query() const { return query_; }

  double mask(std::int64_t key) const {
    const AttentionMask& mask = args_.mask;
    const std::int64_t at = batch_ * mask.batch + head_ * mask.head + query_ * mask.query + key * mask.key;
    double value = 0;
    with_mask_elements(mask.type, [&](auto elements) {
      value = static_cast<double>(static_cast<decltype(elements)>(mask.data)[at]);
    });
    return value;
  }

  std::int64_t length() const {
    if (args_.mask.masking != AttentionMasking::lengths) return args_.keys;
    return static_cast<std::int64_t>(std::clamp(mask(0), 0.0, static_cast<double>(args_.keys)));
  }

  T score(std::int64_t key) const {
    const T *query = row(args_.q, query_), *other = row(args_.k, key);
    T sum = 0;
    for (std::int64_t d = 0; d < args_.width; ++d) sum += query[d] * other[d];
    sum *= static_cast<T>(args_.scale);
    switch (args_.mask.masking) {
      case AttentionMasking::where:
        return mask(key) != 0 ? sum : static_cast<T>(args_.mask.fill);
      case AttentionMasking::add:
        return sum + static_cast<T>(mask(key));
      default:
        return sum;
    }
  }

 private:
  const AttentionArgs& args_;
  std::int64_t query_, head_, batch_;
};

}  // namespace

template <typename T>
void attention_ref(const AttentionArgs& args, T* scratch, std::int64_t begin, std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i) {
    const AttentionLine<T> line(args, i);
    const std::int64_t length = line.length();
    T largest = -std::numeric_limits<T>::infinity();
    for (std::int64_t j = 0; j < length; ++j) {
      scratch[j] = line.score(j);
      largest = std::max(largest, scratch[j]);
    }
    double sum = 0;
    for (std::int64_t j = 0; j < length; ++j) sum += scratch[j] = std::exp(scratch[j] - largest);
    for (std::int64_t j = 0; j < length; ++j) {
      scratch[j] = static_cast<T>(scratch[j] / sum);
      if (args.mask.multiplies) scratch[j] *= static_cast<T>(line.mask(j));
    }
    T* to = static_cast<T*>(args.dst) + line.at(args.out, line.query());
    std::fill(to, to + args.value_width, T(0));
    for (std::int64_t j = 0; j < length; ++j) {
      const T* values = line.row(args.v, j);
      for (std::int64_t d = 0; d < args.value_width; ++d) to[d] += scratch[j] * values[d];
    }
  }
}

template void attention_ref(const AttentionArgs&, float*, std::int64_t, std::int64_t);
template void attention_ref(const AttentionArgs&, double*, std::int64_t, std::int64_t);

}  // namespace mxinfer::kernels
