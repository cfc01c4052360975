#include "formats/npz.h"

#include <archive.h>
#include <archive_entry.h>

#include <memory>
#include <set>
#include <string_view>

#include "base/fail.h"
#include "base/file.h"
#include "tensor/npy.h"

namespace mxinfer::formats {
namespace {

struct Free {
  void operator()(archive* reader) const { archive_read_free(reader); }
};
using Reader = std::unique_ptr<archive, Free>;

std::string reason(archive* reader) {
  const char* text = archive_error_string(reader);
  return text != nullptr ? printable(text) : "the archive is damaged";
}

Reader open_zip(Span<const std::byte> bytes) {
  Reader reader(archive_read_new());
  if (!reader) throw std::bad_alloc();
  // The seekable reader goes by the directory at the end, so an archive that was cut short is refused as a
  // whole.
  if (archive_read_support_format_zip_seekable(reader.get()) != ARCHIVE_OK ||
      archive_read_open_memory(reader.get(), bytes.data(), bytes.size()) != ARCHIVE_OK) {
    fail(ErrorCode::malformed, "not a complete zip archive: ", reason(reader.get()));
  }
  return reader;
}

// The next member, nullptr after the last.
archive_entry* next_member(archive* reader) {
  archive_entry* entry = nullptr;
  const int status = archive_read_next_header(reader, &entry);
  if (status == ARCHIVE_EOF) return nullptr;
  // A warning is about the spelling of a name in this locale.
  if (status != ARCHIVE_OK && status != ARCHIVE_WARN) {
    fail(ErrorCode::malformed, "not a complete zip archive: ", reason(reader));
  }
  return entry;
}

std::string member_name(archive_entry* entry) {
  const char* name = archive_entry_pathname_utf8(entry);
  if (name == nullptr) name = archive_entry_pathname(entry);
  if (name == nullptr) fail(ErrorCode::malformed, "a member has no readable name");
  return name;
}

// Unpacks one member; `left` is what the archive may still unpack to. It grows with the bytes that really
// come, since the sizes that an archive states are only claims.
std::vector<std::byte> unpack(archive* reader, std::uint64_t& left) {
  std::vector<std::byte> bytes;
  while (true) {
    const void* block = nullptr;
    std::size_t size = 0;
    la_int64_t offset = 0;
    const int status = archive_read_data_block(reader, &block, &size, &offset);
    if (status == ARCHIVE_EOF) return bytes;
    if (status != ARCHIVE_OK)
      fail(ErrorCode::malformed, reason(reader));  // a wrong checksum is only a warning there
    if (offset != static_cast<la_int64_t>(bytes.size())) fail(ErrorCode::malformed, "the member has gaps");
    if (size > left) {
      fail(ErrorCode::invalid_argument,
           "the archive unpacks to more than its limit; pass a higher limit to read it");
    }
    left -= size;
    const auto* first = static_cast<const std::byte*>(block);
    bytes.insert(bytes.end(), first, first + size);
  }
}

}  // namespace

std::vector<NamedArray> read_npz(Span<const std::byte> bytes, const std::string& name,
                                 std::uint64_t byte_limit) {
  return in_context([&] { return name; },
                    [&] {
                      const Reader reader = open_zip(bytes);
                      std::vector<NamedArray> arrays;
                      std::set<std::string> names;
                      std::uint64_t left = byte_limit;
                      while (archive_entry* entry = next_member(reader.get())) {
                        const std::string member = member_name(entry);
                        constexpr std::string_view kSuffix = ".npy";
                        if (member.size() < kSuffix.size() || !std::string_view(member).ends_with(kSuffix)) {
                          fail(ErrorCode::malformed, "member '", printable(member), "' is no .npy");
                        }
                        const std::string array = member.substr(0, member.size() - kSuffix.size());
                        std::string where = "array '" + printable(array) + "'";
                        const auto unpacked =
                            in_context([&] { return where; }, [&] { return unpack(reader.get(), left); });
                        if (!names.insert(array).second) fail(ErrorCode::malformed, where, " is there twice");
                        arrays.push_back({array, read_npy(unpacked, where)});
                      }
                      return arrays;
                    });
}

std::vector<NamedArray> load_npz(const std::string& path, std::uint64_t byte_limit) {
  return read_npz(read_file(path), path, byte_limit);
}

}  // namespace mxinfer::formats
