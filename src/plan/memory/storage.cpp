#include "plan/memory/storage.h"

#include <algorithm>
#include <limits>

#include "plan/memory/memory_plan.h"

namespace mxinfer::plan {
namespace {

constexpr std::int32_t kSeveral = -2;

bool is_intermediate(Location::Kind kind) {
  return kind == Location::Kind::arena || kind == Location::Kind::device;
}

}  // namespace

Storage::Storage(const graph::Graph& graph, const shapes::ValueTypes& types,
                 const std::vector<bool>& on_device, bool heads_on_device)
    : graph_(graph),
      types_(types),
      arena_of_heads_(heads_on_device ? Location::Kind::device : Location::Kind::arena),
      placed_inputs_(graph.nodes.size()) {
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    first_value_.push_back(static_cast<std::int32_t>(parent_.size()));
    for (const auto& type : types[n]) {
      parent_.push_back(static_cast<std::int32_t>(parent_.size()));
      offset_.push_back(0);
      Group group;
      group.bytes = bytes_of(type);
      group.first = group.last = static_cast<std::int32_t>(n);
      const graph::Node& node = graph.nodes[n];
      if (node.constant) {
        group.location.kind = Location::Kind::constant;
        group.location.index = static_cast<std::int32_t>(n);
      } else if (node.is_variable()) {
        group.location.kind = Location::Kind::input;
        group.location.index = node.input_index;
      } else if (on_device[n]) {
        group.location.kind = Location::Kind::device;
      }
      groups_.push_back(group);
    }
  }
}

std::int32_t Storage::value_id(graph::Value value) const {
  return first_value_[static_cast<std::size_t>(value.node)] + value.index;
}

Storage::Place Storage::place_of(graph::Value value) const {
  auto id = static_cast<std::size_t>(value_id(value));
  std::size_t offset = 0;
  while (static_cast<std::size_t>(parent_[id]) != id) {
    offset += offset_[id];
    id = static_cast<std::size_t>(parent_[id]);
  }
  return {static_cast<std::int32_t>(id), offset};
}

graph::Value Storage::input_of(std::int32_t node, std::size_t i) const {
  return graph_.nodes[static_cast<std::size_t>(node)].inputs[i];
}

std::size_t Storage::bytes_at(graph::Value value) const {
  return bytes_of(types_[static_cast<std::size_t>(value.node)][static_cast<std::size_t>(value.index)]);
}

/// Merges the group `from` into another, at an offset.
void Storage::merge(Place into, std::int32_t from) {
  if (into.group == from) return;
  parent_[static_cast<std::size_t>(from)] = into.group;
  offset_[static_cast<std::size_t>(from)] = into.offset;
  Group& a = groups_[static_cast<std::size_t>(into.group)];
  const Group& b = groups_[static_cast<std::size_t>(from)];
  a.bytes = std::max(a.bytes, into.offset + b.bytes);
  a.first = std::min(a.first, b.first);
  a.last = std::max(a.last, b.last);
  a.head = std::max(a.head, b.head);
  a.branch = a.region == b.region && a.branch != b.branch ? kSeveral : b.branch;
  a.region = b.region;
}

void Storage::alias(std::int32_t node, std::size_t o, std::size_t i, std::size_t offset) {
  const graph::Value output{node, static_cast<std::int32_t>(o)};
  const Place input = place_of(input_of(node, i));
  merge({input.group, input.offset + offset}, group_of(output));
}

void Storage::place_input(std::int32_t node, std::size_t o, std::size_t i, std::size_t offset) {
  const Place output = place_of({node, static_cast<std::int32_t>(o)});
  merge({output.group, output.offset + offset}, group_of(input_of(node, i)));
  ++placed_inputs_[static_cast<std::size_t>(node)];
}

void Storage::may_place_input(std::int32_t node, std::size_t o, std::size_t i, std::size_t offset) {
  wishes_.push_back({node, o, i, offset});
}

/// An input can be placed if its buffer holds nothing else and is not the caller's.
void Storage::place_inputs() {
  const auto kind_of = [&](std::int32_t group) {
    return groups_[static_cast<std::size_t>(group)].location.kind;
  };
  for (const PlacedInput& wish : wishes_) {
    const graph::Value input = input_of(wish.node, wish.input);
    const Place from = place_of(input);
    const std::int32_t into = group_of({wish.node, static_cast<std::int32_t>(wish.output)});
    if (from.group == into || !is_intermediate(kind_of(from.group)) || kind_of(into) != kind_of(from.group) ||
        from.offset != 0 || groups_[static_cast<std::size_t>(from.group)].bytes != bytes_at(input))
      continue;
    place_input(wish.node, wish.output, wish.input, wish.offset);
  }
}

bool Storage::all_inputs_placed(std::int32_t node) const {
  const std::size_t inputs = graph_.nodes[static_cast<std::size_t>(node)].inputs.size();
  return inputs > 0 && placed_inputs_[static_cast<std::size_t>(node)] == inputs;
}

void Storage::may_overwrite(std::int32_t node, std::size_t o, std::size_t i) {
  overwrites_.push_back({node, o, i});
}

