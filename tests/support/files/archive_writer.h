// Makes archives for tests, sound or malicious, through libarchive.
//
//   std::string zip = ArchiveWriter(ArchiveFormat::zip).file("a.txt", "text").link("b",
//   "/etc/passwd").finish();
#pragma once

#include <archive.h>
#include <archive_entry.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace mxinfer::test {

enum class ArchiveFormat { zip, tar, tar_gz, tar_ustar, tar_gnu, tar_v7 };

class ArchiveWriter {
 public:
  explicit ArchiveWriter(ArchiveFormat format, const std::string& passphrase = {})
      : writer_(archive_write_new()) {
    archive* raw = writer_.get();
    if (format == ArchiveFormat::zip) {
      check(archive_write_set_format_zip(raw));
      if (!passphrase.empty()) {
        check(archive_write_set_options(raw, "zip:encryption=traditional"));
        check(archive_write_set_passphrase(raw, passphrase.c_str()));
      }
    } else if (format == ArchiveFormat::tar_ustar) {
      check(archive_write_set_format_ustar(raw));
    } else if (format == ArchiveFormat::tar_gnu) {
      check(archive_write_set_format_gnutar(raw));
    } else if (format == ArchiveFormat::tar_v7) {
      check(archive_write_set_format_v7tar(raw));
    } else {
      check(archive_write_set_format_pax_restricted(raw));
      if (format == ArchiveFormat::tar_gz) check(archive_write_add_filter_gzip(raw));
    }
    check(archive_write_set_bytes_in_last_block(raw, 1));
    check(archive_write_open2(raw, &bytes_, nullptr, &ArchiveWriter::append, nullptr, nullptr));
  }

  ArchiveWriter& file(const std::string& name, std::string_view contents) {
    Entry entry = make(name, AE_IFREG);
    archive_entry_set_size(entry.get(), static_cast<la_int64_t>(contents.size()));
    return add(entry, contents);
  }
  ArchiveWriter& folder(const std::string& name) { return add(make(name, AE_IFDIR)); }
  ArchiveWriter& link(const std::string& name, const std::string& target) {
    Entry entry = make(name, AE_IFLNK);
    archive_entry_set_symlink(entry.get(), target.c_str());
    return add(entry);
  }
  ArchiveWriter& hard_link(const std::string& name, const std::string& target) {
    Entry entry = make(name, AE_IFREG);
    archive_entry_set_hardlink(entry.get(), target.c_str());
    return add(entry);
  }
  ArchiveWriter& special(const std::string& name, unsigned type) { return add(make(name, type)); }
  /// Zip members from here on are stored as they are.
  ArchiveWriter& stored() {
    check(archive_write_zip_set_compression_store(writer_.get()));
    return *this;
  }
  std::string finish() {
    check(archive_write_close(writer_.get()));
    return bytes_;
  }

 private:
  struct Free {
    void operator()(archive* raw) const { archive_write_free(raw); }
    void operator()(archive_entry* raw) const { archive_entry_free(raw); }
  };
  using Entry = std::unique_ptr<archive_entry, Free>;

  static la_ssize_t append(archive*, void* self, const void* data, std::size_t size) {
    static_cast<std::string*>(self)->append(static_cast<const char*>(data), size);
    return static_cast<la_ssize_t>(size);
  }
  void check(int status) const {
    if (status != ARCHIVE_OK)
      throw std::runtime_error(std::string("libarchive: ") + archive_error_string(writer_.get()));
  }
  static Entry make(const std::string& name, unsigned type) {
    Entry entry(archive_entry_new());
    archive_entry_set_pathname(entry.get(), name.c_str());
    archive_entry_set_filetype(entry.get(), type);
    archive_entry_set_perm(entry.get(), 0644);
    archive_entry_set_size(entry.get(), 0);
    return entry;
  }
  ArchiveWriter& add(const Entry& entry, std::string_view contents = {}) {
    check(archive_write_header(writer_.get(), entry.get()));
    if (archive_write_data(writer_.get(), contents.data(), contents.size()) !=
        static_cast<la_ssize_t>(contents.size()))
      throw std::runtime_error(std::string("libarchive: ") + archive_error_string(writer_.get()));
    check(archive_write_finish_entry(writer_.get()));
    return *this;
  }

  std::string bytes_;
  std::unique_ptr<archive, Free> writer_;
};

}  // namespace mxinfer::test
