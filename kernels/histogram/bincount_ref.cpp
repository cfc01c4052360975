#include <algorithm>

#include "kernels/elementwise/wrapping.h"
#include "kernels/histogram/bincount.h"

namespace mxinfer::kernels {
namespace {

template <typename T>
std::int64_t count_bins(const void* src, std::int64_t count, std::int64_t* bad) {
  const T* in = static_cast<const T*>(src);
  std::int64_t most = -1;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto value = static_cast<std::int64_t>(in[i]);  // NOLINT(bugprone-signed-char-misuse): a number
    if (value < 0) {
      *bad = i;
      return -1;
    }
    most = std::max(most, value);
  }
  return most + 1;
}

template <typename T, typename Out>
void bincount(const BincountArgs& args) {
  const T* in = static_cast<const T*>(args.src);
  Out* out = static_cast<Out*>(args.dst);
  std::fill_n(out, args.bins, Out(Arithmetic<Out>(0)));
  for (std::int64_t i = 0; i < args.count; ++i) {
    const auto weight = args.weights == nullptr
                            ? Arithmetic<Out>(1)
                            : static_cast<Arithmetic<Out>>(static_cast<const Out*>(args.weights)[i]);
    const auto place = static_cast<std::int64_t>(in[i]);  // NOLINT(bugprone-signed-char-misuse): a number
    Out& bin = out[place];
    bin = Out(wrapping_add(static_cast<Arithmetic<Out>>(bin), weight));
  }
}

template <typename T>
constexpr PerType<BincountFn> bincounts_of() {
  return {bincount<T, float>,        bincount<T, double>,
          bincount<T, Float16>,      bincount<T, std::uint8_t>,
          bincount<T, std::int32_t>, bincount<T, std::int8_t>,
          bincount<T, std::int64_t>, nullptr};
}

}  // namespace

CountBinsFn select_count_bins(ElementType type) {
  static constexpr PerType<CountBinsFn> kFunctions = {nullptr,
                                                      nullptr,
                                                      nullptr,
                                                      count_bins<std::uint8_t>,
                                                      count_bins<std::int32_t>,
                                                      count_bins<std::int8_t>,
                                                      count_bins<std::int64_t>,
                                                      nullptr};
  return pick(kFunctions, type);
}

BincountFn select_bincount(ElementType type, ElementType result) {
  static constexpr PerType<PerType<BincountFn>> kFunctions = {
      PerType<BincountFn>{},        PerType<BincountFn>{},        PerType<BincountFn>{},
      bincounts_of<std::uint8_t>(), bincounts_of<std::int32_t>(), bincounts_of<std::int8_t>(),
      bincounts_of<std::int64_t>(), PerType<BincountFn>{}};
  return pick(pick(kFunctions, type), result);
}

}  // namespace mxinfer::kernels
