// How much memory a launch touches, from a few of its blocks. Each instruction reads or writes one array: it
// touches as much as all blocks together would if no two shared anything, but no more than what lies between
// the lowest and the highest address. Blocks at the corners of the grid show these.
//
// Memory reads and writes by pages of 1 KB. A page costs time to open, and is open for what is accessed
// between two barriers of a block: of rows of 1 KB that are read in steps of 128 bytes, each is opened eight
// times.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>

namespace mxinfer::simt {

class Footprint {
 public:
  struct Size {
    double bytes = 0, pages = 0;  ///< pages: how many are opened for these bytes
  };

  /// `epoch`: how many barriers of the block there have been.
  void access(const void* code, std::uintptr_t address, unsigned bytes, unsigned epoch);
  /// The block's accesses are counted, or only how far they reach.
  void end_block(bool is_counted);
  /// Of `all_blocks`, of which `counted` were counted.
  Size size(std::uint64_t all_blocks, std::uint64_t counted) const;

 private:
  struct Site {
    std::uintptr_t low = UINTPTR_MAX, high = 0;
    std::uint64_t sectors = 0;  ///< different ones of each counted block
    std::uint64_t opened_pages = 0, opened_sectors = 0;
    // Of the block that runs, and of its epoch.
    std::unordered_set<std::uintptr_t> of_block, of_epoch, pages;
    unsigned epoch = 0;
    std::uint64_t block_pages = 0, block_sectors = 0;

    void end_epoch();
  };

  std::unordered_map<const void*, Site> sites_;
};

}  // namespace mxinfer::simt
