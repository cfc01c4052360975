// Storage: groups the values of a graph that share memory (a reshape and its input, a slice and what it is
// cut from, a concatenation and its parts, an in-place result and its operand) and finds each group its
// place.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph.h"
#include "plan/plan.h"
#include "plan/schedule/branches.h"
#include "plan/shapes/infer.h"

namespace mxinfer::plan {

class Storage {
 public:
  Storage(const graph::Graph& graph, const ValueTypes& types);

  /// Output o of node is what input i holds from `offset` bytes on, under another shape.
  void alias(std::int32_t node, std::size_t o, std::size_t i, std::size_t offset);
  /// Input i of node is made where output o has it, `offset` bytes from its start; between its bytes others
  /// of the output may lie. Precondition: its memory is not yet shared but with what is held in it.
  void hold(std::int32_t node, std::size_t o, std::size_t i, std::size_t offset);
  /// The same for an input whose bytes lie together. Taken up in take_up_holds() where it can be.
  void may_hold(std::int32_t node, std::size_t o, std::size_t i, std::size_t offset);
  /// Output o of node may be written over its input i. Taken up in place() where nothing else needs the
  /// input.
  void may_overwrite(std::int32_t node, std::size_t o, std::size_t i);

  /// Decides which inputs are held.
  void take_up_holds();
  /// After take_up_holds(): whether every input of the node is made where it is held.
  bool holds_inputs(std::int32_t node) const;

  /// After take_up_holds(): decides everything else. Returns the arena's size. What the branches of a section
  /// touch shares no memory for as long as the section runs.
  std::size_t place(const std::vector<Section>& sections = {});

  /// After place().
  Location location(graph::Value value) const;
  std::vector<OutputCopy> copies() const;
  /// What all arena groups would take without sharing.
  std::size_t unshared_bytes() const { return unshared_bytes_; }

 private:
  struct Group {
    std::size_t bytes = 0;
    std::int32_t first = 0;  ///< the node that writes it first
    std::int32_t last = 0;   ///< the last node that reads it
    std::int32_t head = -1;  ///< the network output that it is
    /// Where it was touched last: in which section, -1 in none, and by which branch, kSeveral where others
    /// of the section touch it too.
    std::int32_t section = -1, branch = -1;
    Location location;
  };
  /// Where a value is: in which group, and how far from its start.
  struct Place {
    std::int32_t group;
    std::size_t offset;
  };
  struct Overwrite {
    std::int32_t node;
    std::size_t output, input;
  };
  struct Hold {
    std::int32_t node;
    std::size_t output, input, offset;
  };

  std::int32_t value_id(graph::Value value) const;
  Place place_of(graph::Value value) const;
  std::int32_t group_of(graph::Value value) const { return place_of(value).group; }
  graph::Value input_of(std::int32_t node, std::size_t i) const;
  std::size_t bytes_at(graph::Value value) const;
  void merge(Place into, std::int32_t from);
  void note_branches(const std::vector<Section>& sections);
  void touch(std::int32_t group, std::int32_t node);
  void find_lifetimes();
  void take_up_overwrites();

  const graph::Graph& graph_;
  const ValueTypes& types_;
  std::vector<std::int32_t> first_value_;  ///< by node: the id of its output 0
  std::vector<std::int32_t> parent_;       ///< by value id: union-find
  std::vector<std::size_t> offset_;        ///< by value id: from the start of the parent
  std::vector<Group> groups_;              ///< by value id; meaningful at roots
  std::vector<Overwrite> overwrites_;
  std::vector<Hold> holds_;
  std::vector<std::size_t> held_;                     ///< by node: how many inputs
  std::vector<std::int32_t> section_of_, branch_of_;  ///< by node; -1 in no section
  std::size_t unshared_bytes_ = 0;
};

}  // namespace mxinfer::plan
