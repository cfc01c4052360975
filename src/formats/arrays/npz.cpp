#include "formats/arrays/npz.h"

#include <set>
#include <string_view>

#include "base/fail.h"
#include "base/files/atomic_file.h"
#include "base/files/file.h"
#include "formats/archive/archive_stream.h"
#include "formats/archive/zip_writer.h"
#include "formats/first_bytes.h"
#include "sources/source.h"
#include "tensor/npy.h"

namespace mxinfer::formats {
namespace {

Allowance allowance_of(std::uint64_t byte_limit) {
  return {byte_limit, [byte_limit] {
            fail(ErrorCode::invalid_argument, "the archive unpacks to more than its limit of ", byte_limit,
                 " bytes; save the arrays uncompressed (numpy.savez) if they are meant to be that large");
          }};
}

}  // namespace

bool begins_like_npz(Span<const std::byte> bytes) {
  return begins_like_zip({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

std::vector<NamedArray> read_npz(Span<const std::byte> bytes, const std::string& name,
                                 std::uint64_t byte_limit) {
  return in_context(
      [&] { return name; },
      [&] {
        const auto source = sources::from_memory(bytes, name);
        const auto stream = open_archive_stream(*source, ArchiveKind::zip, allowance_of(byte_limit));
        std::vector<NamedArray> arrays;
        std::set<std::string> names;
        while (const auto entry = stream->next()) {
          const std::string& member = entry->name;
          constexpr std::string_view kSuffix = ".npy";
          if (member.size() < kSuffix.size() || !std::string_view(member).ends_with(kSuffix)) {
            fail(ErrorCode::malformed, "member '", printable(member), "' is not a .npy");
          }
          const std::string array = member.substr(0, member.size() - kSuffix.size());
          std::string where = "array '" + printable(array) + "'";
          const auto unpacked = in_context([&] { return where; }, [&] { return stream->unpack(); });
          if (!names.insert(array).second) fail(ErrorCode::malformed, where, " appears twice");
          arrays.push_back({array, read_npy(unpacked, where)});
        }
        return arrays;
      });
}

std::vector<NamedArray> load_npz(const std::string& path, std::uint64_t byte_limit) {
  return read_npz(read_file(path), printable(path), byte_limit);
}

void save_npz(const std::string& path, const std::vector<std::pair<std::string, TensorView>>& arrays) {
  std::set<std::string> names;
  for (const auto& [name, tensor] : arrays) {
    if (!names.insert(name).second) {
      fail(ErrorCode::invalid_argument, printable(path), " cannot hold two arrays of the name '",
           printable(name), "'");
    }
  }
  AtomicFile file(path);
  ZipWriter zip(file);
  for (const auto& [name, tensor] : arrays) zip.add(name + ".npy", write_npy(tensor), false);
  zip.finish();
  file.commit();
}

}  // namespace mxinfer::formats
