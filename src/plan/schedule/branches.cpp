// Chooses the regions whose branches run side by side. Every range of operators that falls apart into
// branches is a candidate; its gain comes from a schedule of its branches (longest processing time first).
// Weighted interval scheduling, by dynamic programming, chooses the disjoint candidates that gain most
// together.
#include "plan/schedule/branches.h"

#include <algorithm>
#include <tuple>

namespace mxinfer::plan {
namespace {

/// Seconds until all threads work on a loop and know that it has ended.
constexpr double kLoopStart = 8e-6;
/// The share of a loop's time that threads wait at its end, because its pieces do not end at the same time.
constexpr double kImbalance = 0.03;
/// The longest such wait, in seconds: large loops are cut finely enough to bound it.
constexpr double kMaxImbalance = 60e-6;
/// Predictions are inexact: a gain below this share of a region's time, or below the start of a loop, does
/// not count.
constexpr double kMargin = 0.05;
/// The share of a region's gain that a part of it must keep to take its place.
constexpr double kAboutAll = 0.99;
/// The longest region, in operators. It bounds the time of the search, and the memory that branches cannot
/// share.
constexpr std::size_t kMaxOps = 96;

/// The overhead of a step that all threads work on. It never exceeds the gain over one thread.
double parallel_overhead(double seconds, int threads) {
  return std::min(kLoopStart + std::min(kImbalance * seconds, kMaxImbalance), seconds - seconds / threads);
}

/// The operators of a graph in topological order. An op is an index into these.
struct OpList {
  std::vector<std::size_t> nodes;                   ///< by op: its node
  std::vector<std::vector<std::size_t>> producers;  ///< by op: the ops that it reads from
  std::vector<std::size_t> consumers;               ///< by op: how many ops read from it
};

OpList ops_of(const graph::Graph& graph) {
  OpList ops;
  std::vector<std::size_t> op_of(graph.nodes.size());
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    if (graph.nodes[n].is_variable()) continue;
    op_of[n] = ops.nodes.size();
    ops.nodes.push_back(n);
    std::vector<std::size_t> producers;
    for (const graph::Value input : graph.nodes[n].inputs) {
      const auto from = static_cast<std::size_t>(input.node);
      if (!graph.nodes[from].is_variable()) producers.push_back(op_of[from]);
    }
    std::sort(producers.begin(), producers.end());
    producers.erase(std::unique(producers.begin(), producers.end()), producers.end());
    ops.consumers.push_back(0);
    for (const std::size_t producer : producers) ++ops.consumers[producer];
    ops.producers.push_back(std::move(producers));
  }
  return ops;
}

/// A connected component of the ops of a region.
struct Branch {
  std::size_t root = 0;  ///< its last op
  bool runs = false;     ///< whether one of its ops does
  double seconds = 0, overhead = 0;
  std::size_t stream = 0;
};

/// The connected components of ops first, first + 1, ..., by union-find.
class Components {
 public:
  explicit Components(std::size_t first) : first_(first) {}

  /// How many components an op with these producers would connect.
  std::size_t connected_by(const std::vector<std::size_t>& producers) {
    roots_.clear();
    for (const std::size_t producer : producers) {
      if (producer < first_) continue;
      const std::size_t root = root_of(producer);
      if (std::find(roots_.begin(), roots_.end(), root) == roots_.end()) roots_.push_back(root);
    }
    return roots_.size();
  }
  /// Adds the next op.
  void add(const std::vector<std::size_t>& producers, const NodeTime& time, double overhead) {
    connected_by(producers);
    const std::size_t op = first_ + parent_.size();
    parent_.push_back(op);
    Branch branch{op, time.runs, time.seconds, overhead};
    for (const std::size_t root : roots_) {
      parent_[root - first_] = op;
      const Branch& part = branches_[root - first_];
      branch.runs = branch.runs || part.runs;
      branch.seconds += part.seconds;
      branch.overhead += part.overhead;
    }
    branches_.push_back(branch);
    count_ = count_ + 1 - roots_.size();
  }

  std::size_t count() const { return count_; }
  /// The last op of an op's component.
  std::size_t root_of(std::size_t op) {
    while (parent(op) != op) op = parent(op) = parent(parent(op));
    return op;
  }
  void list(std::vector<Branch>& branches) const {
    branches.clear();
    for (const Branch& branch : branches_) {
      if (parent_[branch.root - first_] == branch.root) branches.push_back(branch);
    }
  }

