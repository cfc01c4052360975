#include "formats/write_bundle.h"

#include <archive.h>
#include <archive_entry.h>
#include <mxinfer/version.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <exception>
#include <memory>
#include <new>
#include <string_view>

#include "base/atomic_file.h"
#include "base/fail.h"
#include "formats/bundle_manifest.h"

namespace mxinfer::formats {
namespace {

constexpr const char* kParamsMember = "model.params";
constexpr const char* kLabelsMember = "synset.txt";
constexpr std::size_t kMostNameBytes = 100;

Span<const std::byte> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

// A zip file, written as its members come. Members have no date, so that the bytes do not depend on it.
class ZipWriter {
 public:
  explicit ZipWriter(AtomicFile& file) : file_(file), writer_(archive_write_new()) {
    if (!writer_) throw std::bad_alloc();
    check(archive_write_set_format_zip(raw()));
    check(archive_write_set_bytes_in_last_block(raw(), 1));
    check(archive_write_open2(raw(), this, nullptr, &ZipWriter::write, nullptr, nullptr));
  }

  void add(const std::string& name, Span<const std::byte> bytes, bool deflated) {
    check(deflated ? archive_write_zip_set_compression_deflate(raw())
                   : archive_write_zip_set_compression_store(raw()));
    const std::unique_ptr<archive_entry, Free> entry(archive_entry_new());
    if (!entry) throw std::bad_alloc();
    archive_entry_set_pathname(entry.get(), name.c_str());
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    archive_entry_set_perm(entry.get(), 0644);
    archive_entry_set_size(entry.get(), static_cast<la_int64_t>(bytes.size()));
    check(archive_write_header(raw(), entry.get()));
    while (!bytes.empty()) {
      const la_ssize_t written = archive_write_data(raw(), bytes.data(), bytes.size());
      if (written <= 0) check(ARCHIVE_FATAL);
      bytes = {bytes.data() + written, bytes.size() - static_cast<std::size_t>(written)};
    }
    check(archive_write_finish_entry(raw()));
  }
  void finish() { check(archive_write_close(raw())); }

 private:
  struct Free {
    void operator()(archive* writer) const { archive_write_free(writer); }
    void operator()(archive_entry* entry) const { archive_entry_free(entry); }
  };

  // libarchive lets no exception through: it is kept, and thrown again behind the call.
  static la_ssize_t write(archive* writer, void* self, const void* data, std::size_t size) {
    auto& zip = *static_cast<ZipWriter*>(self);
    try {
      if (!zip.error_) zip.file_.write(data, size);
      return static_cast<la_ssize_t>(size);
    } catch (...) {
      zip.error_ = std::current_exception();
      archive_set_error(writer, EIO, "the file cannot be written");
      return ARCHIVE_FATAL;
    }
  }

  archive* raw() const { return writer_.get(); }
  void check(int status) const {
    if (error_) std::rethrow_exception(error_);
    if (status == ARCHIVE_OK) return;
    const char* text = archive_error_string(raw());
    fail(ErrorCode::internal, "writing the archive failed: ", text != nullptr ? text : "no reason was given");
  }

  AtomicFile& file_;
  std::exception_ptr error_;  ///< outlives writer_, which writes when it is freed
  std::unique_ptr<archive, Free> writer_;
};

}  // namespace

void check_graph_name(const std::string& name) {
  const bool plain = !name.empty() && name.size() <= kMostNameBytes && name[0] != '.' &&
                     std::all_of(name.begin(), name.end(), [](char c) {
                       const auto byte = static_cast<unsigned char>(c);
                       return (byte < 0x80 && std::isalnum(byte) != 0) || c == '-' || c == '_' || c == '.';
                     });
  if (plain) return;
  fail(ErrorCode::invalid_argument, "'", printable(name), "' cannot be a graph's name: give 1 to ",
       kMostNameBytes, " letters, digits, '-', '_' and '.', such as 'prediction'");
}

void write_bundle(const std::string& path, const BundleToWrite& bundle) {
  BundleManifest manifest;
  for (const auto& [name, symbol] : bundle.graphs) {
    check_graph_name(name);
    manifest.graphs[name] = name + "-symbol.json";
  }
  if (manifest.graphs.count(bundle.default_graph) == 0) {
    fail(ErrorCode::invalid_argument, "the bundle's default graph is '", printable(bundle.default_graph),
         "', which is none of its graphs");
  }
  manifest.default_graph = bundle.default_graph;
  if (!bundle.params.empty()) manifest.params = kParamsMember;
  if (!bundle.labels.empty()) manifest.labels = kLabelsMember;

  AtomicFile file(path);
  ZipWriter zip(file);
  zip.add(kBundleManifest, bytes_of(bundle_manifest_text(manifest, concat("mxinfer ", version()))), true);
  for (const auto& [name, symbol] : bundle.graphs) zip.add(manifest.graphs[name], bytes_of(symbol), true);
  if (!bundle.labels.empty()) zip.add(kLabelsMember, bytes_of(bundle.labels), true);
  // Stored, so that a reader can take the arrays from where they are.
  if (!bundle.params.empty()) zip.add(kParamsMember, bundle.params, false);
  zip.finish();
  file.commit();
}

}  // namespace mxinfer::formats
