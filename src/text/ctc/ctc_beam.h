// Prefix beam search of CTC, one step at a time.
//
//   CtcBeam beam(classes, blank, 32);
//   for (each step) beam.advance(row);        // log-probabilities of the classes
//   beam.best(3);
//
// The beam holds label sequences (prefixes) that are distinct. For each it keeps the probability of all paths
// so far that read it, separately for those that end in a blank: only after a blank does a repeated last
// label begin a new one.
#pragma once

#include <mxinfer/sequence/ctc.h>

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/best_of.h"

namespace mxinfer::text {

class CtcBeam {
 public:
  CtcBeam(std::size_t classes, std::int32_t blank, std::size_t width);

  void advance(Span<const double> row);
  /// The most probable first, at most `count`; without texts.
  std::vector<CtcSequence> best(std::size_t count) const;

 private:
  using Prefix = std::uint32_t;  ///< a position in nodes_

  /// A prefix is a shorter prefix and a label. Equal prefixes share one node, so one that leaves the beam and
  /// returns is the same again.
  struct Node {
    Prefix parent = 0;
    std::int32_t label = -1;  ///< the root, the empty prefix, has none
    std::uint32_t place = 0;  ///< in entries_, if it is in the beam
  };
  struct Entry {
    Prefix prefix = 0;
    double blank = 0;  ///< log-probability of the paths that end in a blank
    double label = 0;  ///< and of those that end in its last label
    double total = 0;
  };
  /// A prefix of the next beam: one of this beam, or its extension by a label.
  struct Candidate {
    double total = 0;
    std::uint32_t order = 0;  ///< in which it was found
    std::uint32_t from = 0;   ///< the place of an entry
    std::int32_t label = -1;  ///< none: the prefix itself
  };

  static bool is_better(const Candidate& a, const Candidate& b);
  void rank_classes(Span<const double> row);
  Entry carried_on(const Entry& entry, Span<const double> row) const;
  double extended(const Entry& entry, std::int32_t label, Span<const double> row) const;
  bool is_in_beam(Prefix prefix) const;
  bool has_child_in_beam(Prefix prefix, std::int32_t label) const;
  /// Returns whether the beam had room for it.
  bool offer(const Candidate& candidate);
  void extend(std::uint32_t place, Span<const double> row);
  Prefix child(Prefix parent, std::int32_t label);
  void take_candidates(const std::vector<Entry>& carried);

  std::int32_t blank_;
  std::size_t width_;
  std::vector<Node> nodes_;
  std::unordered_map<std::uint64_t, Prefix> children_;
  std::vector<Entry> entries_;         ///< by falling probability
  std::vector<std::int32_t> classes_;  ///< all but the blank; the likeliest of this step come first
  std::size_t ranked_ = 0;             ///< so many of classes_ are in order
  BestOf<Candidate, is_better> candidates_;
  std::uint32_t found_ = 0;
};

}  // namespace mxinfer::text