 private:
  std::size_t& parent(std::size_t op) { return parent_[op - first_]; }

  std::size_t first_;
  std::size_t count_ = 0;
  std::vector<std::size_t> parent_;  ///< by op, from the first
  std::vector<Branch> branches_;     ///< by op; meaningful at roots
  std::vector<std::size_t> roots_;   ///< what connected_by found last
};

struct Cost {
  std::size_t running = 0;  ///< branches that run something
  double seconds = 0, seconds_in_turn = 0;
  double gain() const { return seconds_in_turn - seconds; }
};

/// Assigns branches to threads, longest processing time first: each branch to the thread with the least load.
/// When the first thread has finished, it helps with the loops of the others, which then run as without the
/// region. Sorts the branches.
Cost schedule_longest_first(std::vector<Branch>& branches, int threads) {
  std::sort(branches.begin(), branches.end(), [](const Branch& a, const Branch& b) {
    return std::tuple(!a.runs, -a.seconds, a.root) < std::tuple(!b.runs, -b.seconds, b.root);
  });
  Cost cost;
  std::vector<double> load(static_cast<std::size_t>(threads), 0), overhead(load.size(), 0);
  for (Branch& branch : branches) {
    if (!branch.runs) break;
    // The first threads run a branch each, whatever it takes.
    const auto least = std::min_element(load.begin(), load.end()) - load.begin();
    branch.stream = cost.running < load.size() ? cost.running : static_cast<std::size_t>(least);
    ++cost.running;
    load[branch.stream] += branch.seconds;
    overhead[branch.stream] += branch.overhead;
    cost.seconds_in_turn += branch.seconds / threads + branch.overhead;
  }
  const double parallel_seconds = *std::min_element(load.begin(), load.end());
  cost.seconds = kLoopStart + parallel_seconds;
  for (std::size_t stream = 0; stream < load.size(); ++stream) {
    const double left = load[stream] - parallel_seconds;
    if (left > 0) cost.seconds += left / threads + overhead[stream] * left / load[stream];
  }
  return cost;
}

/// Ops [first, end) as a region, and what it gains.
struct Candidate {
  std::size_t first, end;
  double gain;
};

/// Weighted interval scheduling by dynamic programming: of the candidates those that share no op and gain
/// most together, in order. best[end] is the most that candidates within [0, end) gain.
std::vector<Candidate> best_disjoint(std::vector<Candidate> candidates, std::size_t ops) {
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.end < b.end; });
  std::vector<double> best(ops + 1, 0);
  std::vector<const Candidate*> chosen(best.size(), nullptr);
  auto next = candidates.begin();
  for (std::size_t end = 1; end < best.size(); ++end) {
    best[end] = best[end - 1];
    for (; next != candidates.end() && next->end == end; ++next) {
      if (best[next->first] + next->gain <= best[end]) continue;
      best[end] = best[next->first] + next->gain;
      chosen[end] = &*next;
    }
  }
  std::vector<Candidate> result;
  for (std::size_t end = ops; end > 0; end = chosen[end] != nullptr ? chosen[end]->first : end - 1) {
    if (chosen[end] != nullptr) result.push_back(*chosen[end]);
  }
  std::reverse(result.begin(), result.end());
  return result;
}

class RegionPlanner {
 public:
  RegionPlanner(const OpList& ops, const std::vector<NodeTime>& times, int threads, bool always)
      : ops_(ops), times_(times), threads_(threads), always_(always) {}

  /// A longer region gains no less as long as no op connects branches. So candidates are the regions that
  /// cannot grow: they begin behind an op with several consumers or at one with several producers, and end
  /// before one that connects branches. If that connects all of them, no longer region begins there.
  std::vector<Candidate> candidates() {
    std::vector<Candidate> result;
    std::size_t continued = 0;  // where a region ended because it was long
    for (std::size_t first = 0; first < ops_.nodes.size(); ++first) {
      if (first != continued && ops_.consumers[first - 1] < 2 && ops_.producers[first].size() < 2) continue;
      const std::size_t end = std::min(first + kMaxOps, ops_.nodes.size());
      if (first == continued) continued = end;
      add_candidates(first, end, result);
    }
    return result;
  }