void Storage::note_branches(const std::vector<Region>& regions) {
  region_of_.assign(graph_.nodes.size(), -1);
  branch_of_ = region_of_;
  for (std::size_t s = 0; s < regions.size(); ++s) {
    for (std::size_t b = 0; b < regions[s].branches.size(); ++b) {
      for (const std::int32_t node : regions[s].branches[b]) {
        region_of_[static_cast<std::size_t>(node)] = static_cast<std::int32_t>(s);
        branch_of_[static_cast<std::size_t>(node)] = static_cast<std::int32_t>(b);
      }
    }
  }
}

/// In the order of the nodes.
void Storage::touch(std::int32_t id, std::int32_t node) {
  Group& group = groups_[static_cast<std::size_t>(id)];
  const std::int32_t region = region_of_[static_cast<std::size_t>(node)];
  const std::int32_t branch = branch_of_[static_cast<std::size_t>(node)];
  group.branch = group.region == region && group.branch != branch ? kSeveral : branch;
  group.region = region;
}

void Storage::find_lifetimes() {
  for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
    const auto node = static_cast<std::int32_t>(n);
    for (graph::Value input : graph_.nodes[n].inputs) {
      Group& group = groups_[static_cast<std::size_t>(group_of(input))];
      group.last = std::max(group.last, node);
      touch(group_of(input), node);
    }
    for (std::size_t o = 0; o < types_[n].size(); ++o)
      touch(group_of({node, static_cast<std::int32_t>(o)}), node);
  }
  for (std::size_t h = 0; h < graph_.heads.size(); ++h) {
    Group& group = groups_[static_cast<std::size_t>(group_of(graph_.heads[h]))];
    group.last = std::numeric_limits<std::int32_t>::max();
    // Uses the caller's memory for the group if it has the same size; a value that is output twice is copied.
    if (group.head < 0 && group.bytes == bytes_at(graph_.heads[h])) group.head = static_cast<std::int32_t>(h);
  }
}

void Storage::overwrite_inputs() {
  for (const Overwrite& wish : overwrites_) {
    const graph::Node& node = graph_.nodes[static_cast<std::size_t>(wish.node)];
    const graph::Value output{wish.node, static_cast<std::int32_t>(wish.output)};
    const std::int32_t from = group_of(output);
    if (from != value_id(output)) continue;                       // already written over another input
    const std::int32_t into = group_of(node.inputs[wish.input]);  // all of it, as it has as many bytes
    const Group& source = groups_[static_cast<std::size_t>(into)];
    const Group& target = groups_[static_cast<std::size_t>(from)];
    const bool ends_here = is_intermediate(source.location.kind) && source.last == wish.node &&
                           source.head < 0 && source.branch != kSeveral;
    const bool once = std::count_if(node.inputs.begin(), node.inputs.end(),
                                    [&](graph::Value v) { return group_of(v) == into; }) == 1;
    if (ends_here && once && source.bytes == target.bytes && into != from) merge({into, 0}, from);
  }
}

ArenaBytes Storage::place(const std::vector<Region>& regions) {
  note_branches(regions);
  find_lifetimes();
  overwrite_inputs();
  return {place_arena(Location::Kind::arena, regions), place_arena(Location::Kind::device, regions)};
}

std::size_t Storage::place_arena(Location::Kind arena, const std::vector<Region>& regions) {
  // While a region runs, the progress of its branches is unknown.
  const auto region_at = [&](std::int32_t node) -> const Region* {
    if (node == std::numeric_limits<std::int32_t>::max()) return nullptr;
    const std::int32_t region = region_of_[static_cast<std::size_t>(node)];
    return region < 0 ? nullptr : &regions[static_cast<std::size_t>(region)];
  };
  std::vector<Block> blocks;
  std::vector<Group*> owners;
  for (std::size_t id = 0; id < groups_.size(); ++id) {
    Group& group = groups_[id];
    if (parent_[id] != static_cast<std::int32_t>(id) || group.location.kind != arena) continue;
    if (group.head >= 0 && arena == arena_of_heads_) {
      group.location.kind = Location::Kind::output;
      group.location.index = group.head;
      continue;
    }
    const Region* begun = region_at(group.first);
    const Region* ended = region_at(group.last);
    blocks.push_back(Block{group.bytes, begun != nullptr ? begun->first : group.first,
                           ended != nullptr ? ended->last : group.last});
    owners.push_back(&group);
    unshared_bytes_ += group.bytes;
  }
  const std::size_t total = assign_offsets(blocks);
  for (std::size_t i = 0; i < blocks.size(); ++i) owners[i]->location.offset = blocks[i].offset;
  return total;
}

Location Storage::location(graph::Value value) const {
  const Place place = place_of(value);
  Location location = groups_[static_cast<std::size_t>(place.group)].location;
  location.offset += place.offset;
  return location;
}

std::vector<OutputCopy> Storage::copies() const {
  std::vector<OutputCopy> copies;
  for (std::size_t h = 0; h < graph_.heads.size(); ++h) {
    const graph::Value head = graph_.heads[h];
    const Location from = location(head);
    if (from.kind == Location::Kind::output && from.index == static_cast<std::int32_t>(h)) continue;
    copies.push_back(OutputCopy{from, static_cast<std::int32_t>(h), bytes_at(head)});
  }
  return copies;
}

}  // namespace mxinfer::plan
