#include "text/ctc/ctc_beam.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/fail.h"

namespace mxinfer::text {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

// ln(exp(a) + exp(b))
double log_add(double a, double b) {
  if (a < b) std::swap(a, b);
  return b == kNever ? a : a + std::log1p(std::exp(b - a));
}

std::uint64_t child_key(std::uint32_t parent, std::int32_t label) {
  return static_cast<std::uint64_t>(parent) << 32 | static_cast<std::uint32_t>(label);
}

}  // namespace

CtcBeam::CtcBeam(std::size_t classes, std::int32_t blank, std::size_t width)
    : blank_(blank),
      width_(width),
      nodes_(1),
      entries_{{0, 0, kNever, 0}},
      classes_(classes),
      candidates_(width) {
  std::iota(classes_.begin(), classes_.end(), 0);
  classes_.erase(classes_.begin() + blank);
}

// An extension of a prefix by one class is worse than those by all likelier classes. So only the likeliest
// classes of each prefix can enter the next beam, one more than the beam is wide (the prefix's last label
// counts less).
void CtcBeam::rank_classes(Span<const double> row) {
  ranked_ = std::min(width_ + 1, classes_.size());
  const auto likelier = [row](std::int32_t a, std::int32_t b) {
    const double left = row[static_cast<std::size_t>(a)], right = row[static_cast<std::size_t>(b)];
    return left != right ? left > right : a < b;
  };
  const auto last = classes_.begin() + static_cast<std::ptrdiff_t>(ranked_);
  if (last != classes_.end()) std::nth_element(classes_.begin(), last, classes_.end(), likelier);
  std::sort(classes_.begin(), last, likelier);
}

bool CtcBeam::is_in_beam(Prefix prefix) const {
  const std::uint32_t place = nodes_[prefix].place;
  return place < entries_.size() && entries_[place].prefix == prefix;
}

bool CtcBeam::has_child_in_beam(Prefix prefix, std::int32_t label) const {
  const auto found = children_.find(child_key(prefix, label));
  return found != children_.end() && is_in_beam(found->second);
}

// The paths that read `entry` and continue with `label`. If it is the last label again, only paths that end
// in a blank count.
double CtcBeam::extended(const Entry& entry, std::int32_t label, Span<const double> row) const {
  const bool again = nodes_[entry.prefix].label == label;
  return (again ? entry.blank : entry.total) + row[static_cast<std::size_t>(label)];
}

// The same prefix one step later: by a blank, by its last label again, or extended from its parent in the
// beam.
CtcBeam::Entry CtcBeam::carried_on(const Entry& entry, Span<const double> row) const {
  Entry next{entry.prefix, entry.total + row[static_cast<std::size_t>(blank_)], kNever, kNever};
  const Node& node = nodes_[entry.prefix];
  if (node.label >= 0) {
    next.label = entry.label + row[static_cast<std::size_t>(node.label)];
    if (is_in_beam(node.parent)) {
      const Entry& parent = entries_[nodes_[node.parent].place];
      next.label = log_add(next.label, extended(parent, node.label, row));
    }
  }
  next.total = log_add(next.blank, next.label);
  return next;
}

bool CtcBeam::is_better(const Candidate& a, const Candidate& b) {
  return a.total != b.total ? a.total > b.total : a.order < b.order;
}

bool CtcBeam::offer(const Candidate& candidate) {
  return candidate.total != kNever && candidates_.offer(candidate);
}

void CtcBeam::extend(std::uint32_t place, Span<const double> row) {
  const Entry& entry = entries_[place];
  for (std::size_t i = 0; i < ranked_; ++i) {
    const std::int32_t label = classes_[i];
    if (has_child_in_beam(entry.prefix, label)) continue;  // carried_on() has counted it
    const bool taken = offer({extended(entry, label, row), found_++, place, label});
    if (!taken && nodes_[entry.prefix].label != label) return;  // those that follow are worse
  }
}

CtcBeam::Prefix CtcBeam::child(Prefix parent, std::int32_t label) {
  const auto [place, is_new] = children_.try_emplace(child_key(parent, label), 0);
  if (is_new) {
    if (nodes_.size() > std::numeric_limits<Prefix>::max())
      fail(ErrorCode::unsupported,
           "beam search found more label sequences than it can count; narrow the beam");
    place->second = static_cast<Prefix>(nodes_.size());
    nodes_.push_back({parent, label, 0});
  }
  return place->second;
}

void CtcBeam::take_candidates(const std::vector<Entry>& carried) {
  std::vector<Entry> next;
  const std::vector<Candidate> candidates = candidates_.take();
  for (const Candidate& candidate : candidates) {
    const bool same = candidate.label < 0;
    next.push_back(same ? carried[candidate.from]
                        : Entry{child(entries_[candidate.from].prefix, candidate.label), kNever,
                                candidate.total, candidate.total});
  }
  entries_ = std::move(next);
  for (std::size_t i = 0; i < entries_.size(); ++i)
    nodes_[entries_[i].prefix].place = static_cast<std::uint32_t>(i);
}

void CtcBeam::advance(Span<const double> row) {
  rank_classes(row);
  found_ = 0;
  std::vector<Entry> carried;
  for (std::uint32_t i = 0; i < entries_.size(); ++i) {
    carried.push_back(carried_on(entries_[i], row));
    offer({carried.back().total, found_++, i, -1});
  }
  for (std::uint32_t i = 0; i < entries_.size(); ++i) extend(i, row);
  take_candidates(carried);
}

std::vector<CtcSequence> CtcBeam::best(std::size_t count) const {
  std::vector<CtcSequence> found;
  for (const Entry& entry : entries_) {
    if (found.size() == count) break;
    CtcSequence& sequence = found.emplace_back();
    for (Prefix prefix = entry.prefix; prefix != 0; prefix = nodes_[prefix].parent)
      sequence.labels.push_back(nodes_[prefix].label);
    std::reverse(sequence.labels.begin(), sequence.labels.end());
    sequence.log_probability = entry.total;
  }
  return found;
}

}  // namespace mxinfer::text
