#include "sources/remote/remote_store.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <utility>

#include "base/fail.h"
#include "base/log.h"
#include "base/stopwatch.h"
#include "base/threads/call_context.h"
#include "sources/address.h"
#include "sources/remote/http/content_encoding.h"
#include "sources/remote/streamed_file.h"

namespace mxinfer::sources {

/// The data shared by a store and the files that it opened.
struct RemoteStore::Shared {
  Shared(const RemoteOptions& given, MakeOrigin make)
      : options(given), quiet(given), pool(options), origin(make(options)) {
    quiet.progress = nullptr;
  }

  [[nodiscard]] FetchContext context() const { return {options, pool, *origin}; }

  const RemoteOptions options;
  RemoteOptions quiet;  ///< for small files, whose progress is not reported
  mutable HttpPool pool;
  const std::unique_ptr<Origin> origin;
};

namespace {

/// Smaller files are fetched completely before they are read.
constexpr std::int64_t kStreamed = std::int64_t{4} << 20;

/// A file, and the state for fetching and caching it.
class RemoteFile final : public Source {
 public:
  /// `key`: of the copy on disk; empty, if there is none. `shared` holds the options.
  RemoteFile(std::shared_ptr<const void> shared, const RemoteOptions& options, std::string key,
             std::unique_ptr<Source> file)
      : shared_(std::move(shared)), options_(options), key_(std::move(key)), file_(std::move(file)) {}
  const std::string& name() const override { return file_->name(); }
  std::int64_t size() const override { return file_->size(); }
  std::string path() const override { return file_->path(); }
  void read(std::int64_t offset, void* dst, std::size_t bytes) const override {
    file_->read(offset, dst, bytes);
  }
  bool is_at_hand(std::int64_t offset, std::size_t bytes) const override {
    return file_->is_at_hand(offset, bytes);
  }
  void discard() const override {
    file_->discard();
    if (!key_.empty()) DiskCache(options_).forget(key_);
  }

 private:
  std::shared_ptr<const void> shared_;
  const RemoteOptions& options_;
  std::string key_;
  std::unique_ptr<Source> file_;  // goes before what it uses
};

/// Collects a small file in memory as it arrives, without trusting the server's size.
class MemorySink final : public FetchSink {
 public:
  explicit MemorySink(std::string name) : name_(std::move(name)) {}

  void begin(const FileVersion& file) override {
    require_known_encoding(file.content_encoding, name_);
    check_size(file.size);
    bytes.clear();
  }
  void write_at(std::int64_t offset, Span<const std::byte> more) override {
    const auto end = offset + static_cast<std::int64_t>(more.size());
    check_size(end);
    const std::lock_guard lock(mutex_);
    if (bytes.size() < static_cast<std::size_t>(end)) bytes.resize(static_cast<std::size_t>(end));
    if (!more.empty()) std::memcpy(bytes.data() + offset, more.data(), more.size());
  }

  std::vector<std::byte> bytes;

 private:
  void check_size(std::int64_t size) const {
    if (size <= kMostBytesRead) return;
    fail(ErrorCode::invalid_argument, name_, kTrail, "it has more than ", kMostBytesRead,
         " bytes, which is too much for an image or a list");
  }

