#include "formats/zip_writer.h"

#include <archive.h>
#include <archive_entry.h>

#include <cerrno>
#include <exception>
#include <new>

#include "base/fail.h"

namespace mxinfer::formats {
namespace {

struct FreeZip {
  void operator()(archive* writer) const { archive_write_free(writer); }
  void operator()(archive_entry* entry) const { archive_entry_free(entry); }
};

}  // namespace

struct ZipWriter::Impl {
  explicit Impl(AtomicFile& to) : file(to), writer(archive_write_new()) {
    if (!writer) throw std::bad_alloc();
  }

  // libarchive lets no exception through: it is kept, and thrown again behind the call.
  static la_ssize_t write(archive* writer, void* self, const void* data, std::size_t size) {
    auto& zip = *static_cast<Impl*>(self);
    try {
      if (!zip.error) zip.file.write(data, size);
      return static_cast<la_ssize_t>(size);
    } catch (...) {
      zip.error = std::current_exception();
      archive_set_error(writer, EIO, "the file cannot be written");
      return ARCHIVE_FATAL;
    }
  }

  archive* raw() const { return writer.get(); }
  void check(int status) const {
    if (error) std::rethrow_exception(error);
    if (status == ARCHIVE_OK) return;
    const char* text = archive_error_string(raw());
    fail(ErrorCode::internal, "writing the archive failed: ", text != nullptr ? text : "no reason was given");
  }

  AtomicFile& file;
  std::exception_ptr error;  ///< outlives writer, which writes when it is freed
  std::unique_ptr<archive, FreeZip> writer;
};

ZipWriter::ZipWriter(AtomicFile& file) : impl_(std::make_unique<Impl>(file)) {
  archive* writer = impl_->raw();
  impl_->check(archive_write_set_format_zip(writer));
  impl_->check(archive_write_set_bytes_in_last_block(writer, 1));
  impl_->check(archive_write_open2(writer, impl_.get(), nullptr, &Impl::write, nullptr, nullptr));
}

ZipWriter::~ZipWriter() = default;

void ZipWriter::add(const std::string& name, Span<const std::byte> bytes, bool deflated) {
  archive* writer = impl_->raw();
  impl_->check(deflated ? archive_write_zip_set_compression_deflate(writer)
                        : archive_write_zip_set_compression_store(writer));
  const std::unique_ptr<archive_entry, FreeZip> entry(archive_entry_new());
  if (!entry) throw std::bad_alloc();
  archive_entry_set_pathname(entry.get(), name.c_str());
  archive_entry_set_filetype(entry.get(), AE_IFREG);
  archive_entry_set_perm(entry.get(), 0644);
  archive_entry_set_size(entry.get(), static_cast<la_int64_t>(bytes.size()));
  impl_->check(archive_write_header(writer, entry.get()));
  while (!bytes.empty()) {
    const la_ssize_t written = archive_write_data(writer, bytes.data(), bytes.size());
    if (written <= 0) impl_->check(ARCHIVE_FATAL);
    bytes = {bytes.data() + written, bytes.size() - static_cast<std::size_t>(written)};
  }
  impl_->check(archive_write_finish_entry(writer));
}

void ZipWriter::finish() {
  impl_->check(archive_write_close(impl_->raw()));
}

}  // namespace mxinfer::formats
