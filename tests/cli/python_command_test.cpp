// mxinfer predict-table runs Python.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>

#include "cli/run_command.h"
#include "support/files/temp_dir.h"
#include "support/servers/environment_variable.h"

namespace mxinfer::test {
namespace {

TEST(CliPythonCommand, GetsTheWordsBehindIt) {
  TempDir dir;
  const std::string python =
      dir.write("python", "#!/bin/sh\n[ \"$1\" = -c ] || exit 3\nshift 2\nprintf '<%s>' \"$@\"\n");
  ASSERT_EQ(::chmod(python.c_str(), 0755), 0);
  const EnvironmentVariable named("MXINFER_PYTHON", python.c_str());
  EXPECT_EQ(output_of({"predict-table", "a model", "--input", "in.parquet", "--help"}),
            "<a model><--input><in.parquet><--help>");
  EXPECT_EQ(output_of({"help", "predict-table"}), "<--help>");
}

TEST(CliPythonCommand, SaysWhatIsMissing) {
  {
    const EnvironmentVariable named("MXINFER_PYTHON", "/no/such/python");
    expect_user_error({"predict-table", "model"}, {"/no/such/python", "MXINFER_PYTHON", "pip install"});
  }
  TempDir dir;
  const std::string python = dir.write("python", "#!/bin/sh\nexec python3 -I -S \"$@\"\n");
  ASSERT_EQ(::chmod(python.c_str(), 0755), 0);
  const EnvironmentVariable named("MXINFER_PYTHON", python.c_str());
  expect_user_error({"predict-table", "model"}, {"Python package", "MXINFER_PYTHON", "No module named"});
}

}  // namespace
}  // namespace mxinfer::test
