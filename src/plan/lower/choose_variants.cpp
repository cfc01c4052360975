#include "plan/lower/choose_variants.h"

#include <algorithm>
#include <iomanip>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>

#include "base/fail.h"

namespace mxinfer::plan {
namespace {

using ops::Variant;
using ops::Variants;

std::string rounded(double value) {
  std::ostringstream text;
  text << std::setprecision(2) << value;
  return text.str();
}

// The variants of a node with what each costs: measured milliseconds, or predicted ones.
struct Ranking {
  std::size_t node;
  Variants variants;
  const Parameter* weights;
  std::vector<double> costs;
  std::size_t best = 0;
  bool tuned = false;     ///< best is that of the tuning
  bool measured = false;  ///< and so are the costs

  // The cheapest of those for which `allowed` holds.
  template <typename Allowed>
  std::optional<std::size_t> cheapest(const Allowed& allowed) const {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < costs.size(); ++i) {
      if (allowed(variants.all[i]) && (!found || costs[i] < costs[*found])) found = i;
    }
    return found;
  }
  std::optional<std::size_t> unbounded() const {
    return cheapest([](const Variant& v) { return v.bounded_bytes == 0; });
  }
};

const TunedChoice* tuned_choice(const Tuning& tuning, const std::string& shape) {
  const auto found = std::find_if(tuning.choices.begin(), tuning.choices.end(),
                                  [&](const TunedChoice& choice) { return choice.shape == shape; });
  return found == tuning.choices.end() ? nullptr : &*found;
}

std::string names_of(const Variants& variants) {
  std::string names;
  for (const Variant& variant : variants.all) names += (names.empty() ? "" : ", ") + variant.kernel;
  return names;
}

// Takes measured times for the costs, where there is one of each variant.
void apply(const TunedChoice& choice, Ranking& ranking) {
  const auto& all = ranking.variants.all;
  const auto named =
      std::find_if(all.begin(), all.end(), [&](const Variant& v) { return v.kernel == choice.kernel; });
  if (named == all.end()) {
    fail(ErrorCode::malformed, "the tuning names kernel ", printable(choice.kernel), " for ",
         ranking.variants.shape, ", which it does not compute; those that do are ",
         names_of(ranking.variants));
  }
  std::vector<double> costs;
  for (const Variant& variant : all) {
    for (const KernelTime& time : choice.times) {
      if (time.kernel == variant.kernel) costs.push_back(time.ms);
    }
  }
  ranking.tuned = true;
  ranking.best = static_cast<std::size_t>(named - all.begin());
  ranking.measured = costs.size() == all.size();
  if (ranking.measured) ranking.costs = std::move(costs);
}

// "tuned: 0.31 ms against 0.42 of conv_nhwc_direct_f32".
std::string comparison(const Ranking& ranking, std::size_t chosen) {
  const auto other = ranking.cheapest([&](const Variant& v) { return &v != &ranking.variants.all[chosen]; });
  if (!other) return {};
  const std::string name = " of " + ranking.variants.all[*other].kernel;
  if (!ranking.tuned)
    return concat("predicted to take ", rounded(ranking.costs[chosen] / ranking.costs[*other]), name,
                  "'s time");
  if (!ranking.measured) return "tuned";
  return concat("tuned: ", rounded(ranking.costs[chosen]), " ms against ", rounded(ranking.costs[*other]),
                name);
}

// Room for packed weights that several nodes may share.
class Room {
 public:
  explicit Room(std::size_t bytes) : left_(bytes) {}
  std::size_t left() const { return left_; }
  bool has(const Parameter* weights, const Variant& variant) const {
    return variant.bounded_bytes <= left_ || taken_.count({weights, variant.kernel}) > 0;
  }
  void take(const Parameter* weights, const Variant& variant) {
    if (variant.bounded_bytes > 0 && taken_.insert({weights, variant.kernel}).second)
      left_ -= variant.bounded_bytes;
  }

 private:
  std::size_t left_;
  std::set<std::pair<const Parameter*, std::string>> taken_;
};

// Those that gain most for each byte come first.
std::vector<const Ranking*> by_gain(const std::vector<Ranking>& rankings) {
  std::vector<std::tuple<double, std::size_t, const Ranking*>> order;
  for (const Ranking& ranking : rankings) {
    const Variant& best = ranking.variants.all[ranking.best];
    if (best.bounded_bytes == 0) continue;
    const auto other = ranking.unbounded();
    const double gain = other ? ranking.costs[*other] - ranking.costs[ranking.best] : 1e300;
    order.emplace_back(-gain / static_cast<double>(best.bounded_bytes), ranking.node, &ranking);
  }
  std::sort(order.begin(), order.end());
  std::vector<const Ranking*> rankings_by_gain;
  for (const auto& entry : order) rankings_by_gain.push_back(std::get<2>(entry));
  return rankings_by_gain;
}

Ranking rank(std::size_t node, NodeVariants of_node, const PlanOptions& options,
             const kernels::MachineRates& rates) {
  Ranking ranking{node, std::move(of_node.variants), of_node.weights, {}};
  for (const Variant& variant : ranking.variants.all)
    ranking.costs.push_back(1e3 * kernels::predicted_seconds(variant.work, rates, 1));
  ranking.best = *ranking.cheapest([](const Variant&) { return true; });
  const TunedChoice* choice =
      options.tuning ? tuned_choice(*options.tuning, ranking.variants.shape) : nullptr;
  if (choice != nullptr) apply(*choice, ranking);
  return ranking;
}

}  // namespace

std::vector<Choice> choose_variants(std::size_t nodes,
                                    const std::function<NodeVariants(std::size_t)>& variants_of,
                                    const PlanOptions& options, const kernels::MachineRates& rates,
                                    std::size_t* winograd_bytes) {
  std::vector<Choice> choices(nodes);
  std::vector<Ranking> rankings;
  for (std::size_t node = 0; node < nodes; ++node) {
    NodeVariants of_node = variants_of(node);
    if (!of_node.variants.all.empty()) rankings.push_back(rank(node, std::move(of_node), options, rates));
  }
  const auto choose = [&](const Ranking& ranking, std::size_t i, const std::string& why) {
    std::string reason = comparison(ranking, i);
    if (!why.empty()) reason += (reason.empty() ? "" : "; ") + why;
    Choice& choice = choices[ranking.node];
    choice = {ranking.variants.all[i], std::move(reason), ranking.variants.shape};
    for (const Variant& variant : ranking.variants.all) choice.kernels.push_back(variant.kernel);
  };
  for (const Ranking& ranking : rankings) choose(ranking, ranking.best, "");
  Room room(options.max_winograd_bytes);
  for (const Ranking* ranking : by_gain(rankings)) {
    const Variant& best = ranking->variants.all[ranking->best];
    const auto fitting =
        room.has(ranking->weights, best)
            ? std::optional(ranking->best)
            : ranking->cheapest([&](const Variant& v) { return room.has(ranking->weights, v); });
    if (!fitting) continue;
    room.take(ranking->weights, ranking->variants.all[*fitting]);
    if (*fitting == ranking->best) continue;
    choose(*ranking, *fitting,
           concat(best.kernel, " is faster, its weights would exceed the ", options.max_winograd_bytes,
                  " bytes of max_winograd_bytes"));
  }
  if (winograd_bytes != nullptr) *winograd_bytes = options.max_winograd_bytes - room.left();
  return choices;
}

}  // namespace mxinfer::plan
