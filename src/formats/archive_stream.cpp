#include "formats/archive_stream.h"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <new>
#include <utility>

#include "base/fail.h"
#include "formats/gunzip.h"

namespace mxinfer::formats {
namespace {

constexpr std::size_t kArchivePiece = std::size_t{256} << 10;
constexpr std::int64_t kTarTrailerBlock = 512;

struct Free {
  void operator()(archive* reader) const { archive_read_free(reader); }
};

ArchiveEntry::Type type_of(archive_entry* entry) {
  if (archive_entry_hardlink(entry) != nullptr || archive_entry_symlink(entry) != nullptr)
    return ArchiveEntry::Type::link;
  switch (archive_entry_filetype(entry)) {
    case 0:  // a zip archive need not say
    case AE_IFREG:
      return ArchiveEntry::Type::file;
    case AE_IFDIR:
      return ArchiveEntry::Type::folder;
    case AE_IFLNK:
      return ArchiveEntry::Type::link;
    default:
      return ArchiveEntry::Type::special;
  }
}

}  // namespace

// The functions that libarchive calls let no exception through: it is kept, and thrown again behind the call.
struct ArchiveStream::Impl {
  const sources::Source& source;
  ArchiveKind kind;
  Allowance allowance;
  std::int64_t position = 0;
  std::vector<std::byte> buffer;
  std::optional<Gunzip> gunzip;
  std::exception_ptr error;
  std::unique_ptr<archive, Free> reader;
  std::optional<std::uint64_t> size;  ///< of the present member, as stated

  Impl(const sources::Source& from, ArchiveKind what, Allowance may)
      : source(from), kind(what), allowance(std::move(may)) {}

  template <typename Body>
  static auto guarded(void* self, Body&& body) -> decltype(body(std::declval<Impl&>())) {
    auto& impl = *static_cast<Impl*>(self);
    try {
      return body(impl);
    } catch (...) {
      impl.error = std::current_exception();
      archive_set_error(impl.reader.get(), EINVAL, "the file cannot be read");
      return ARCHIVE_FATAL;
    }
  }

  static la_ssize_t read(archive*, void* self, const void** bytes) {
    return guarded(self, [&](Impl& impl) -> la_ssize_t {
      const auto piece = impl.gunzip ? impl.inflate() : impl.read_source();
      *bytes = piece.data();
      return static_cast<la_ssize_t>(piece.size());
    });
  }
  static la_int64_t seek(archive*, void* self, la_int64_t offset, int whence) {
    return guarded(self, [&](Impl& impl) -> la_int64_t {
      const std::int64_t from = whence == SEEK_SET   ? 0
                                : whence == SEEK_CUR ? impl.position
                                                     : impl.source.size();
      std::int64_t to = 0;
      if (__builtin_add_overflow(from, offset, &to) || to < 0) return ARCHIVE_FATAL;
      impl.position = std::min(to, impl.source.size());
      return impl.position;
    });
  }

  Span<const std::byte> read_source() {
    const auto count = static_cast<std::size_t>(
        std::min<std::int64_t>(source.size() - position, std::int64_t{kArchivePiece}));
    buffer.resize(kArchivePiece);
    source.read(position, buffer.data(), count);
    position += static_cast<std::int64_t>(count);
    return {buffer.data(), count};
  }

  Span<const std::byte> inflate() {
    const auto piece = gunzip->next();
    allowance.take(piece.size());
    return piece;
  }

  const char* name() const { return kind == ArchiveKind::zip ? "zip" : "tar"; }

  [[noreturn]] void give_up(const char* before) {
    if (error) std::rethrow_exception(error);
    const char* text = archive_error_string(reader.get());
    fail(ErrorCode::malformed, before, text != nullptr ? printable(text) : "the archive is damaged");
  }
  [[noreturn]] void give_up_all() { give_up(concat("not a complete ", name(), " archive: ").c_str()); }

