// RemoteStore: opens files over HTTP and from the cache on disk, for any origin.
//
//   RemoteStore store(options, std::make_unique<HttpOrigin>(...));
//   std::shared_ptr<const Source> source = store.open("https://models.example/digits-0000.params");
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sources/remote/copies/disk_cache.h"
#include "sources/remote/origin.h"
#include "sources/remote/streamed_file.h"
#include "sources/store.h"

namespace mxinfer::sources {

class RemoteStore final : public Store {
 public:
  using MakeOrigin = std::unique_ptr<Origin> (*)(const RemoteOptions& options);

  RemoteStore(const RemoteOptions& options, MakeOrigin make);
  /// A large file may still be arriving when this returns; see StreamedFile.
  std::shared_ptr<const Source> open(const std::string& address) const override;
  std::optional<std::vector<std::byte>> read(const std::string& address) const override;
  std::optional<std::vector<std::string>> list(const std::string& folder,
                                               const std::string& start) const override;

 private:
  struct Shared;
  std::shared_ptr<const Source> open_cached(const std::string& address) const;
  std::shared_ptr<const Source> open_uncached(const std::string& address) const;
  std::unique_ptr<StreamedFile> start(const std::string& address, const std::string& folder,
                                      const Validators& known, const StreamedFile::End& end) const;
  std::shared_ptr<const Source> opened_file(std::unique_ptr<StreamedFile> file, const std::string& key) const;

  std::shared_ptr<Shared> shared_;  ///< with what still comes when the store is gone
};

}  // namespace mxinfer::sources
