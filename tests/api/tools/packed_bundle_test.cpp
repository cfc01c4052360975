// Bundles with packed weights: the same bits, in other programs, after damage, and from other places.
#include <gtest/gtest.h>
#include <mxinfer/model.h>
#include <mxinfer/predictor.h>
#include <mxinfer/tools/bundle.h>
#include <mxinfer/tools/inspect.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/files/atomic_file.h"
#include "formats/archive/archive.h"
#include "formats/archive/zip_writer.h"
#include "model/model_data.h"
#include "support/expect_error.h"
#include "support/files/temp_dir.h"
#include "support/networks/digits.h"
#include "support/run_op.h"
#include "support/same_bits.h"

namespace mxinfer::test {
namespace {

constexpr std::int64_t kBatch = 6;  // enough for dense layers to pack theirs

Tensor images() {
  return random_tensor({kBatch, 1, 32, 32}, 3, 0, 255);
}

Tensor answer(const Model& model, const Options& options = {}) {
  return std::move(Predictor(model, options).predict({images()})[0]);
}

struct Weights {
  std::size_t ready = 0, packed = 0;
};

/// What the model's plans use so far.
Weights weights_of(const Model& model) {
  Weights weights;
  for (const auto& made : api::data_of(model).weights->made())
    ++(made.weight->is_ready() ? weights.ready : weights.packed);
  return weights;
}

Options on(Target target) {
  Options options;
  options.target = target;
  return options;
}

class PackedBundle : public testing::Test {
 protected:
  PackedBundle() { pack({{{}, shapes_}}); }

  void pack(const std::vector<PackedFor>& wanted) const {
    PackOptions options;
    options.packed_for = wanted;
    pack_bundle(kDigits, bundle_, options);
  }

  /// Targets of every CPU but the one that the bundle is packed for.
  std::vector<Target> other_targets() const {
    if (inspect_model(bundle_).packed.at(0).target == "baseline") return {Target::reference};
    return {Target::reference, Target::baseline};
  }

  using Edit = std::function<void(const std::string& name, std::string& bytes)>;

  enum class Members { as_before, deflated, unaligned };

  /// The bundle again with other members, and right checksums; `pad` goes in front of packed weights.
  std::string edited(const Edit& edit, Members how = Members::as_before, const std::string& pad = {}) const {
    const std::string whole = read_file(bundle_);
    const auto source =
        sources::from_memory({reinterpret_cast<const std::byte*>(whole.data()), whole.size()}, "");
    std::string path = dir_ / "edited.mxz";
    AtomicFile file(path);
    formats::ZipWriter zip(file);
    const auto view = [](const std::string& bytes) {
      return Span<const std::byte>(reinterpret_cast<const std::byte*>(bytes.data()), bytes.size());
    };
    for (const formats::ArchiveMember& member : formats::read_archive(*source)) {
      std::string bytes(reinterpret_cast<const char*>(member.bytes.data()), member.bytes.size());
      edit(member.name, bytes);
      const Span<const std::byte> contents = view(bytes);
      if (how != Members::deflated && member.name.ends_with(".bin")) {
        if (how == Members::unaligned) zip.add("pad", view(pad), false);
        zip.add_aligned(member.name, {&contents, 1}, how == Members::unaligned ? 1 : 4096);
      } else {
        zip.add(member.name, contents, how == Members::deflated || member.name.ends_with(".json"));
      }
    }
    zip.finish();
    file.commit();
    return path;
  }

  static Edit replaces(const std::string& member, const std::string& from, const std::string& to) {
    return [=](const std::string& name, std::string& bytes) {
      if (name.ends_with(member)) bytes.replace(bytes.find(from), from.size(), to);
    };
  }

  /// The same bits, from weights that were packed as without the bundle.
  void expect_passed_over(const std::string& path, const std::string& warning = {}) const {
    const Model model = Model::load(path);
    expect_same_bits(answer(model), expected_);
    EXPECT_EQ(weights_of(model).ready, 0U);
    EXPECT_GT(weights_of(model).packed, 0U);
    const auto& warnings = model.warnings();
    EXPECT_EQ(warnings.size(), warning.empty() ? 0U : 1U);
    for (const std::string& line : warnings) EXPECT_NE(line.find(warning), std::string::npos) << line;
  }

