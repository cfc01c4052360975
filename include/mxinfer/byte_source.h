// ByteSource: bytes from wherever a program has them: a database, an encrypted file, a store of its own.
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

/// Bytes of a size that is known and does not change. Several threads may call every function at once.
class MXINFER_API ByteSource {
 public:
  virtual ~ByteSource();
  [[nodiscard]] virtual std::int64_t size() const = 0;
  /// Copies the bytes [offset, offset + to.size()), which lie inside of it, to `to`. An Error that it throws
  /// reaches the caller of Model::load as it is; another exception becomes an Error(malformed) with its text.
  virtual void read(std::int64_t offset, Span<std::byte> to) const = 0;

 protected:
  ByteSource() = default;
  ByteSource(const ByteSource&) = default;
  ByteSource& operator=(const ByteSource&) = default;
};

/// Opens addresses that begin with a scheme of the program's own, such as gs:// or vault://, for
/// LoadOptions::schemes. Several threads may call every function at once. Errors that they throw reach the
/// caller of Model::load; another exception becomes an Error(network).
class MXINFER_API SourceScheme {
 public:
  virtual ~SourceScheme();
  /// The bytes of an address, such as "gs://bucket/digits-symbol.json"; nullptr if there is none.
  [[nodiscard]] virtual std::shared_ptr<const ByteSource> open(const std::string& address) const = 0;
  /// The names directly in a folder, whose address ends in "/", without the address; nothing if the scheme
  /// cannot list: then the usual names of a model's files are tried.
  [[nodiscard]] virtual std::optional<std::vector<std::string>> list(const std::string& folder) const;

 protected:
  SourceScheme() = default;
  SourceScheme(const SourceScheme&) = default;
  SourceScheme& operator=(const SourceScheme&) = default;
};

/// The parts of a model, each from a source of its own.
struct ModelSources {
  std::shared_ptr<const ByteSource> symbol;
  std::shared_ptr<const ByteSource> params{};  ///< nullptr for a network without parameters
  std::shared_ptr<const ByteSource> labels{};  ///< class names, one a line; nullptr if there are none
  /// What messages call the model.
  std::string name = "(sources)";
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