  // A tar file ends with blocks of zeros, and would be readable without them: a cut between two members
  // shows only there. (A gzip file that was cut does not inflate to its end.)
  void require_end_mark() {
    std::array<char, kTarTrailerBlock> last{};
    if (source.size() >= kTarTrailerBlock)
      source.read(source.size() - kTarTrailerBlock, last.data(), last.size());
    const bool zeros = std::all_of(last.begin(), last.end(), [](char c) { return c == 0; });
    if (source.size() < 2 * kTarTrailerBlock || !zeros)
      fail(ErrorCode::malformed, "not a complete tar archive: it was cut short");
  }

  void open() {
    reader.reset(archive_read_new());
    if (!reader) throw std::bad_alloc();
    archive* raw = reader.get();
    if (kind == ArchiveKind::tar_gz) gunzip.emplace(source);
    if (kind == ArchiveKind::tar) require_end_mark();
    // The seekable reader goes by the directory at the end, so that a zip archive that was cut short is
    // rejected as a whole.
    const int format = kind == ArchiveKind::zip ? archive_read_support_format_zip_seekable(raw)
                                                : archive_read_support_format_tar(raw);
    bool opened = format == ARCHIVE_OK && archive_read_set_read_callback(raw, &Impl::read) == ARCHIVE_OK &&
                  archive_read_set_callback_data(raw, this) == ARCHIVE_OK;
    if (opened && kind == ArchiveKind::zip)
      opened = archive_read_set_seek_callback(raw, &Impl::seek) == ARCHIVE_OK;
    if (!opened || archive_read_open1(raw) != ARCHIVE_OK) give_up_all();
  }

  // What stands behind the last member is read too: the checksum of a gzip file is there.
  void finish() {
    if (!gunzip) return;
    while (!inflate().empty()) {
    }
  }
};

ArchiveStream::ArchiveStream(const sources::Source& source, ArchiveKind kind, Allowance allowance)
    : impl_(std::make_unique<Impl>(source, kind, std::move(allowance))) {
  impl_->open();
}

ArchiveStream::~ArchiveStream() = default;

std::optional<ArchiveEntry> ArchiveStream::next() {
  archive_entry* raw = nullptr;
  const int status = archive_read_next_header(impl_->reader.get(), &raw);
  if (impl_->error) std::rethrow_exception(impl_->error);
  if (status == ARCHIVE_EOF) {
    impl_->finish();
    return std::nullopt;
  }
  // A warning is about the spelling of a name in this locale.
  if (status != ARCHIVE_OK && status != ARCHIVE_WARN) impl_->give_up_all();
  ArchiveEntry entry;
  const char* name = archive_entry_pathname_utf8(raw);
  if (name == nullptr) name = archive_entry_pathname(raw);
  if (name == nullptr) fail(ErrorCode::malformed, "a member has no readable name");
  entry.name = name;
  entry.type = type_of(raw);
  entry.encrypted = archive_entry_is_encrypted(raw) != 0;
  impl_->size.reset();
  if (archive_entry_size_is_set(raw) != 0) impl_->size = static_cast<std::uint64_t>(archive_entry_size(raw));
  return entry;
}

std::vector<std::byte> ArchiveStream::unpack() {
  std::vector<std::byte> bytes;
  while (true) {
    const void* block = nullptr;
    std::size_t size = 0;
    la_int64_t offset = 0;
    const int status = archive_read_data_block(impl_->reader.get(), &block, &size, &offset);
    if (impl_->error) std::rethrow_exception(impl_->error);
    if (status == ARCHIVE_EOF) break;
    if (status != ARCHIVE_OK) impl_->give_up("");  // a wrong checksum is only a warning there
    if (offset != static_cast<la_int64_t>(bytes.size())) fail(ErrorCode::malformed, "the member has gaps");
    if (!impl_->gunzip) impl_->allowance.take(size);
    const auto* first = static_cast<const std::byte*>(block);
    bytes.insert(bytes.end(), first, first + size);
  }
  if (impl_->kind != ArchiveKind::zip && impl_->size && *impl_->size != bytes.size())
    fail(ErrorCode::malformed, "the member has gaps");
  return bytes;
}

}  // namespace mxinfer::formats
