// Source: the bytes of a model. A reader requests ranges and never sees a path or a socket.
//
//   std::unique_ptr<sources::Source> source = sources::open_file("digits-0000.params");
//   std::uint64_t magic = 0;
//   source->read(0, &magic, sizeof magic);
#pragma once

#include <mxinfer/byte_source.h>
#include <mxinfer/span.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace mxinfer::sources {

/// Bytes of a known size. Every function may be called from several threads at once.
class Source {
 public:
  virtual ~Source() = default;
  /// Its name in error messages: a path or an address.
  virtual const std::string& name() const = 0;
  virtual std::int64_t size() const = 0;
  /// The local file with the bytes, if there is one; it may have been removed since.
  virtual std::string path() const { return {}; }
  /// Copies bytes [offset, offset + bytes) to dst. Throws Error(malformed) with the source's name if the
  /// range is outside the source or the bytes cannot be read.
  virtual void read(std::int64_t offset, void* dst, std::size_t bytes) const = 0;
  /// Whether read() of that range would return without waiting for bytes that are still being fetched.
  virtual bool is_at_hand(std::int64_t /*offset*/, std::size_t /*bytes*/) const { return true; }
  /// The contents are invalid: drops a cached copy, so that it will be fetched again.
  virtual void discard() const {}

 protected:
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  /// Rejects a range that is not inside the source.
  void check_range(std::int64_t offset, std::size_t bytes) const;
};

/// A regular file. Throws Error(not_found) if it does not exist, is a folder, or may not be read.
/// Messages call it `shown`, or its path if that is empty.
std::unique_ptr<Source> open_file(const std::string& path, const std::string& shown = {});

/// Bytes that the caller keeps alive.
std::unique_ptr<Source> from_memory(Span<const std::byte> bytes, std::string name);

/// The `bytes` bytes of `whole` from `offset` on. Throws Error(malformed) if they are not all there.
std::unique_ptr<Source> part_of(std::shared_ptr<const Source> whole, std::int64_t offset, std::int64_t bytes,
                                std::string name);

/// A caller's ByteSource; exceptions that are not an Error become Error(malformed).
std::unique_ptr<Source> from_caller(std::shared_ptr<const ByteSource> bytes, std::string name);

/// Every byte. Throws Error(invalid_argument) if there are more than `byte_limit`.
std::vector<std::byte> read_bytes(const Source& source, std::int64_t byte_limit);

/// Every byte as text. Throws Error(invalid_argument) if there are more than `byte_limit`.
std::string read_text(const Source& source, std::int64_t byte_limit = std::int64_t{256} << 20);

}  // namespace mxinfer::sources
