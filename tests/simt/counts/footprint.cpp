#include "simt/counts/footprint.h"

#include <algorithm>
#include <vector>

namespace mxinfer::simt {
namespace {

constexpr unsigned kSector = 32, kSectorsOfPage = 32;

struct Range {
  std::uintptr_t low, high;
  Footprint::Size size;
};

/// Ranges that overlap are one array.
Footprint::Size sum_of(std::vector<Range> ranges) {
  std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) { return a.low < b.low; });
  Footprint::Size sum;
  for (std::size_t i = 0; i < ranges.size();) {
    Range all = ranges[i++];
    for (; i < ranges.size() && ranges[i].low < all.high; ++i) {
      all.high = std::max(all.high, ranges[i].high);
      all.size.bytes += ranges[i].size.bytes;
      all.size.pages += ranges[i].size.pages;
    }
    const double most = static_cast<double>(all.high - all.low);
    const double share = all.size.bytes > most ? most / all.size.bytes : 1;
    sum.bytes += share * all.size.bytes;
    sum.pages += share * all.size.pages;
  }
  return sum;
}

}  // namespace

void Footprint::Site::end_epoch() {
  block_pages += pages.size();
  block_sectors += of_epoch.size();
  pages.clear();
  of_epoch.clear();
}

void Footprint::access(const void* code, std::uintptr_t address, unsigned bytes, unsigned epoch) {
  Site& site = sites_[code];
  site.low = std::min(site.low, address);
  site.high = std::max(site.high, address + bytes);
  if (site.epoch != epoch) site.end_epoch();
  site.epoch = epoch;
  for (std::uintptr_t s = address / kSector; s <= (address + bytes - 1) / kSector; ++s) {
    site.of_block.insert(s);
    site.of_epoch.insert(s);
    site.pages.insert(s / kSectorsOfPage);
  }
}

void Footprint::end_block(bool is_counted) {
  for (auto& [code, site] : sites_) {
    site.end_epoch();
    if (is_counted) {
      site.sectors += site.of_block.size();
      site.opened_pages += site.block_pages;
      site.opened_sectors += site.block_sectors;
    }
    site.of_block.clear();
    site.block_pages = site.block_sectors = 0;
    site.epoch = 0;
  }
}

Footprint::Size Footprint::size(std::uint64_t all_blocks, std::uint64_t counted) const {
  const double scale = counted == 0 ? 0 : static_cast<double>(all_blocks) / static_cast<double>(counted);
  std::vector<Range> ranges;
  for (const auto& [code, site] : sites_) {
    if (site.sectors == 0) continue;
    const double apart = static_cast<double>(site.sectors) * kSector * scale;
    const double bytes = std::min(apart, static_cast<double>(site.high - site.low));
    const double of_page =
        static_cast<double>(site.opened_sectors) * kSector / static_cast<double>(site.opened_pages);
    ranges.push_back({site.low, site.high, {bytes, bytes / of_page}});
  }
  return sum_of(std::move(ranges));
}

}  // namespace mxinfer::simt