  const TempDir dir_;
  const std::string bundle_ = dir_ / "digits.mxz";
  const std::vector<NamedShape> shapes_ = {{"data", {kBatch, 1, 32, 32}}};
  const Tensor expected_ = answer(Model::load(kDigits));
};

TEST_F(PackedBundle, GivesTheSameBitsWithoutPacking) {
  const Model model = Model::load(bundle_);
  EXPECT_EQ(model.warnings(), std::vector<std::string>());
  expect_same_bits(answer(model), expected_);
  EXPECT_GT(weights_of(model).ready, 3U);
  EXPECT_EQ(weights_of(model).packed, 0U);
  EXPECT_EQ(model.labels(), Model::load(kDigits).labels());
}

TEST_F(PackedBundle, OtherShapesPackWhatTheyDoNotShare) {
  const Model model = Model::load(bundle_);
  const Tensor one = random_tensor({1, 1, 32, 32}, 4, 0, 255);
  expect_same_bits(Predictor(model).predict({one})[0], Predictor(Model::load(kDigits)).predict({one})[0]);
  expect_same_bits(answer(model), expected_);
}

TEST_F(PackedBundle, TheSameContentsGiveTheSameBytes) {
  const std::string bytes = read_file(bundle_);
  pack({{{}, shapes_}});
  EXPECT_EQ(read_file(bundle_), bytes);
}

TEST_F(PackedBundle, SharesItsWeightsBetweenThreadsAndPredictors) {
  const Model model = Model::load(bundle_);
  Options options;
  options.threads = 2;
  std::vector<Tensor> answers(4);
  std::vector<std::thread> threads;
  for (Tensor& mine : answers) threads.emplace_back([&] { mine = answer(model, options); });
  for (std::thread& thread : threads) thread.join();
  for (const Tensor& mine : answers) expect_same_bits(mine, expected_);
  EXPECT_EQ(weights_of(model).packed, 0U);
}

TEST_F(PackedBundle, ReleasedWeightsAreThereAgain) {
  const Model model = Model::load(bundle_);
  expect_same_bits(answer(model), expected_);
  EXPECT_GT(api::data_of(model).weights->release_unused(), 0U);
  expect_same_bits(answer(model), expected_);
  EXPECT_EQ(weights_of(model).packed, 0U);
}

TEST_F(PackedBundle, TakesWeightsFromTheFileWithoutACopy) {
  const Model model = Model::load(bundle_);
  expect_same_bits(answer(model), expected_);
  const std::string maps = read_file("/proc/" + std::to_string(::getpid()) + "/maps");
  for (const auto& made : api::data_of(model).weights->made()) {
    const auto address = reinterpret_cast<std::uintptr_t>(made.weight->data());
    bool inside = false;
    for (std::size_t line = maps.find(bundle_); line != std::string::npos;
         line = maps.find(bundle_, line + 1)) {
      const std::size_t begin = maps.rfind('\n', line) + 1;
      const std::uintptr_t first = std::stoull(maps.substr(begin), nullptr, 16);
      const std::uintptr_t last = std::stoull(maps.substr(maps.find('-', begin) + 1), nullptr, 16);
      inside = inside || (first <= address && address < last);
    }
    EXPECT_TRUE(inside) << made.packing;
  }
}

TEST_F(PackedBundle, OtherTargetsAndPrecisionsPackTheirs) {
  const Model model = Model::load(bundle_);
  for (const Target target : other_targets()) {
    expect_same_bits(answer(model, on(target)), answer(Model::load(kDigits), on(target)));
    EXPECT_EQ(weights_of(model).ready, 0U);
  }
  Options halves;
  halves.precision = Precision::bfloat16;
  expect_same_bits(answer(model, halves), answer(Model::load(kDigits), halves));
  EXPECT_EQ(weights_of(model).ready, 0U);
  expect_same_bits(answer(model), expected_);
  EXPECT_GT(weights_of(model).ready, 3U);
}

TEST_F(PackedBundle, MayBePackedForSeveral) {
  Options halves;
  halves.precision = Precision::bfloat16;
  const Target other = other_targets().back();
  pack({{{}, shapes_}, {on(other), shapes_}, {halves, shapes_}, {{}, {{"data", {1, 1, 32, 32}}}}});
  const Inspection report = inspect_model(bundle_);
  ASSERT_EQ(report.packed.size(), 3U);
  EXPECT_EQ(report.packed[1].target, to_string(other));
  EXPECT_EQ(report.packed[2].precision, "bfloat16");
  EXPECT_GT(report.packed[0].bytes, 1000);
  EXPECT_GT(report.packed[0].weights, 3U);
  for (const Options& options : {Options(), on(other), halves}) {
    const Model model = Model::load(bundle_);
    expect_same_bits(answer(model, options), answer(Model::load(kDigits), options));
    EXPECT_EQ(weights_of(model).packed, 0U);
    EXPECT_EQ(weights_of(model).ready > 0, options.target != Target::reference);  // which packs nothing
  }
}

TEST_F(PackedBundle, AnotherLibraryTargetOrGraphIsPassedOver) {
  const std::string target = inspect_model(bundle_).packed.at(0).target;
  const std::string index = "packed/" + target + ".json";
  const auto passed = [&](const std::string& from, const std::string& to) {
    expect_passed_over(edited(replaces(index, from, to)));
  };
  passed("\"library\": \"", "\"library\": \"9");
  passed("\"target\": \"", "\"target\": \"next ");
  passed("\"format\": 1", "\"format\": 2");
  passed("\"graph\": \"", "\"graph\": \"0123456789abcdef\", \"was\": \"");
}

TEST_F(PackedBundle, OfOtherParametersIsPassedOver) {
  // One weight of the network differs: what was packed of the old one would be wrong.
  const auto change = [](const std::string& name, std::string& bytes) {
    if (name == "model.params") bytes[bytes.size() / 2] ^= 1;
  };
  const std::string path = edited(change);
  const Model model = Model::load(path);
  ASSERT_EQ(model.warnings().size(), 1U);
  EXPECT_NE(model.warnings()[0].find("other parameters"), std::string::npos);
  const Tensor other = answer(model);
  EXPECT_EQ(weights_of(model).ready, 0U);
  const auto files = unpack_model(path, dir_ / "net");
  expect_same_bits(other, answer(Model::load(dir_ / "net")));
}

TEST_F(PackedBundle, AnIndexThatDoesNotFitIsWarnedOf) {
  const std::string target = inspect_model(bundle_).packed.at(0).target;
  const std::string index = "packed/" + target + ".json";
  expect_passed_over(edited(replaces(index, "\"offset\": 0", "\"offset\": 32")), "multiple of 64");
  expect_passed_over(edited(replaces(index, "\"data\": \"packed", "\"data\": \"lost")), "not in the archive");
  expect_passed_over(edited(replaces(index, "[", "[7,")), "a weight");
  expect_passed_over(edited(replaces("mxinfer-bundle.json", "packed/params.sums", "synset.txt")),
                     "synset.txt");
  expect_passed_over(edited(replaces("mxinfer-bundle.json", "\"params_bytes\"", "\"bytes\"")),
                     "params_bytes");
  expect_passed_over(edited(replaces("mxinfer-bundle.json", "\"packed\": {", "\"packed\": 7, \"was\": {")),
                     "packed");
  expect_passed_over(edited([](const std::string& name, std::string& bytes) {
                       if (name.ends_with(".bin")) bytes.resize(bytes.size() / 2);
                     }),
                     "ends at byte");
}

TEST_F(PackedBundle, ThatAnotherProgramCompressedIsPassedOver) {
  expect_passed_over(edited([](const std::string&, std::string&) {}, Members::deflated), "compressed");
}

TEST_F(PackedBundle, WhereItIsNotAlignedItIsPassedOver) {
  std::size_t passed_over = 0;
  for (const char* pad : {"", "x"}) {  // one of them puts the weights at an odd byte
    const Model model = Model::load(edited([](const std::string&, std::string&) {}, Members::unaligned, pad));
    expect_same_bits(answer(model), expected_);
    if (weights_of(model).ready == 0) ++passed_over;
  }
  EXPECT_GT(passed_over, 0U);
}

TEST_F(PackedBundle, DamagedWeightsArePackedAgain) {
  std::string bytes = read_file(bundle_);
  const std::size_t begin = bytes.find("packed/" + inspect_model(bundle_).packed.at(0).target + ".bin");
  const std::size_t data = (begin / 4096 + 1) * 4096;
  const auto size = static_cast<std::size_t>(inspect_model(bundle_).packed.at(0).bytes);
  for (std::size_t i = 0; i < 16; ++i) {
    std::string damaged = bytes;
    const std::size_t at = data + i * size / 16 + i % 64;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << (i % 8)));
    const Model model = Model::load(dir_.write("damaged.mxz", damaged));
    expect_same_bits(answer(model), expected_);
    expect_same_bits(answer(model), expected_);
  }
}

