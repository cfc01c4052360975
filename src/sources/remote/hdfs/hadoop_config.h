// HadoopConfig: the properties in core-site.xml and hdfs-site.xml.
//
//   const HadoopConfig config = read_hadoop_config();
//   config.value("fs.defaultFS");               // "hdfs://models"
//   config.endings("dfs.namenode.rpc-address"); // {".models.nn1", ".models.nn2"}
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace mxinfer::sources {

class HadoopConfig {
 public:
  /// Adds the <property> elements of a file, which replace earlier ones of the same name. Ignores everything
  /// else, so no text is an error.
  void add(std::string_view xml);
  /// Without blanks around it; empty if there is none. "${other.property}", "${env.NAME}" and
  /// "${env.NAME:-instead}" in it are replaced, twenty times; what they name and is not there stays.
  [[nodiscard]] std::string value(std::string_view name) const;
  /// What stands behind the prefix in the names that begin with it, in order.
  [[nodiscard]] std::vector<std::string> endings(std::string_view prefix) const;

 private:
  [[nodiscard]] std::string raw_value(std::string_view name) const;
  [[nodiscard]] std::string referred(std::string_view reference, std::string_view otherwise) const;

  std::map<std::string, std::string, std::less<>> values_;
};

/// HADOOP_CONF_DIR, else etc/hadoop in HADOOP_HOME; empty if neither is set.
std::string hadoop_config_folder();

/// The properties of the two files in that folder, if they exist. Throws Error(invalid_argument) for a file
/// of more than 4 MiB, and what reading throws.
HadoopConfig read_hadoop_config();

}  // namespace mxinfer::sources
