#include "formats/arrays/array_record.h"

#include <optional>
#include <vector>

#include "base/checked.h"
#include "base/fail.h"
#include "formats/arrays/densify.h"

namespace mxinfer::formats {
namespace {

constexpr std::uint32_t kVersion1 = 0xF993FAC8;
constexpr std::uint32_t kVersion2 = 0xF993FAC9;
constexpr std::uint32_t kVersion3 = 0xF993FACA;
constexpr std::uint32_t kMostDims = 32;

constexpr std::int32_t kDense = 0;
constexpr std::int32_t kRowSparse = 1;
constexpr std::int32_t kCsr = 2;

// Smaller arrays are read at once: passes read such vectors.
constexpr std::int64_t kLeftInFile = std::int64_t{1} << 16;

/// nullopt if the shape is not known.
using MaybeShape = std::optional<Shape>;

void check_rank(std::int64_t rank, std::int64_t position) {
  if (rank < 0 || rank > kMostDims) {
    fail(ErrorCode::malformed, "a count of ", rank, " dimensions at byte ", position, "; expected 0 to ",
         kMostDims);
  }
}

// i32 rank, then i64 dimensions. Under NumPy's rules (version 3) -1 stands for what is not known.
MaybeShape read_shape(ByteCursor& cursor, bool numpy_rules, const char* what) {
  const std::int64_t start = cursor.position();
  const auto rank = cursor.read<std::int32_t>(what);
  if (numpy_rules && rank == -1) return std::nullopt;
  check_rank(rank, start);
  cursor.require(std::int64_t{8} * rank, what);
  Shape shape;
  bool known = true;
  for (std::int32_t i = 0; i < rank; ++i) {
    const auto dim = cursor.read<std::int64_t>(what);
    if (dim < 0 && !(numpy_rules && dim == -1)) {
      fail(ErrorCode::malformed, "a dimension of ", dim, " at byte ", cursor.position() - 8, " in ", what);
    }
    known = known && dim >= 0;
    shape.push_back(dim);
  }
  if (!known) return std::nullopt;
  return shape;
}

Shape read_legacy_shape(ByteCursor& cursor, std::uint32_t rank) {
  if (rank > kMostDims) {
    fail(ErrorCode::malformed, "no array starts at byte ", cursor.position() - 4, ": the first word is ",
         rank, ", neither a known version nor a count of dimensions up to ", kMostDims);
  }
  cursor.require(std::int64_t{4} * rank, "the shape");
  Shape shape;
  for (std::uint32_t i = 0; i < rank; ++i) shape.push_back(cursor.read<std::uint32_t>("the shape"));
  return shape;
}

DType read_dtype(ByteCursor& cursor, const char* what) {
  const auto flag = cursor.read<std::int32_t>(what);
  if (flag < 0 || flag > static_cast<std::int32_t>(DType::bfloat16)) {
    fail(ErrorCode::malformed, "type number ", flag, " at byte ", cursor.position() - 4, " in ", what,
         "; expected 0 (float32) to 12 (bfloat16)");
  }
  return static_cast<DType>(flag);
}

// The device of the array when it was saved; ignored.
void skip_device(ByteCursor& cursor) {
  cursor.read<std::int32_t>("the device");
  cursor.read<std::int32_t>("the device");
}

// Other values than 0 and 1, which a C++ bool may not hold, become true.
void normalize(Tensor& tensor) {
  if (tensor.dtype() != DType::boolean) return;
  auto* byte = static_cast<unsigned char*>(tensor.raw());
  for (std::int64_t i = 0; i < tensor.elements(); ++i) byte[i] = byte[i] != 0;
}

// The bytes of the elements, checked to be present before memory is allocated for them.
std::int64_t check_elements(const ByteCursor& cursor, DType dtype, const Shape& shape, const char* what) {
  std::optional<std::int64_t> bytes = static_cast<std::int64_t>(size_of(dtype));
  for (std::int64_t dim : shape) {
    if (bytes) bytes = checked_mul(*bytes, dim);
  }
  if (!bytes)
    fail(ErrorCode::malformed, what, " would have shape ", to_string(shape), ", which is too large");
  if (*bytes > cursor.left()) {
    fail(ErrorCode::malformed, what, " of ", to_string(dtype), " ", to_string(shape), " need ", *bytes,
         " bytes at byte ", cursor.position(), ", ", cursor.left(), " are left in the file");
  }
  return *bytes;
}

Tensor read_elements(ByteCursor& cursor, DType dtype, const Shape& shape, const char* what) {
  const std::int64_t bytes = check_elements(cursor, dtype, shape, what);
  Tensor tensor = Tensor::uninitialized(dtype, shape);
  cursor.read(tensor.raw(), bytes, what);
  normalize(tensor);
  return tensor;
}

std::shared_ptr<const Parameter> read_dense(ByteCursor& cursor, const Shape& shape, const Keeper& keeper) {
  skip_device(cursor);
  const DType dtype = read_dtype(cursor, "the type");
  const std::int64_t bytes = check_elements(cursor, dtype, shape, "elements");
  if (keeper == nullptr || bytes < kLeftInFile || dtype == DType::boolean)
    return make_parameter(read_elements(cursor, dtype, shape, "elements"));
  const std::int64_t start = cursor.position();
  cursor.skip(bytes, "elements");
  return std::make_shared<Parameter>(
      dtype, shape,
      [keeper, start, bytes](void* dst) { keeper->read(start, dst, static_cast<std::size_t>(bytes)); },
      [keeper, start, bytes] { return keeper->is_at_hand(start, static_cast<std::size_t>(bytes)); });
}

struct AuxHeader {
  DType dtype;
  Shape shape;
};

AuxHeader read_aux_header(ByteCursor& cursor) {
  const DType dtype = read_dtype(cursor, "the type of the indices");
  const MaybeShape shape = read_shape(cursor, false, "the shape of the indices");
  return {dtype, *shape};
}

Tensor read_sparse(ByteCursor& cursor, std::int32_t storage, const Shape& storage_shape, const Shape& shape,
                   std::int64_t& unpacked_left) {
  skip_device(cursor);
  const DType dtype = read_dtype(cursor, "the type");
  std::vector<AuxHeader> headers;
  for (int i = 0; i < (storage == kRowSparse ? 1 : 2); ++i) headers.push_back(read_aux_header(cursor));
  const Tensor values = read_elements(cursor, dtype, storage_shape, "values of a sparse array");
  std::vector<std::vector<std::int64_t>> aux;
  for (const AuxHeader& header : headers) {
    aux.push_back(as_indices(read_elements(cursor, header.dtype, header.shape, "indices of a sparse array")));
  }
  if (storage == kCsr) return densify_csr(values, aux[0], aux[1], shape, unpacked_left);
  return densify_rows(values, aux[0], shape, unpacked_left);
}

ArrayRecord none(bool without_dimensions) {
  return {make_parameter(Tensor()), without_dimensions};
}

ArrayRecord read_version_2(ByteCursor& cursor, bool numpy_rules, std::int64_t& unpacked_left,
                           const Keeper& keeper) {
  const auto storage = cursor.read<std::int32_t>("the storage type");
  if (storage < kDense || storage > kCsr || (numpy_rules && storage != kDense)) {
    fail(ErrorCode::malformed, "storage type ", storage, " at byte ", cursor.position() - 4,
         numpy_rules ? "; expected 0 (dense)" : "; expected 0 (dense), 1 (row sparse) or 2 (CSR)");
  }
  Shape storage_shape;
  if (storage != kDense) storage_shape = *read_shape(cursor, false, "the shape of the values");
  const MaybeShape shape = read_shape(cursor, numpy_rules, "the shape");
  if (!shape) return none(false);
  if (shape->rank() == 0 && !numpy_rules) return none(true);
  if (storage == kDense) return {read_dense(cursor, *shape, keeper)};
  return {make_parameter(read_sparse(cursor, storage, storage_shape, *shape, unpacked_left))};
}

}  // namespace

ArrayRecord read_array_record(ByteCursor& cursor, std::int64_t& unpacked_left, const Keeper& keeper) {
  const auto first = cursor.read<std::uint32_t>("the first word of an array");
  if (first == kVersion3) return read_version_2(cursor, true, unpacked_left, keeper);
  if (first == kVersion2) return read_version_2(cursor, false, unpacked_left, keeper);
  const Shape shape =
      first == kVersion1 ? *read_shape(cursor, false, "the shape") : read_legacy_shape(cursor, first);
  if (shape.rank() == 0) return none(first == kVersion1);
  return {read_dense(cursor, shape, keeper)};
}

}  // namespace mxinfer::formats
