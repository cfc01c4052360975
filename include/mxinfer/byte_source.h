// ByteSource: reads a model from storage of your own, such as a database or an encrypted file.
//
//   class Row : public mxinfer::ByteSource {
//    public:
//     explicit Row(const char* key) : key_(key) {}
//     std::int64_t size() const override { return database.size(key_); }
//     void read(std::int64_t offset, mxinfer::Span<std::byte> to) const override {
//       database.copy(key_, offset, to.data(), to.size());
//     }
//     std::string key_;
//   };
//   auto model = mxinfer::Model::load({std::make_shared<Row>("symbol"), std::make_shared<Row>("params")});
#pragma once

#include <mxinfer/export.h>
#include <mxinfer/span.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// A sequence of bytes whose size and contents do not change. Implementations must be thread-safe.
class MXINFER_API ByteSource {
 public:
  virtual ~ByteSource();
  /// Returns the number of bytes.
  [[nodiscard]] virtual std::int64_t size() const = 0;
  /// Copies the bytes [offset, offset + to.size()) to `to`. The range is always inside the source. If this
  /// throws an Error, the caller of Model::load receives it unchanged. Any other exception becomes an
  /// Error(malformed) with the same text.
  virtual void read(std::int64_t offset, Span<std::byte> to) const = 0;

 protected:
  ByteSource() = default;
  ByteSource(const ByteSource&) = default;
  ByteSource& operator=(const ByteSource&) = default;
};

/// Opens addresses with a URL scheme of your own, such as gs:// or vault://, for LoadOptions::schemes.
/// Implementations must be thread-safe. If a function throws an Error, the caller of Model::load receives it.
/// Any other exception becomes an Error(network).
class MXINFER_API SourceScheme {
 public:
  virtual ~SourceScheme();
  /// Returns the bytes at an address, such as "gs://bucket/digits-symbol.json", or nullptr if nothing is
  /// there.
  [[nodiscard]] virtual std::shared_ptr<const ByteSource> open(const std::string& address) const = 0;
  /// Returns the names of the entries of a folder, whose address ends in "/". The names do not contain that
  /// address. Returns nothing if the scheme cannot list; the library then tries the usual names of a model's
  /// files.
  [[nodiscard]] virtual std::optional<std::vector<std::string>> list(const std::string& folder) const;

 protected:
  SourceScheme() = default;
  SourceScheme(const SourceScheme&) = default;
  SourceScheme& operator=(const SourceScheme&) = default;
};

/// The parts of a model, each from its own source.
struct ModelSources {
  std::shared_ptr<const ByteSource> symbol;    ///< the graph: the contents of -symbol.json
  std::shared_ptr<const ByteSource> params{};  ///< nullptr if the network has no parameters
  std::shared_ptr<const ByteSource> labels{};  ///< class names, one per line; nullptr if there are none
  /// The name of the model in messages.
  std::string name = "(sources)";
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
