#include "plan/lower/choose_implementations.h"

#include <algorithm>
#include <iomanip>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>

#include "base/fail.h"

namespace mxinfer::plan {
namespace {

using ops::Implementation;
using ops::Implementations;

std::string rounded(double value, int digits = 2) {
  std::ostringstream text;
  text << std::setprecision(digits) << value;
  return text.str();
}

// The implementations of a node, and the cost of each.
struct Ranking {
  std::size_t node;
  Implementations implementations;
  const Parameter* weights;
  std::vector<double> times;   ///< measured or predicted milliseconds
  std::vector<double> prices;  ///< of their memory, as milliseconds
  std::size_t best = 0;
  bool tuned = false;     ///< best is that of the tuning
  bool measured = false;  ///< and so are the times

  double cost(std::size_t i) const { return times[i] + prices[i]; }

  // The cheapest implementation for which `allowed` holds.
  template <typename Allowed>
  std::optional<std::size_t> cheapest(const Allowed& allowed) const {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < times.size(); ++i) {
      if (allowed(implementations.all[i]) && (!found || cost(i) < cost(*found))) found = i;
    }
    return found;
  }
  // The fastest implementation other than `i`, if memory had no price.
  std::optional<std::size_t> fastest_but(std::size_t i) const {
    std::optional<std::size_t> found;
    for (std::size_t j = 0; j < times.size(); ++j) {
      if (j != i && (!found || times[j] < times[*found])) found = j;
    }
    return found;
  }
  std::optional<std::size_t> unbounded() const {
    return cheapest([](const Implementation& v) { return v.bounded_bytes == 0; });
  }
};

const TunedChoice* tuned_choice(const Tuning& tuning, const std::string& shape) {
  if (shape.empty()) return nullptr;  // of an operator with one implementation, which is never timed
  const auto found = std::find_if(tuning.choices.begin(), tuning.choices.end(),
                                  [&](const TunedChoice& choice) { return choice.shape == shape; });
  return found == tuning.choices.end() ? nullptr : &*found;
}

std::string names_of(const Implementations& implementations) {
  std::string names;
  for (const Implementation& one : implementations.all) names += (names.empty() ? "" : ", ") + one.name;
  return names;
}

// Uses measured times, if every implementation has one.
void apply(const TunedChoice& choice, Ranking& ranking) {
  const auto& all = ranking.implementations.all;
  const auto named =
      std::find_if(all.begin(), all.end(), [&](const Implementation& v) { return v.name == choice.kernel; });
  if (named == all.end()) {
    fail(ErrorCode::malformed, "the tuning file names kernel ", printable(choice.kernel), " for ",
         ranking.implementations.shape, ", which it cannot compute; the kernels that can are ",
         names_of(ranking.implementations));
  }
  std::vector<double> times;
  for (const Implementation& one : all) {
    for (const KernelTime& time : choice.times) {
      if (time.kernel == one.name) times.push_back(time.ms);
    }
  }
  ranking.tuned = true;
  ranking.best = static_cast<std::size_t>(named - all.begin());
  ranking.measured = times.size() == all.size();
  if (ranking.measured) ranking.times = std::move(times);
}

// ", whose weights take 7.1 MB more" than those of the chosen one; "" if they do not.
std::string growth(const Implementation& other, const Implementation& chosen) {
  if (other.extra_weight_bytes <= chosen.extra_weight_bytes) return {};
  const auto more = static_cast<double>(other.extra_weight_bytes - chosen.extra_weight_bytes);
  return concat(", whose weights take ", rounded(more / 1e6, 3), " MB more");
}

// "tuned: 0.31 ms against 0.42 of conv_nhwc_direct_f32".
std::string comparison(const Ranking& ranking, std::size_t chosen) {
  const auto fastest = ranking.fastest_but(chosen);
  if (!fastest) return {};
  const auto& all = ranking.implementations.all;
  const std::string name = " of " + all[*fastest].name;
  const double time = ranking.times[chosen], other = ranking.times[*fastest];
  if (!ranking.tuned && other == 0) return {};  // they state no work
  if (!ranking.tuned)
    return concat("predicted to take ", rounded(time / other), name, "'s time",
                  growth(all[*fastest], all[chosen]));
  if (!ranking.measured) return "tuned";
  return concat("tuned: ", rounded(time), " ms against ", rounded(other), name);
}

// Memory for packed weights that several nodes may share.
class Room {
 public:
  explicit Room(std::size_t bytes) : left_(bytes) {}
  std::size_t left() const { return left_; }
  bool has(const Parameter* weights, const Implementation& one) const {
    return one.bounded_bytes <= left_ || taken_.count({weights, one.name}) > 0;
  }
  void take(const Parameter* weights, const Implementation& one) {
    if (one.bounded_bytes > 0 && taken_.insert({weights, one.name}).second) left_ -= one.bounded_bytes;
  }

