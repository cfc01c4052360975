#include "sources/remote/hdfs/webhdfs_answers.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace mxinfer::sources {
namespace {

using nlohmann::json;

/// Deeper than any answer; what is deeper is left out, for each level of it takes memory.
constexpr int kMostLevels = 16;

json parsed_answer(std::string_view answer) {
  const json::parser_callback_t is_wanted = [](int depth, json::parse_event_t, json&) {
    return depth <= kMostLevels;
  };
  return json::parse(answer, is_wanted, false);
}

/// null, if there is none.
const json& member(const json& object, const char* name) {
  static const json& none = *new json;
  const auto found = object.find(name);
  return found == object.end() ? none : *found;
}

std::string text_field(const json& object, const char* name) {
  const json& value = member(object, name);
  return value.is_string() ? value.get<std::string>() : std::string();
}

/// -1, if there is none or it is below 0.
std::int64_t number_in(const json& object, const char* name) {
  const json& value = member(object, name);
  if (!value.is_number_integer()) return -1;
  const auto number = value.get<std::int64_t>();  // above its range it becomes negative
  return number < 0 ? -1 : number;
}

std::optional<HdfsFileStatus> read_file_status(const json& object) {
  HdfsFileStatus status;
  const std::string type = text_field(object, "type");
  status.name = text_field(object, "pathSuffix");
  status.is_folder = type == "DIRECTORY";
  status.size = number_in(object, "length");
  status.modification_time = number_in(object, "modificationTime");
  status.id = number_in(object, "fileId") < 0 ? 0 : number_in(object, "fileId");
  if (type.empty() || status.size < 0 || status.modification_time < 0) return std::nullopt;
  return status;
}

}  // namespace

std::optional<HdfsException> hdfs_exception(std::string_view answer) {
  const json parsed = parsed_answer(answer);
  const json& exception = member(parsed, "RemoteException");
  HdfsException found{text_field(exception, "exception"), text_field(exception, "message")};
  if (found.name.empty()) return std::nullopt;
  return found;
}

std::optional<HdfsFileStatus> hdfs_file_status(std::string_view answer) {
  const json parsed = parsed_answer(answer);
  return read_file_status(member(parsed, "FileStatus"));
}

std::optional<std::vector<HdfsFileStatus>> hdfs_list(std::string_view answer) {
  const json parsed = parsed_answer(answer);
  const json& entries = member(member(parsed, "FileStatuses"), "FileStatus");
  if (!entries.is_array()) return std::nullopt;
  std::vector<HdfsFileStatus> list;
  for (const json& entry : entries) {
    auto status = read_file_status(entry);
    if (!status) return std::nullopt;
    list.push_back(std::move(*status));
  }
  return list;
}

}  // namespace mxinfer::sources