  /// Drops ops at both ends during which nothing else runs: they only hold memory.
  Candidate trimmed(Candidate candidate) {
    auto& [first, end, gain] = candidate;
    if (always_) return candidate;
    while (gains_about(first, end - 1, gain)) --end;
    while (gains_about(first + 1, end, gain)) ++first;
    return candidate;
  }

  Region region(const Candidate& candidate) {
    const std::size_t first = candidate.first;
    Components components = components_of(first, candidate.end);
    const Cost cost = schedule(components);
    Region region;
    region.first = node_of(first);
    region.last = node_of(candidate.end - 1);
    region.seconds = cost.seconds;
    region.seconds_in_turn = cost.seconds_in_turn;
    region.branches.resize(branches_.size());
    region.workers.resize(std::min(static_cast<std::size_t>(threads_), cost.running));
    std::vector<std::size_t> branch_of(candidate.end - first);  // by root
    for (std::size_t b = 0; b < branches_.size(); ++b) {
      branch_of[branches_[b].root - first] = b;
      if (branches_[b].runs) region.workers[branches_[b].stream].push_back(b);
    }
    for (std::size_t op = first; op < candidate.end; ++op) {
      region.branches[branch_of[components.root_of(op) - first]].push_back(node_of(op));
    }
    return region;
  }

 private:
  std::int32_t node_of(std::size_t op) const { return static_cast<std::int32_t>(ops_.nodes[op]); }
  const NodeTime& time(std::size_t op) const { return times_[ops_.nodes[op]]; }

  /// The candidates that begin at an op and have no op from `end` on.
  void add_candidates(std::size_t first, std::size_t end, std::vector<Candidate>& result) {
    Components components(first);
    double seconds = 0;
    for (std::size_t op = first; op < end; ++op) {
      if (components.connected_by(ops_.producers[op]) > 1) {
        consider(components, {first, op, 0}, seconds, result);
        if (components.connected_by(ops_.producers[op]) == components.count()) return;
      }
      add(components, op);
      seconds += time(op).seconds;
    }
    consider(components, {first, end, 0}, seconds, result);
  }

  void consider(const Components& components, Candidate candidate, double seconds,
                std::vector<Candidate>& result) {
    if (components.count() < 2 || (!always_ && seconds < 2 * kLoopStart)) return;
    const Cost cost = schedule(components);
    if (!pays(cost)) return;
    candidate.gain = always_ ? static_cast<double>(candidate.end - candidate.first) : cost.gain();
    result.push_back(candidate);
  }

  bool pays(const Cost& cost) const {
    if (always_) return cost.running > 1;
    return cost.gain() > std::max(kLoopStart, kMargin * cost.seconds_in_turn);
  }

  void add(Components& components, std::size_t op) const {
    components.add(ops_.producers[op], time(op), parallel_overhead(time(op).seconds, threads_));
  }

  Components components_of(std::size_t first, std::size_t end) const {
    Components components(first);
    for (std::size_t op = first; op < end; ++op) add(components, op);
    return components;
  }

  /// Sets branches_.
  Cost schedule(const Components& components) {
    components.list(branches_);
    return schedule_longest_first(branches_, threads_);
  }

  bool gains_about(std::size_t first, std::size_t end, double whole) {
    const Cost cost = schedule(components_of(first, end));
    return pays(cost) && cost.gain() >= kAboutAll * whole;
  }

  const OpList& ops_;
  const std::vector<NodeTime>& times_;
  int threads_;
  bool always_;                   ///< whether regions are made even if they gain nothing
  std::vector<Branch> branches_;  ///< of the region that was scheduled last
};

}  // namespace

std::vector<Region> find_regions(const graph::Graph& graph, const std::vector<NodeTime>& times, int threads,
                                 Branches when) {
  if (threads < 2 || when == Branches::never) return {};
  const OpList ops = ops_of(graph);
  RegionPlanner planner(ops, times, threads, when == Branches::wherever_there_are);
  std::vector<Region> regions;
  for (const Candidate& candidate : best_disjoint(planner.candidates(), ops.nodes.size())) {
    regions.push_back(planner.region(planner.trimmed(candidate)));
  }
  return regions;
}

}  // namespace mxinfer::plan
