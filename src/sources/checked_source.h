// A source whose bytes are checked when they are read, block by block, so that a reader of some of them need
// not read all for a checksum.
//
//   const BlockSums sums = block_sums(params);                    // by the writer
//   auto checked = sources::checked(std::move(source), sums);     // reads throw for blocks that differ
#pragma once

#include <mxinfer/span.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "sources/source.h"

namespace mxinfer::sources {

/// Small enough for readers of headers, large enough that the sums are a two-thousandth of the bytes.
inline constexpr std::int64_t kCheckedBlock = std::int64_t{16} << 10;

/// The checksum64 of each block of kCheckedBlock bytes; the last one may be shorter.
using BlockSums = std::vector<std::uint64_t>;

BlockSums block_sums(Span<const std::byte> bytes);
/// How many sums there are for so many bytes.
std::size_t count_blocks(std::int64_t bytes);

/// Its read() throws Error(malformed) if a block that it reads from has another checksum. Precondition: there
/// are as many sums as `source` has blocks.
std::unique_ptr<Source> checked(std::shared_ptr<const Source> source, BlockSums sums);

}  // namespace mxinfer::sources
