// The command with models of open input sizes and models with a fixed batch size.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/run_command.h"
#include "support/files/temp_dir.h"
#include "support/networks/small_network.h"

namespace mxinfer::test {
namespace {

// A convolution of 3 channels and the means of its filters; if `batch` > 0, a Reshape fixes the batch size.
std::string write_network(const TempDir& dir, int batch) {
  SmallNetwork net;
  const int last = net.means_of_filters(net.variable("data"), 3);
  if (batch > 0) net.op("Reshape", "r", {{"shape", "(" + std::to_string(batch) + ", 2)"}}, {last});
  const std::vector<std::byte> params = net.params();
  dir.write("net-symbol.json", net.json());
  dir.write("net-0000.params", std::string(reinterpret_cast<const char*>(params.data()), params.size()));
  return dir / "net";
}

TEST(CliOpenSizes, UsualSizesAreTakenAndSaid) {
  const TempDir dir;
  const std::string net = write_network(dir, 0);
  const std::vector<std::vector<std::string>> commands = {
      {"bench", net, "--seconds", "0.01"},
      {"bench", net, "--seconds", "0.01", "--by-node"},
      {"explain", net},
      {"tune", net, "--output", dir / "tuning"},
  };
  for (const auto& command : commands) {
    const Outcome outcome = mxinfer(command);
    EXPECT_EQ(outcome.exit_code, 0) << command[0] << ": " << outcome.err;
    expect_facts(outcome.err, {"mxinfer: note: ", "(-1, 3, -1, -1)", "--shape data=1,3,224,224"});
    std::vector<std::string> with_shape = command;
    with_shape.insert(with_shape.end(), {"--shape", "data=1,3,8,8"});
    output_of(with_shape);
  }
  std::vector<std::string> quiet = commands[0];
  quiet.emplace_back("--quiet");
  EXPECT_EQ(mxinfer(quiet).err, "");
}

TEST(CliOpenSizes, AFixedBatchIsSaidAndFilledUp) {
  const TempDir dir;
  const std::string net = write_network(dir, 4);
  expect_facts(output_of({"inspect", net}),
               {"data float32 (4, 3, -1, -1)", "this model runs, in batches of 4",
                "accepts only batches of 4 samples"});
  const Outcome outcome =
      mxinfer({"classify", net, image_path("seven.jpg"), "--height", "8", "--width", "8"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out, "");
}

TEST(CliOpenSizes, AnImageThatIsNotKnownIsDescribedInFull) {
  const TempDir dir;
  SmallNetwork net;
  net.op("_mul_scalar", "twice", {{"scalar", "2"}}, {net.variable("data")});
  dir.write("net-symbol.json", net.json());
  expect_user_error(
      {"classify", dir / "net", image_path("seven.jpg"), "--height", "64", "--width", "48"},
      {"give --describe data=-1,3,64,48:float32:NCHW", "--describe data=-1,64,48,3:float32:NHWC"});
}

}  // namespace
}  // namespace mxinfer::test
