#include "plan/schedule/branches.h"

#include <algorithm>
#include <tuple>

namespace mxinfer::plan {
namespace {

// What a loop on several threads loses, seconds: until all of them work and know that all is done, and
// because they do not end at the same time: a share of its work, which large loops are cut finely enough to
// bound.
constexpr double kLoopStart = 8e-6, kUneven = 0.03, kMostUneven = 60e-6;
// Predictions err: less than this share of a section's time, and less than a loop's start, is no gain.
constexpr double kMargin = 0.05;
// The longest section, in nodes. It bounds how long the search takes, and how much memory branches keep from
// each other.
constexpr std::size_t kLongest = 96;

// What a step loses when all threads work on it. On one it loses nothing, so it loses no more than that.
double lost(double seconds, int threads) {
  return std::min(kLoopStart + std::min(kUneven * seconds, kMostUneven), seconds - seconds / threads);
}

// Items that are joined by what they read.
struct Branch {
  std::size_t root = 0;  ///< its last item
  bool runs = false;     ///< one of its items does
  double seconds = 0, lost = 0;
  std::size_t lane = 0;
};

// Items first, first + 1, ... fall apart into branches.
class Components {
 public:
  explicit Components(std::size_t first) : first_(first) {}

  /// How many branches an item that reads these would join.
  std::size_t joined_by(const std::vector<std::size_t>& makers) {
    roots_.clear();
    for (const std::size_t maker : makers) {
      if (maker < first_) continue;
      const std::size_t root = root_of(maker);
      if (std::find(roots_.begin(), roots_.end(), root) == roots_.end()) roots_.push_back(root);
    }
    return roots_.size();
  }
  /// The next item, which reads these.
  void add(const std::vector<std::size_t>& makers, const NodeTime& time, double lost) {
    joined_by(makers);
    const std::size_t item = first_ + parent_.size();
    parent_.push_back(item);
    Branch branch{item, time.runs, time.seconds, lost};
    for (const std::size_t root : roots_) {
      parent_[root - first_] = item;
      const Branch& joined = branches_[root - first_];
      branch.runs = branch.runs || joined.runs;
      branch.seconds += joined.seconds;
      branch.lost += joined.lost;
    }
    branches_.push_back(branch);
    count_ = count_ + 1 - roots_.size();
  }

  std::size_t count() const { return count_; }
  /// The last item of an item's branch.
  std::size_t root_of(std::size_t item) {
    while (parent(item) != item) item = parent(item) = parent(parent(item));
    return item;
  }
  void list(std::vector<Branch>& branches) const {
    branches.clear();
    for (const Branch& branch : branches_) {
      if (parent_[branch.root - first_] == branch.root) branches.push_back(branch);
    }
  }

 private:
  std::size_t& parent(std::size_t item) { return parent_[item - first_]; }

  std::size_t first_;
  std::size_t count_ = 0;
  std::vector<std::size_t> parent_;  ///< by item, from the first
  std::vector<Branch> branches_;     ///< by item; meaningful at roots
  std::vector<std::size_t> roots_;   ///< of the last item that was asked about
};

struct Cost {
  std::size_t running = 0;  ///< branches that run something
  double seconds = 0, seconds_in_turn = 0;
  double gain() const { return seconds_in_turn - seconds; }
};

// Deals branches to the threads, the longest first, each to the one that has least to do. When the first
// thread has done its share, it helps with the loops of the others, which are then run as without the
// section. Sorts the branches.
Cost deal(std::vector<Branch>& branches, int threads) {
  std::sort(branches.begin(), branches.end(), [](const Branch& a, const Branch& b) {
    return std::tuple(!a.runs, -a.seconds, a.root) < std::tuple(!b.runs, -b.seconds, b.root);
  });
  Cost cost;
  std::vector<double> load(static_cast<std::size_t>(threads), 0), losses(load.size(), 0);
  for (Branch& branch : branches) {
    if (!branch.runs) break;
    // The first threads run a branch each, whatever it takes.
    const auto least = std::min_element(load.begin(), load.end()) - load.begin();
    branch.lane = cost.running < load.size() ? cost.running : static_cast<std::size_t>(least);
    ++cost.running;
    load[branch.lane] += branch.seconds;
    losses[branch.lane] += branch.lost;
    cost.seconds_in_turn += branch.seconds / threads + branch.lost;
  }
  const double side_by_side = *std::min_element(load.begin(), load.end());
  cost.seconds = kLoopStart + side_by_side;
  for (std::size_t lane = 0; lane < load.size(); ++lane) {
    const double left = load[lane] - side_by_side;
    if (left > 0) cost.seconds += left / threads + losses[lane] * left / load[lane];
  }
  return cost;
}

class Finder {
 public:
  Finder(const graph::Graph& graph, const std::vector<NodeTime>& times, int threads, Branches when)
      : times_(times), threads_(threads), always_(when == Branches::wherever_there_are) {
    std::vector<std::size_t> item_of(graph.nodes.size());
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
      if (graph.nodes[n].is_variable()) continue;
      item_of[n] = nodes_.size();
      nodes_.push_back(n);
      std::vector<std::size_t> makers;
      for (const graph::Value input : graph.nodes[n].inputs) {
        const auto from = static_cast<std::size_t>(input.node);
        if (!graph.nodes[from].is_variable()) makers.push_back(item_of[from]);
      }
      std::sort(makers.begin(), makers.end());
      makers.erase(std::unique(makers.begin(), makers.end()), makers.end());
      readers_.push_back(0);
      for (const std::size_t maker : makers) ++readers_[maker];
      makers_.push_back(std::move(makers));
    }
  }

