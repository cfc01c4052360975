// Models whose weights stay in the .params file until a plan needs them.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/files/file.h"
#include "formats/arrays/write_params.h"
#include "support/expect_error.h"
#include "support/files/temp_dir.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

// A 3 x 3 convolution without bias and a batch norm that is folded into it, a transposed convolution with
// one, a dense layer with two rows' weights as stored, and one that has its weights packed.
constexpr const char* kSymbol = R"json({"nodes": [
  {"op": "null", "name": "data", "attrs": {"__shape__": "(0, 64, 0, 0)"}, "inputs": []},
  {"op": "null", "name": "conv_weight", "inputs": []},
  {"op": "Convolution", "name": "conv", "inputs": [[0, 0, 0], [1, 0, 0]],
   "attrs": {"kernel": "(3, 3)", "pad": "(1, 1)", "num_filter": "64", "no_bias": "True"}},
  {"op": "null", "name": "bn_gamma", "inputs": []},
  {"op": "null", "name": "bn_beta", "inputs": []},
  {"op": "null", "name": "bn_moving_mean", "inputs": []},
  {"op": "null", "name": "bn_moving_var", "inputs": []},
  {"op": "BatchNorm", "name": "bn", "inputs": [[2, 0, 0], [3, 0, 0], [4, 0, 0], [5, 0, 1], [6, 0, 1]],
   "attrs": {"fix_gamma": "False"}},
  {"op": "null", "name": "up_weight", "inputs": []},
  {"op": "Deconvolution", "name": "up", "inputs": [[7, 0, 0], [8, 0, 0]],
   "attrs": {"kernel": "(2, 2)", "stride": "(2, 2)", "num_filter": "80"}},
  {"op": "Pooling", "name": "pool", "inputs": [[9, 0, 0]],
   "attrs": {"global_pool": "True", "kernel": "(1, 1)", "pool_type": "avg"}},
  {"op": "null", "name": "fc_weight", "inputs": []},
  {"op": "null", "name": "fc_bias", "inputs": []},
  {"op": "FullyConnected", "name": "fc", "inputs": [[10, 0, 0], [11, 0, 0], [12, 0, 0]],
   "attrs": {"num_hidden": "400"}}],
  "arg_nodes": [0, 1, 3, 4, 5, 6, 8, 11, 12], "heads": [[13, 0, 0]],
  "attrs": {"mxnet_version": ["int", 10901]}})json";

std::vector<Tensor> random_parameters() {
  std::vector<Tensor> all;
  all.push_back(test::random_tensor({64, 64, 3, 3}, 1, -0.1f, 0.1f));
  for (unsigned seed : {2u, 3u, 4u, 5u}) all.push_back(test::random_tensor({64}, seed, 0.5f, 2.0f));
  all.push_back(test::random_tensor({64, 80, 2, 2}, 6, -0.1f, 0.1f));
  all.push_back(test::random_tensor({400, 80}, 7, -0.1f, 0.1f));
  all.push_back(test::random_tensor({400}, 8));
  return all;
}

class WeightsInFile : public ::testing::Test {
 protected:
  WeightsInFile() {
    dir_.write("net-symbol.json", kSymbol);
    write();
  }

  void write() {
    const std::vector<Tensor> all = random_parameters();
    formats::write_params(dir_ / "net-0000.params", {{"arg:conv_weight", all[0]},
                                                     {"arg:bn_gamma", all[1]},
                                                     {"arg:bn_beta", all[2]},
                                                     {"aux:bn_moving_mean", all[3]},
                                                     {"aux:bn_moving_var", all[4]},
                                                     {"arg:up_weight", all[5]},
                                                     {"arg:fc_weight", all[6]},
                                                     {"arg:fc_bias", all[7]}});
  }

  // As a program does that does not replace the file but writes into it.
  void write_into() {
    const std::string path = dir_ / "net-0000.params";
    const auto bytes = read_file(path);
    const auto later = std::filesystem::last_write_time(path) + std::chrono::seconds(1);
    write_file(path, bytes);
    std::filesystem::last_write_time(path, later);
  }

  // Until what changes in the folder is later than the file's last change, by the clock of the file system,
  // which ticks as coarsely as it likes.
  void wait_for_clock_of(const std::string& path) const {
    struct stat changed {};
    ASSERT_EQ(::stat(path.c_str(), &changed), 0);
    for (;;) {
      struct stat now {};
      ASSERT_EQ(::stat(dir_.write("clock").c_str(), &now), 0);
      if (std::pair(now.st_ctim.tv_sec, now.st_ctim.tv_nsec) >
          std::pair(changed.st_ctim.tv_sec, changed.st_ctim.tv_nsec))
        return;
    }
  }