  std::string name_;
  std::mutex mutex_;
};

/// Caches the fetched file. Failing to do so is not an error.
void keep_copy(const DiskCache& cache, const std::string& key, const std::string& address,
               TemporaryFile& file, const FileVersion& fetched) {
  try {
    cache.keep(key, address, file, fetched);
  } catch (const Error& e) {
    log_message(LogLevel::warning, "'", printable(shown(address)),
                "' was fetched, but could not be cached: ", e.what());
  }
}

}  // namespace

RemoteStore::RemoteStore(const RemoteOptions& options, MakeOrigin make)
    : shared_(std::make_shared<Shared>(options, make)) {}

std::shared_ptr<const Source> RemoteStore::open(const std::string& address) const {
  return shared_->options.cache == CachePolicy::none ? open_uncached(address) : open_cached(address);
}

std::shared_ptr<const Source> RemoteStore::open_cached(const std::string& address) const {
  const RemoteOptions& options = shared_->options;
  const DiskCache cache(options);
  const std::string key = shared_->origin->cache_key(address);
  const auto opened = [&](const DiskCache::Copy& copy) {
    return std::make_shared<RemoteFile>(shared_, options, key,
                                        open_file(copy.path, printable(shown(address))));
  };
  if (options.cache == CachePolicy::offline) {
    const auto copy = cache.find(key);
    return copy ? opened(*copy) : nullptr;
  }
  // Held until the copy is complete, which may be after this returns.
  const std::shared_ptr<DiskCache::Lock> lock(new DiskCache::Lock(cache.lock(key)));
  const auto copy = options.cache == CachePolicy::use ? cache.find(key) : std::nullopt;
  auto file =
      start(address, cache.folder(), copy ? copy->validators : Validators(),
            [cache, key, address, lock](TemporaryFile& stored, const std::optional<Fetched>& fetched) {
              if (fetched && fetched->outcome == Fetched::Outcome::absent) cache.forget(key);
              if (fetched && fetched->outcome == Fetched::Outcome::whole)
                keep_copy(cache, key, address, stored, fetched->file);
            });
  switch (file->wait_for_start()) {
    case Fetched::Outcome::unchanged:
      if (copy) return opened(*copy);
      fail(ErrorCode::network, printable(shown(address)), kTrail,
           "the server says that nothing has changed (304), but was not asked whether it has");
    case Fetched::Outcome::absent:
      return nullptr;
    case Fetched::Outcome::whole:
      break;
  }
  return opened_file(std::move(file), key);
}

std::shared_ptr<const Source> RemoteStore::open_uncached(const std::string& address) const {
  auto file = start(address, std::filesystem::temp_directory_path().string(), {}, nullptr);
  if (file->wait_for_start() == Fetched::Outcome::absent) return nullptr;
  return opened_file(std::move(file), {});
}

std::unique_ptr<StreamedFile> RemoteStore::start(const std::string& address, const std::string& folder,
                                                 const Validators& known,
                                                 const StreamedFile::End& end) const {
  const Stopwatch watch;
  auto logged = [=](TemporaryFile& stored, const std::optional<Fetched>& fetched) {
    if (fetched && fetched->outcome == Fetched::Outcome::whole) {
      log_message(LogLevel::info, "'", printable(shown(address)), "': ", fetched->file.size,
                  " bytes fetched in ", watch.milliseconds(), " ms");
    }
    end(stored, fetched);
  };
  return std::make_unique<StreamedFile>(shared_->context(), address, folder, known,
                                        end ? StreamedFile::End(std::move(logged)) : nullptr);
}

/// The progress callback may not outlive the call that loads.
std::shared_ptr<const Source> RemoteStore::opened_file(std::unique_ptr<StreamedFile> file,
                                                       const std::string& key) const {
  if (shared_->options.progress || !file->may_be_read(kStreamed)) file->wait_for_end();
  return std::make_shared<RemoteFile>(shared_, shared_->options, key, std::move(file));
}

std::optional<std::vector<std::byte>> RemoteStore::read(const std::string& address) const {
  if (shared_->options.cache == CachePolicy::offline) {
    fail(ErrorCode::not_found, printable(shown(address)), kTrail,
         "CachePolicy::offline fetches nothing, and only the files of models are cached");
  }
  MemorySink sink(printable(shown(address)));
  const Fetched fetched =
      Fetch({shared_->quiet, shared_->pool, *shared_->origin}, address, call_context().cancelled)
          .into(sink, {});
  if (fetched.outcome == Fetched::Outcome::absent) return std::nullopt;
  if (fetched.file.content_encoding.empty()) return std::move(sink.bytes);
  return decoded(sink.bytes, kMostBytesRead, printable(shown(address)));
}

std::optional<std::vector<std::string>> RemoteStore::list(const std::string& folder,
                                                          const std::string& start) const {
  if (shared_->options.cache == CachePolicy::offline) return std::nullopt;
  return shared_->origin->list(shared_->pool, folder, start);
}

}  // namespace mxinfer::sources
