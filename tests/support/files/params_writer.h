// Writes .params files byte by byte after the description of the format, without any code of the reader, so
// that each variant of a record can be made, sound or broken.
//
//   ParamsWriter file;
//   file.add("arg:w", dense_v2(DType::float32, {2, 3}, floats({0, 1, 2, 3, 4, 5})));
//   std::vector<std::byte> bytes = file.finish();
#pragma once

#include <mxinfer/dtype.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace mxinfer::test {

class ByteWriter {
 public:
  template <typename T>
  ByteWriter& put(T value) {
    return raw(&value, sizeof value);
  }
  ByteWriter& raw(const void* data, std::size_t size) {
    const auto* first = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), first, first + size);
    return *this;
  }
  ByteWriter& append(const std::vector<std::byte>& bytes) { return raw(bytes.data(), bytes.size()); }
  /// i32 count, then i64 dimensions.
  ByteWriter& shape64(const std::vector<std::int64_t>& dims) {
    put(static_cast<std::int32_t>(dims.size()));
    for (std::int64_t dim : dims) put(dim);
    return *this;
  }
  ByteWriter& text(const std::string& value) {
    put(static_cast<std::uint64_t>(value.size()));
    return raw(value.data(), value.size());
  }
  /// Device type and number, then the dtype's number.
  ByteWriter& placed(DType dtype, std::int32_t device = 1) {
    return put(device).put(std::int32_t{0}).put(static_cast<std::int32_t>(dtype));
  }
  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

using Record = std::vector<std::byte>;
using Dims = std::vector<std::int64_t>;

template <typename T>
std::vector<std::byte> elements(const std::vector<T>& values) {
  return ByteWriter().raw(values.data(), values.size() * sizeof(T)).bytes();
}
inline std::vector<std::byte> floats(const std::vector<float>& values) {
  return elements(values);
}

inline constexpr std::uint32_t kRecordV1 = 0xF993FAC8;
inline constexpr std::uint32_t kRecordV2 = 0xF993FAC9;
inline constexpr std::uint32_t kRecordV3 = 0xF993FACA;

inline Record legacy(DType dtype, const std::vector<std::uint32_t>& dims,
                     const std::vector<std::byte>& data) {
  ByteWriter out;
  out.put(static_cast<std::uint32_t>(dims.size()));
  for (std::uint32_t dim : dims) out.put(dim);
  return out.placed(dtype).append(data).bytes();
}
inline Record dense_v1(DType dtype, const Dims& dims, const std::vector<std::byte>& data) {
  return ByteWriter().put(kRecordV1).shape64(dims).placed(dtype).append(data).bytes();
}
inline Record dense_v2(DType dtype, const Dims& dims, const std::vector<std::byte>& data,
                       std::int32_t device = 1) {
  return ByteWriter()
      .put(kRecordV2)
      .put(std::int32_t{0})
      .shape64(dims)
      .placed(dtype, device)
      .append(data)
      .bytes();
}
inline Record dense_v3(DType dtype, const Dims& dims, const std::vector<std::byte>& data) {
  return ByteWriter().put(kRecordV3).put(std::int32_t{0}).shape64(dims).placed(dtype).append(data).bytes();
}
/// float32 values of `stored` shape at int64 rows.
inline Record row_sparse(const Dims& dims, const Dims& stored, const std::vector<std::int64_t>& rows,
                         const std::vector<float>& values) {
  return ByteWriter()
      .put(kRecordV2)
      .put(std::int32_t{1})
      .shape64(stored)
      .shape64(dims)
      .placed(DType::float32)
      .put(static_cast<std::int32_t>(DType::int64))
      .shape64({static_cast<std::int64_t>(rows.size())})
      .append(floats(values))
      .append(elements(rows))
      .bytes();
}
/// float32 values; `starts` is the index pointer.
inline Record csr(const Dims& dims, const std::vector<std::int64_t>& starts,
                  const std::vector<std::int64_t>& columns, const std::vector<float>& values) {
  return ByteWriter()
      .put(kRecordV2)
      .put(std::int32_t{2})
      .shape64({static_cast<std::int64_t>(values.size())})
      .shape64(dims)
      .placed(DType::float32)
      .put(static_cast<std::int32_t>(DType::int64))
      .shape64({static_cast<std::int64_t>(starts.size())})
      .put(static_cast<std::int32_t>(DType::int64))
      .shape64({static_cast<std::int64_t>(columns.size())})
      .append(floats(values))
      .append(elements(starts))
      .append(elements(columns))
      .bytes();
}

class ParamsWriter {
 public:
  ParamsWriter& add(std::string name, Record record) {
    names_.push_back(std::move(name));
    records_.push_back(std::move(record));
    return *this;
  }
  /// With its names, or as a bare list of arrays.
  std::vector<std::byte> finish(bool with_names = true) const {
    ByteWriter out;
    out.put(std::uint64_t{0x112}).put(std::uint64_t{0}).put(static_cast<std::uint64_t>(records_.size()));
    for (const Record& record : records_) out.append(record);
    out.put(static_cast<std::uint64_t>(with_names ? names_.size() : 0));
    if (with_names) {
      for (const std::string& name : names_) out.text(name);
    }
    return out.bytes();
  }

 private:
  std::vector<std::string> names_;
  std::vector<Record> records_;
};

/// A small file with a record of every variant.
inline std::vector<std::byte> every_variant() {
  return ParamsWriter()
      .add("arg:legacy", legacy(DType::float32, {2, 2}, floats({1, 2, 3, 4})))
      .add("arg:v1", dense_v1(DType::int32, {3}, elements<std::int32_t>({-1, 0, 1})))
      .add("arg:v2", dense_v2(DType::float32, {1, 2}, floats({5, 6})))
      .add("arg:v3", dense_v3(DType::uint8, {}, elements<std::uint8_t>({7})))
      .add("arg:rows", row_sparse({4, 2}, {2, 2}, {1, 3}, {1, 2, 3, 4}))
      .add("aux:csr", csr({2, 3}, {0, 1, 3}, {2, 0, 1}, {8, 9, 10}))
      .finish();
}

}  // namespace mxinfer::test