TEST_F(PackedBundle, DamagedParametersAreAnErrorWhereTheyAreRead) {
  const std::string whole = read_file(bundle_);
  const std::string params = read_file(kDigits + "/digits-0000.params");
  const std::size_t begin = whole.find(params);
  ASSERT_NE(begin, std::string::npos);
  for (std::size_t i = 0; i < 24; ++i) {
    std::string damaged = whole;
    const std::size_t at = begin + i * params.size() / 24;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    try {
      // Weights of which the packed form is whole are not read.
      expect_same_bits(answer(Model::load(dir_.write("damaged.mxz", damaged))), expected_);
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::malformed) << e.what();
    }
    EXPECT_MXINFER_ERROR(unpack_model(dir_ / "damaged.mxz", dir_ / "net"), ErrorCode::malformed,
                         {"model.params", "CRC-32"});
  }
}

TEST_F(PackedBundle, CutAnywhereItIsAnErrorOrComputesTheSame) {
  const std::string whole = read_file(bundle_);
  for (std::size_t i = 0; i < 24; ++i)
    EXPECT_THROW((void)Model::load(dir_.write("cut.mxz", whole.substr(0, whole.size() * i / 24))), Error)
        << i;
}

TEST_F(PackedBundle, ACutAfterLoadingIsPassedOver) {
  const std::string copy = dir_.write("copy.mxz", read_file(bundle_));
  const Model model = Model::load(copy);
  std::filesystem::resize_file(copy, 1000);
  EXPECT_MXINFER_ERROR(answer(model), ErrorCode::malformed, {"copy.mxz"});
}