  Model load(bool at_once) {
    LoadOptions options;
    options.read_weights_at_once = at_once;
    return Model::load(dir_ / "net", options);
  }

  test::TempDir dir_;
};

Tensor run(const Predictor& predictor, const Shape& shape) {
  return std::move(predictor.predict({test::random_tensor(shape, 9)})[0]);
}

void expect_equal(const Tensor& a, const Tensor& b) {
  ASSERT_EQ(a.shape(), b.shape());
  EXPECT_EQ(std::memcmp(a.raw(), b.raw(), a.bytes()), 0);
}

TEST_F(WeightsInFile, GiveTheSameBitsAsWeightsInMemory) {
  const auto in_file = load(false), in_memory = load(true);
  for (int threads : {1, 3}) {
    Options options;
    options.threads = threads;
    const Predictor lazy(in_file, options), eager(in_memory, options);
    for (const Shape& shape : {Shape{1, 64, 28, 28}, Shape{7, 64, 5, 4}, Shape{2, 64, 1, 1}})
      expect_equal(run(lazy, shape), run(eager, shape));
  }
}

TEST_F(WeightsInFile, AFileThatIsReplacedOrDeletedChangesNothing) {
  const Shape shape{1, 64, 28, 28};
  const Tensor expected = run(Predictor(load(true)), shape);
  const Predictor replaced(load(false));
  write();  // a new file under the old name
  expect_equal(run(replaced, shape), expected);
  const Predictor deleted(load(false));
  std::filesystem::remove(dir_ / "net-0000.params");
  expect_equal(run(deleted, shape), expected);
}

TEST_F(WeightsInFile, AFileThatIsWrittenToIsAnErrorForWhatHasNotBeenReadOnly) {
  const Shape shape{1, 64, 28, 28};
  Options direct;
  direct.max_winograd_bytes = 0;
  const auto in_file = load(false), in_memory = load(true);
  const Predictor planned(in_file, direct), unplanned(in_file), independent(in_memory);
  const Tensor expected = run(planned, shape);
  write_into();
  expect_equal(run(planned, shape), expected);
  for (int i = 0; i < 2; ++i) {
    EXPECT_MXINFER_ERROR(run(unplanned, shape), ErrorCode::malformed,
                         {"net-0000.params", "modified after", "load the model again"});
  }
  EXPECT_EQ(run(independent, shape).shape(), Shape({1, 400}));
  expect_equal(run(planned, shape), expected);
}

// As `cp -p` and `rsync --inplace --times` do: the size and the time of the last write are those of before.
TEST_F(WeightsInFile, AFileThatIsWrittenToIsAnErrorWhateverTimeIsSet) {
  const Predictor unplanned(load(false));
  const std::string path = dir_ / "net-0000.params";
  const auto time = std::filesystem::last_write_time(path);
  auto bytes = read_file(path);
  std::fill(bytes.begin() + 1000, bytes.begin() + 2000, std::byte{0x3f});
  wait_for_clock_of(path);
  write_file(path, bytes);
  std::filesystem::last_write_time(path, time);
  EXPECT_MXINFER_ERROR(run(unplanned, {1, 64, 28, 28}), ErrorCode::malformed,
                       {"net-0000.params", "modified after", "load the model again"});
}

// What changes a file's names, owner or permissions writes nothing to it.
TEST_F(WeightsInFile, AFileThatIsRenamedLinkedOrProtectedChangesNothing) {
  const Shape shape{1, 64, 28, 28};
  const Tensor expected = run(Predictor(load(true)), shape);
  const std::string path = dir_ / "net-0000.params";
  const Predictor protected_since(load(false)), linked(load(false)), renamed(load(false));
  wait_for_clock_of(path);
  std::filesystem::permissions(path, std::filesystem::perms::owner_read);
  expect_equal(run(protected_since, shape), expected);
  std::filesystem::create_hard_link(path, dir_ / "other-0000.params");
  expect_equal(run(linked, shape), expected);
  std::filesystem::rename(path, dir_ / "old-0000.params");
  expect_equal(run(renamed, shape), expected);
}

}  // namespace
}  // namespace mxinfer
