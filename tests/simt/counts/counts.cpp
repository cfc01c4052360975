#include "simt/counts/counts.h"

#include <cstdio>

namespace mxinfer::simt {
namespace {

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.10g", value);
  return text;
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

std::string list(dim3 size) {
  return "[" + std::to_string(size.x) + ", " + std::to_string(size.y) + ", " + std::to_string(size.z) + "]";
}

/// Numbers for one block: those of all counted blocks, divided.
class BlockJson {
 public:
  explicit BlockJson(std::uint64_t blocks) : blocks_(blocks == 0 ? 1 : static_cast<double>(blocks)) {}

  void add(const std::string& name, std::uint64_t value) {
    text_ += ", \"" + name + "\": " + number(static_cast<double>(value) / blocks_);
  }
  void add(const std::string& name, const GlobalCounts& counts) {
    add(name + "_requests", counts.requests);
    add(name + "_sectors", counts.sectors);
    add(name + "_bytes", counts.bytes);
  }
  void add(const std::string& name, const SharedCounts& counts) {
    add(name + "_requests", counts.requests);
    add(name + "_wavefronts", counts.wavefronts);
    add(name + "_conflicts", counts.conflicts);
  }
  const std::string& text() const { return text_; }

 private:
  double blocks_;
  std::string text_;
};

}  // namespace

std::string to_json(const Counts& counts) {
  BlockJson block(counts.blocks);
  block.add("warps", counts.warps);
  block.add("global_load", counts.global_loads);
  block.add("global_copy", counts.global_copies);
  block.add("global_store", counts.global_stores);
  block.add("global_atomic", counts.global_atomics);
  block.add("different_sectors", counts.different_sectors);
  block.add("shared_load", counts.shared_loads);
  block.add("shared_store", counts.shared_stores);
  block.add("matrix_load", counts.matrix_loads);
  block.add("copy_store", counts.copy_stores);
  block.add("products", counts.products);
  block.add("exchanges", counts.exchanges);
  block.add("barriers", counts.barriers);
  block.add("waits_near", counts.waits.near);
  block.add("waits_for_loads", counts.waits.loads);
  block.add("waits_behind_work", counts.waits.behind);
  for (int i = 0; i < 4; ++i) block.add("waits_for_copies_" + std::to_string(i + 1), counts.waits.copies[i]);
  return "{\"kernel\": " + quoted(counts.kernel) + ", \"line\": " + quoted(counts.line) +
         ", \"grid\": " + list(counts.grid) + ", \"block\": " + list(counts.block) +
         ", \"shared_bytes\": " + std::to_string(counts.shared_bytes) +
         ", \"blocks_counted\": " + std::to_string(counts.blocks) +
         ", \"footprint_read\": " + number(counts.footprint_read) +
         ", \"footprint_written\": " + number(counts.footprint_written) +
         ", \"pages\": " + number(counts.pages) + block.text() + "}";
}

}  // namespace mxinfer::simt