TEST_F(PackedBundle, AReplacedFileDoesNotMatter) {
  const std::string copy = dir_.write("copy.mxz", read_file(bundle_));
  const Model model = Model::load(copy);
  std::filesystem::rename(dir_.write("other", "nothing"), copy);
  expect_same_bits(answer(model), expected_);
  EXPECT_GT(weights_of(model).ready, 3U);
}

TEST_F(PackedBundle, FromMemoryOrReadAtOnceItIsPassedOver) {
  std::string bytes = read_file(bundle_);
  const Model model = Model::load_archive(bytes);
  std::fill(bytes.begin(), bytes.end(), 'x');
  expect_same_bits(answer(model), expected_);
  EXPECT_EQ(weights_of(model).ready, 0U);
  LoadOptions at_once;
  at_once.read_weights_at_once = true;
  const Model read = Model::load(bundle_, at_once);
  dir_.write("digits.mxz", "gone");
  expect_same_bits(answer(read), expected_);
  EXPECT_EQ(weights_of(read).ready, 0U);
}

TEST_F(PackedBundle, OtherNetworksOfTheBundleAreNotConfused) {
  // A value inside the network leads to other graphs, with the same parameters.
  LoadOptions inner;
  inner.outputs = {"digits_conv0_fwd_output"};
  const Model model = Model::load(bundle_, inner);
  expect_same_bits(answer(model), answer(Model::load(kDigits, inner)));
  EXPECT_EQ(weights_of(model).ready, 0U);
}

TEST_F(PackedBundle, IsUnpackedAsAnyOther) {
  EXPECT_EQ(unpack_model(bundle_, dir_ / "net").size(), 3U);
  EXPECT_EQ(read_file(dir_ / "net-symbol.json"), read_file(kDigits + "/digits-symbol.json"));
  EXPECT_EQ(read_file(dir_ / "net-0000.params"), read_file(kDigits + "/digits-0000.params"));
}

TEST_F(PackedBundle, WhatCannotBePackedIsSaid) {
  PackOptions options;
  options.packed_for.emplace_back();
  options.packed_for[0].options.device = "cuda:0";
  EXPECT_MXINFER_ERROR(pack_bundle(kDigits, dir_ / "x.mxz", options), ErrorCode::invalid_argument,
                       {"for the CPU", "cuda:0"});
  options.packed_for[0].options.device = "cpu";
  options.packed_for[0].shapes = {{"data", {1, 2, 3}}};
  EXPECT_THROW(pack_bundle(kDigits, dir_ / "x.mxz", options), Error);
  EXPECT_FALSE(std::filesystem::exists(dir_ / "x.mxz"));
}

}  // namespace
}  // namespace mxinfer::test
