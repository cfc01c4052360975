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
#include <string>

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
