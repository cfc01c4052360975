#include "bench.h"

#include <vector>

namespace mxinfer::bench {
namespace {

std::vector<Family::Register>& families() {
  static std::vector<Family::Register> all;
  return all;
}

bool is_quick = false;

std::vector<Target> targets_of(const cases::Case& label) {
  if (is_quick) return label.large ? std::vector<Target>{} : std::vector{kernels::best_target()};
  std::vector<Target> targets;
  for (Target target : {Target::ref, Target::baseline, Target::avx2, Target::avx512}) {
    const bool too_slow = target == Target::ref && label.large;
    if (is_supported(target) && !too_slow) targets.push_back(target);
  }
  return targets;
}

}  // namespace

Family::Family(Register add) {
  families().push_back(add);
}

void register_families(bool quick) {
  is_quick = quick;
  for (const Family::Register add : families()) add();
}

void measure(const std::string& family, const cases::Case& label,
             const std::function<void(benchmark::State&, Target)>& body) {
  for (Target target : targets_of(label)) {
    const std::string name = family + "/" + label.name + "/" + to_string(target);
    benchmark::RegisterBenchmark(name.c_str(),
                                 [body, target](benchmark::State& state) { body(state, target); });
  }
}

void measure_plain(const std::string& family, const cases::Case& label,
                   const std::function<void(benchmark::State&)>& body) {
  if (is_quick && label.large) return;
  benchmark::RegisterBenchmark((family + "/" + label.name).c_str(), body);
}

void report(benchmark::State& state, const Rates& rates) {
  const auto add = [&](const char* name, double amount) {
    const double all = amount * static_cast<double>(state.iterations());
    if (amount > 0) state.counters[name] = benchmark::Counter(all, benchmark::Counter::kIsRate);
  };
  add("items", rates.items);
  add("bytes", rates.bytes);
  add("FLOP", rates.flops);
}

}  // namespace mxinfer::bench
