// The JSON answers of WebHDFS. They are untrusted and may contain anything.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mxinfer::sources {

/// {"RemoteException": {"exception": "FileNotFoundException", "message": "File does not exist: /x", ...}}
struct HdfsException {
  std::string name;
  std::string message;
};
std::optional<HdfsException> hdfs_exception(std::string_view answer);

/// {"FileStatus": {"length": 1017, "modificationTime": 1320173277227, "type": "FILE", ...}}
struct HdfsFileStatus {
  std::string name;  ///< in a list; empty of what was asked for itself
  bool is_folder = false;
  std::int64_t size = 0;
  std::int64_t modification_time = 0;
  std::int64_t id = 0;  ///< 0, if the server does not say
};
std::optional<HdfsFileStatus> hdfs_file_status(std::string_view answer);

/// {"FileStatuses": {"FileStatus": [{"pathSuffix": "digits-symbol.json", ...}, ...]}}
std::optional<std::vector<HdfsFileStatus>> hdfs_list(std::string_view answer);

}  // namespace mxinfer::sources