 private:
  std::size_t left_;
  std::set<std::pair<const Parameter*, std::string>> taken_;
};

// Largest gain per byte first.
std::vector<const Ranking*> by_gain(const std::vector<Ranking>& rankings) {
  std::vector<std::tuple<double, std::size_t, const Ranking*>> order;
  for (const Ranking& ranking : rankings) {
    const Implementation& best = ranking.implementations.all[ranking.best];
    if (best.bounded_bytes == 0) continue;
    const auto other = ranking.unbounded();
    const double gain = other ? ranking.times[*other] - ranking.times[ranking.best] : 1e300;
    order.emplace_back(-gain / static_cast<double>(best.bounded_bytes), ranking.node, &ranking);
  }
  std::sort(order.begin(), order.end());
  std::vector<const Ranking*> rankings_by_gain;
  for (const auto& entry : order) rankings_by_gain.push_back(std::get<2>(entry));
  return rankings_by_gain;
}

Ranking rank(std::size_t node, const NodeImplementations& of_node, const PlanOptions& options,
             const kernels::MachineRates& rates) {
  Ranking ranking{node, of_node.implementations, of_node.weights, {}, {}};
  for (const Implementation& one : ranking.implementations.all) {
    ranking.times.push_back(1e3 * ops::predicted_seconds(one, rates));
    ranking.prices.push_back(1e3 * ops::memory_price(one, rates));
  }
  ranking.best = *ranking.cheapest([](const Implementation&) { return true; });
  const TunedChoice* choice =
      options.tuning ? tuned_choice(*options.tuning, ranking.implementations.shape) : nullptr;
  if (choice != nullptr) apply(*choice, ranking);
  return ranking;
}

}  // namespace

std::vector<Choice> choose_implementations(const std::vector<NodeImplementations>& nodes,
                                           const PlanOptions& options, const kernels::MachineRates& rates,
                                           std::size_t* winograd_bytes) {
  std::vector<Choice> choices(nodes.size());
  std::vector<Ranking> rankings;
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    if (!nodes[node].implementations.all.empty()) rankings.push_back(rank(node, nodes[node], options, rates));
  }
  const auto choose = [&](const Ranking& ranking, std::size_t i, const std::string& why) {
    std::string reason = comparison(ranking, i);
    if (!why.empty()) reason += (reason.empty() ? "" : "; ") + why;
    Choice& choice = choices[ranking.node];
    choice = {ranking.implementations.all[i], std::move(reason), ranking.implementations.shape};
    for (const Implementation& one : ranking.implementations.all) choice.kernels.push_back(one.name);
  };
  for (const Ranking& ranking : rankings) choose(ranking, ranking.best, "");
  Room room(options.max_winograd_bytes);
  for (const Ranking* ranking : by_gain(rankings)) {
    const Implementation& best = ranking->implementations.all[ranking->best];
    const auto fitting =
        room.has(ranking->weights, best)
            ? std::optional(ranking->best)
            : ranking->cheapest([&](const Implementation& v) { return room.has(ranking->weights, v); });
    if (!fitting) continue;
    room.take(ranking->weights, ranking->implementations.all[*fitting]);
    if (*fitting == ranking->best) continue;
    choose(*ranking, *fitting,
           concat(best.name, " is faster, its weights would exceed the ", options.max_winograd_bytes,
                  " bytes of max_winograd_bytes"));
  }
  if (winograd_bytes != nullptr) *winograd_bytes = options.max_winograd_bytes - room.left();
  return choices;
}

}  // namespace mxinfer::plan
