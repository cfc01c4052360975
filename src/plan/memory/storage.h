// Storage: groups the values of a graph that share memory (a reshape and its input, a slice and what it is
// cut from, a concatenation and its parts, an in-place result and its operand) and places each group.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph.h"
#include "plan/plan.h"
#include "plan/schedule/branches.h"
#include "shapes/infer.h"

namespace mxinfer::plan {

/// What a plan keeps its intermediate values in: memory of the process, and of the device.
struct ArenaBytes {
  std::size_t host = 0;
  std::size_t device = 0;
};

class Storage {
 public:
  /// `on_device`: by node, whether its outputs are in the memory of the plan's device. `heads_on_device`:
  /// whether the outputs of the graph are.
  Storage(const graph::Graph& graph, const shapes::ValueTypes& types, const std::vector<bool>& on_device,
          bool heads_on_device = false);

  /// Output o of node is input i from `offset` bytes on, under another shape.
  void alias(std::int32_t node, std::size_t o, std::size_t i, std::size_t offset);
  /// Writes input i directly into output o, `offset` bytes from its start (zero-copy concatenation); the
  /// input may be strided. Precondition: the input's buffer aliases nothing but inputs that were placed in
  /// it.
  void place_input(std::int32_t node, std::size_t o, std::size_t i, std::size_t offset);
  /// The same for a dense input, if place_inputs() finds that the precondition holds.
  void may_place_input(std::int32_t node, std::size_t o, std::size_t i, std::size_t offset);
  /// Output o of node may be written over its input i. place() does so if no other node reads the input
  /// later.
  void may_overwrite(std::int32_t node, std::size_t o, std::size_t i);

  /// Decides which inputs to place in outputs.
  void place_inputs();
  /// After place_inputs(): whether every input of the node is written directly into an output.
  bool all_inputs_placed(std::int32_t node) const;

  /// After place_inputs(): decides everything else. Returns the sizes of the arenas. While a region runs, its
  /// branches share no memory.
  ArenaBytes place(const std::vector<Region>& regions = {});

  /// After place().
  Location location(graph::Value value) const;
  std::vector<OutputCopy> copies() const;
  /// The bytes of all arena groups without sharing.
  std::size_t unshared_bytes() const { return unshared_bytes_; }

 private:
  struct Group {
    std::size_t bytes = 0;
    std::int32_t first = 0;  ///< the node that writes it first
    std::int32_t last = 0;   ///< the last node that reads it
    std::int32_t head = -1;  ///< the network output that it is
    /// The region that touched it last (-1: none) and the branch (kSeveral if several branches of the region
    /// touch it).
    std::int32_t region = -1, branch = -1;
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
  struct PlacedInput {
    std::int32_t node;
    std::size_t output, input, offset;
  };

  std::int32_t value_id(graph::Value value) const;
  Place place_of(graph::Value value) const;
  std::int32_t group_of(graph::Value value) const { return place_of(value).group; }
  graph::Value input_of(std::int32_t node, std::size_t i) const;
  std::size_t bytes_at(graph::Value value) const;
  void merge(Place into, std::int32_t from);
  void note_branches(const std::vector<Region>& regions);
  void touch(std::int32_t group, std::int32_t node);
  void find_lifetimes();
  void overwrite_inputs();
  std::size_t place_arena(Location::Kind arena, const std::vector<Region>& regions);

  const graph::Graph& graph_;
  const shapes::ValueTypes& types_;
  Location::Kind arena_of_heads_;
  std::vector<std::int32_t> first_value_;  ///< by node: the id of its output 0
  std::vector<std::int32_t> parent_;       ///< by value id: union-find
  std::vector<std::size_t> offset_;        ///< by value id: from the start of the parent
  std::vector<Group> groups_;              ///< by value id; meaningful at roots
  std::vector<Overwrite> overwrites_;
  std::vector<PlacedInput> wishes_;
  std::vector<std::size_t> placed_inputs_;           ///< by node: how many
  std::vector<std::int32_t> region_of_, branch_of_;  ///< by node; -1 in no region
  std::size_t unshared_bytes_ = 0;
};

}  // namespace mxinfer::plan