  // Of the candidates, those that share no item and gain most together.
  std::vector<Section> find() {
    find_candidates();
    std::vector<double> best(nodes_.size() + 1, 0);
    std::vector<const Candidate*> taken(best.size(), nullptr);
    std::stable_sort(candidates_.begin(), candidates_.end(),
                     [](const Candidate& a, const Candidate& b) { return a.end < b.end; });
    auto next = candidates_.begin();
    for (std::size_t end = 1; end < best.size(); ++end) {
      best[end] = best[end - 1];
      for (; next != candidates_.end() && next->end == end; ++next) {
        if (best[next->first] + next->gain <= best[end]) continue;
        best[end] = best[next->first] + next->gain;
        taken[end] = &*next;
      }
    }
    std::vector<Section> sections;
    for (std::size_t end = nodes_.size(); end > 0;) {
      if (taken[end] == nullptr) {
        --end;
        continue;
      }
      sections.push_back(section(taken[end]->first, end, taken[end]->gain));
      end = taken[end]->first;
    }
    std::reverse(sections.begin(), sections.end());
    return sections;
  }

 private:
  /// Items [first, end).
  struct Candidate {
    std::size_t first, end;
    double gain;
  };

  const NodeTime& time(std::size_t item) const { return times_[nodes_[item]]; }

  // A longer section gains no less as long as no item joins branches. So those are candidates that cannot
  // grow: behind an item that several read or from one that joins several, up to one that joins branches.
  // Where all are joined, others begin.
  void find_candidates() {
    std::size_t continued = 0;  // where a section ended because it was long
    for (std::size_t first = 0; first < nodes_.size(); ++first) {
      if (first != continued && readers_[first - 1] < 2 && makers_[first].size() < 2) continue;
      const std::size_t end = std::min(first + kLongest, nodes_.size());
      if (first == continued) continued = end;
      Components components(first);
      double seconds = 0;
      for (std::size_t item = first; item < end; ++item) {
        if (components.joined_by(makers_[item]) > 1) {
          consider(components, first, item, seconds);
          if (components.joined_by(makers_[item]) == components.count()) break;
        }
        add(components, item);
        seconds += time(item).seconds;
        if (item + 1 == end) consider(components, first, end, seconds);
      }
    }
  }

  void add(Components& components, std::size_t item) const {
    components.add(makers_[item], time(item), lost(time(item).seconds, threads_));
  }

  void consider(const Components& components, std::size_t first, std::size_t end, double seconds) {
    if (components.count() < 2 || (!always_ && seconds < 2 * kLoopStart)) return;
    components.list(branches_);
    const Cost cost = deal(branches_, threads_);
    if (worth(cost)) candidates_.push_back({first, end, value(cost, end - first)});
  }

  bool worth(const Cost& cost) const {
    if (always_) return cost.running > 1;
    return cost.gain() > std::max(kLoopStart, kMargin * cost.seconds_in_turn);
  }
  double value(const Cost& cost, std::size_t items) const {
    return always_ ? static_cast<double>(items) : cost.gain();
  }

  Components components_of(std::size_t first, std::size_t end) const {
    Components components(first);
    for (std::size_t item = first; item < end; ++item) add(components, item);
    return components;
  }

  // Whether items [first, end) are worth about as much as what they are part of.
  bool is_enough(std::size_t first, std::size_t end, double whole) {
    components_of(first, end).list(branches_);
    const Cost cost = deal(branches_, threads_);
    return worth(cost) && cost.gain() >= 0.99 * whole;
  }

  // Items at both ends during which nothing else runs are left out: they only keep memory.
  Section section(std::size_t first, std::size_t end, double gain) {
    while (!always_ && is_enough(first, end - 1, gain)) --end;
    while (!always_ && is_enough(first + 1, end, gain)) ++first;

    Components components = components_of(first, end);
    components.list(branches_);
    const Cost cost = deal(branches_, threads_);
    Section section;
    section.first = static_cast<std::int32_t>(nodes_[first]);
    section.last = static_cast<std::int32_t>(nodes_[end - 1]);
    section.seconds = cost.seconds;
    section.seconds_in_turn = cost.seconds_in_turn;
    section.branches.resize(branches_.size());
    section.lanes.resize(std::min(static_cast<std::size_t>(threads_), cost.running));
    std::vector<std::size_t> branch_of(end - first);  // by root
    for (std::size_t b = 0; b < branches_.size(); ++b) {
      branch_of[branches_[b].root - first] = b;
      if (branches_[b].runs) section.lanes[branches_[b].lane].push_back(b);
    }
    for (std::size_t item = first; item < end; ++item) {
      section.branches[branch_of[components.root_of(item) - first]].push_back(
          static_cast<std::int32_t>(nodes_[item]));
    }
    return section;
  }

  const std::vector<NodeTime>& times_;
  int threads_;
  bool always_;
  std::vector<std::size_t> nodes_;                ///< by item: the operators of the graph
  std::vector<std::vector<std::size_t>> makers_;  ///< by item: those that it reads from
  std::vector<std::size_t> readers_;              ///< by item: how many read from it
  std::vector<Candidate> candidates_;
  std::vector<Branch> branches_;  ///< of the section that is looked at
};

}  // namespace

std::vector<Section> find_sections(const graph::Graph& graph, const std::vector<NodeTime>& times, int threads,
                                   Branches when) {
  if (threads < 2 || when == Branches::never) return {};
  return Finder(graph, times, threads, when).find();
}

}  // namespace mxinfer::plan
