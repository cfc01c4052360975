// Invalid files and arguments exit with 1 and one message that names them, never with a crash.
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <initializer_list>

#include "cli/run_command.h"
#include "plan/schedule/machine.h"
#include "support/files/temp_dir.h"
#include "support/run_op.h"
#include "tensor/npy.h"

namespace mxinfer::test {
namespace {

/// The numbers in little-endian bytes.
std::string u64(std::initializer_list<std::uint64_t> numbers) {
  std::string bytes;
  for (std::uint64_t number : numbers) {
    for (int shift = 0; shift < 64; shift += 8) bytes += static_cast<char>(number >> shift & 255);
  }
  return bytes;
}

std::string big_endian(std::uint32_t number) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift & 255);
  return bytes;
}

std::uint32_t crc32(const std::string& bytes) {
  std::uint32_t crc = 0xffffffff;
  for (char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xedb88320u : 0);
  }
  return ~crc;
}

/// The beginning of a grey PNG with these sides in its header.
std::string png_header(std::uint32_t width, std::uint32_t height) {
  const std::string header = "IHDR" + big_endian(width) + big_endian(height) + std::string("\x08\0\0\0\0", 5);
  return "\x89PNG\r\n\x1a\n" + big_endian(13) + header + big_endian(crc32(header));
}

class CliBadInput : public testing::Test {
 protected:
  std::string save(const std::string& name, const TensorView& tensor) const {
    save_npy(dir / name, tensor);
    return dir / name;
  }
  void expect_predict_error(const std::vector<std::string>& inputs,
                            const std::vector<std::string>& facts) const {
    std::vector<std::string> arguments = {"predict", digits(), "--output", dir / "out"};
    for (const std::string& input : inputs) arguments.insert(arguments.end(), {"--input", input});
    expect_user_error(arguments, facts);
    EXPECT_FALSE(std::filesystem::exists(dir / "out/0.npy"));
  }
  TempDir dir;
};

TEST_F(CliBadInput, AModelThatIsNotThere) {
  for (const char* command : {"inspect", "explain", "bench"}) {
    expect_user_error({command, dir / "nowhere"}, {dir / "nowhere"});
  }
  expect_user_error({"bench", dir / "nowhere", "--preset", "end-to-end"}, {dir / "nowhere"});
  expect_user_error({"classify", dir / "nowhere", image_path("one.jpg")}, {dir / "nowhere"});
  expect_user_error({"inspect", dir.path()}, {dir.path()});
  expect_user_error({"inspect", digits(), "--epoch", "7"}, {"7"});
}

TEST_F(CliBadInput, ADamagedModel) {
  const std::string symbol = read_file(digits() + "/digits-symbol.json");
  const std::string params = read_file(digits() + "/digits-0000.params");
  dir.write("net-0000.params", params);
  dir.write("net-symbol.json", symbol.substr(0, symbol.size() / 2));
  expect_user_error({"inspect", dir / "net"}, {"net-symbol.json"});
  dir.write("net-symbol.json", "[1, 2, 3]");
  expect_user_error({"inspect", dir / "net"}, {"net-symbol.json"});
  dir.write("net-symbol.json", "");
  expect_user_error({"inspect", dir / "net"}, {"net-symbol.json"});
  dir.write("net-symbol.json", symbol);
  dir.write("net-0000.params", params.substr(0, params.size() / 2));
  expect_user_error({"inspect", dir / "net"}, {"net-0000.params"});
  dir.write("net-0000.params", "no parameters at all");
  expect_user_error({"inspect", dir / "net"}, {"net-0000.params"});
}

TEST_F(CliBadInput, AGraphThatRefersForwards) {
  dir.write("loop-symbol.json", R"({"nodes": [
      {"op": "null", "name": "data", "inputs": []},
      {"op": "relu", "name": "first", "inputs": [[2, 0, 0]]},
      {"op": "relu", "name": "second", "inputs": [[1, 0, 0]]}],
    "arg_nodes": [0], "heads": [[2, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})");
  expect_user_error({"inspect", dir / "loop"}, {"loop-symbol.json", "first"});
}

TEST_F(CliBadInput, ParametersThatAreNotThoseOfTheNetwork) {
  std::filesystem::copy(digits() + "/digits-symbol.json", dir / "net-symbol.json");
  dir.write("net-0000.params", u64({0x112, 0, 0, 0}));
  expect_user_error({"explain", dir / "net"}, {"digits_conv0_weight"});
  dir.write("net-0000.params", u64({0x112, 0, std::uint64_t{1} << 60}));
  expect_user_error({"explain", dir / "net"}, {"net-0000.params"});
}

TEST_F(CliBadInput, AnInputOfTheWrongNameOrCount) {
  const std::string good = save("good.npy", Tensor(DType::float32, {1, 1, 32, 32}));
  expect_predict_error({"image=" + good}, {"data"});
  expect_predict_error({"data=" + good, "more=" + good}, {"more"});
}

TEST_F(CliBadInput, AnInputOfTheWrongShapeOrType) {
  expect_predict_error({"data=" + save("flat.npy", Tensor(DType::float32, {1, 1024}))},
                       {"data", "(1, 1024)"});
  expect_predict_error({"data=" + save("colour.npy", Tensor(DType::float32, {1, 3, 32, 32}))},
                       {"data", "(1, 3, 32, 32)"});
  expect_predict_error({"data=" + save("double.npy", Tensor(DType::float64, {1, 1, 32, 32}))},
                       {"data", "float64", "float32"});
}

TEST_F(CliBadInput, AnArrayThatIsNone) {
  expect_predict_error({"data=" + (dir / "missing.npy")}, {"missing.npy"});
  expect_predict_error({"data=" + dir.write("text.npy", "hello")}, {"text.npy"});
  const std::string bytes = read_file(save("whole.npy", Tensor(DType::float32, {1, 1, 32, 32})));
  expect_predict_error({"data=" + dir.write("cut.npy", bytes.substr(0, bytes.size() - 1))}, {"cut.npy"});
  expect_predict_error({"data=" + dir.path()}, {dir.path()});
}

TEST_F(CliBadInput, AnOutputThatIsNone) {
  const std::string good = save("good.npy", Tensor(DType::float32, {1, 1, 32, 32}));
  expect_user_error(
      {"predict", digits(), "--input", "data=" + good, "--layer", "fc9", "--output", dir / "out"}, {"fc9"});
}

TEST_F(CliBadInput, AFolderThatCannotBeMade) {
  const std::string good = save("good.npy", Tensor(DType::float32, {1, 1, 32, 32}));
  const std::string taken = dir.write("taken", "a file");
  expect_user_error({"predict", digits(), "--input", "data=" + good, "--output", taken}, {"--output", taken});
  expect_user_error({"predict", digits(), "--input", "data=" + good, "--output", taken + "/below"},
                    {"--output", taken});
}

// Commands that write files create the folder, as predict does.
TEST_F(CliBadInput, FoldersAreMadeOrTheirOptionIsNamed) {
  const std::string bundle = std::string(MXINFER_SOURCE_DIR) + "/models/digits.mxz";
  const std::vector<std::vector<std::string>> writers = {
      {"sign", digits(), "--output"}, {"pack", digits(), "--output"},
      {"unpack", bundle, "--output"}, {"fuse", "--network", digits(), "--output"},
      {"tune", digits(), "--output"},
  };
  const std::string taken = dir.write("taken", "a file");
  for (std::vector<std::string> arguments : writers) {
    SCOPED_TRACE(arguments[0]);
    const std::string option = arguments.back();
    const std::string folder = dir / (arguments[0] + "/deep");
    arguments.push_back(folder + "/model.mxz");
    output_of(arguments);
    EXPECT_TRUE(std::filesystem::is_directory(folder));
    EXPECT_FALSE(std::filesystem::is_empty(folder));
    arguments.back() = taken + "/below/model.mxz";
    expect_user_error(arguments, {option, taken + "/below"});
  }
}

TEST_F(CliBadInput, AShapeThatDoesNotFit) {
  for (const char* command : {"explain", "bench"}) {
    expect_user_error({command, digits(), "--shape", "image=1,1,32,32"}, {"image", "data"});
    expect_user_error({command, digits(), "--shape", "data=1,1,32"}, {"data", "(1, 1, 32)"});
    expect_user_error({command, digits(), "--shape", "data=1,3,32,32"}, {"data", "(1, 3, 32, 32)"});
  }
}

TEST_F(CliBadInput, AnInputWithoutAShape) {
  dir.write("open-symbol.json", R"({"nodes": [
      {"op": "null", "name": "data", "inputs": []},
      {"op": "Activation", "name": "act", "attrs": {"act_type": "relu"}, "inputs": [[0, 0, 0]]}],
    "arg_nodes": [0], "heads": [[1, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})");
  for (const char* command : {"explain", "bench"}) {
    expect_user_error({command, dir / "open", "--describe", "data=-1,7,-1,-1"},
                      {"data", "(-1, 7, -1, -1)", "--shape data=1,7,224,224"});
  }
  json_of({"explain", dir / "open", "--describe", "data=-1,7,-1,-1", "--shape", "data=1,7,8,8"});
}

TEST_F(CliBadInput, ATargetThatTheCpuLacks) {
  const Outcome lacks = run_program({MXINFER_COMMAND, "explain", digits(), "--target", "avx512"},
                                    {{"MXINFER_MAX_ISA", "baseline"}});
  EXPECT_EQ(lacks.exit_code, 1);
  expect_facts(lacks.err, {"--target asks for avx512", "lacks", "the best it has is baseline"});
  expect_usage_error({"explain", digits(), "--target", "avx9000"},
                     {"invalid value 'avx9000' for --target: expected ref"});
}

TEST_F(CliBadInput, LabelsThatDoNotFit) {
  const std::string image = image_path("one.jpg");
  expect_user_error({"classify", digits(), image, "--labels", dir / "none.txt"}, {dir / "none.txt"});
  expect_user_error({"classify", digits(), image, "--labels", dir.write("empty.txt", "\n\n")},
                    {dir / "empty.txt", "label"});
  expect_user_error({"classify", digits(), image, "--labels", dir.write("three.txt", "a\nb\nc\n")},
                    {"3", "10"});
}

TEST_F(CliBadInput, ImagesThatCannotBeReadAreNamedAndTheOthersClassified) {
  const std::string text = dir.write("text.jpg", "no image");
  const std::string jpeg = read_file(image_path("five.jpg"));
  const std::string cut_jpeg = dir.write("cut.jpg", jpeg.substr(0, jpeg.size() / 2));
  const std::string png = read_file(image_path("four.png"));
  const std::string cut_png = dir.write("cut.png", png.substr(0, png.size() / 2));
  const std::string empty = dir.write("empty.png", "");
  std::filesystem::create_directory(dir / "no images");
  const std::vector<std::string> bad = {
      text, cut_jpeg, cut_png, empty, dir / "missing.png", dir / "no images"};

  std::vector<std::string> arguments = {"classify", digits(), image_path("three.jpg")};
  arguments.insert(arguments.end(), bad.begin(), bad.end());
  arguments.push_back(image_path("zero.png"));
  const Outcome outcome = mxinfer(arguments);
  EXPECT_EQ(outcome.exit_code, 1);
  expect_facts(outcome.err, bad);
  expect_facts(outcome.out, {"three.jpg\n", "  three\n", "zero.png\n", "  zero\n"});

  arguments.emplace_back("--json");
  const Outcome as_json = mxinfer(arguments);
  EXPECT_EQ(as_json.exit_code, 1);
  const nlohmann::json images = nlohmann::json::parse(as_json.out).at("images");
  ASSERT_EQ(images.size(), bad.size() + 2);
  EXPECT_EQ(images[0].at("classes")[0].at("label"), "three");
  EXPECT_EQ(images[1].at("error").at("code"), "malformed");
  EXPECT_EQ(images[5].at("error").at("code"), "not_found");
  EXPECT_EQ(images.back().at("classes")[0].at("label"), "zero");
}

TEST_F(CliBadInput, ImagesOfImpossibleSizes) {
  for (const auto& [width, height] : {std::pair(0u, 0u), std::pair(0u, 9u), std::pair(100000u, 100000u)}) {
    const std::string image = dir.write("sides.png", png_header(width, height));
    expect_user_error({"classify", digits(), image}, {image});
  }
}

TEST_F(CliBadInput, StandardOutputThatCannotBeWritten) {
  const Outcome outcome = run_program(
      {"/bin/sh", "-c", "exec \"$0\" inspect \"$1\" --json > /dev/full", MXINFER_COMMAND, digits()});
  EXPECT_EQ(outcome.exit_code, 1);
  expect_facts(outcome.err, {"mxinfer: ", "standard output"});
}

#if !defined(__SANITIZE_ADDRESS__)
// Limits in kilobytes, from too little to load the program to plenty. In between, the system refuses threads
// and memory.
TEST_F(CliBadInput, LimitsOfMemory) {
  bool thread_refused = false, done = false;
  for (int limit = 12000; limit <= 400000 && !done; limit += limit < 120000 ? 2000 : 20000) {
    const Outcome outcome =
        run_program({"/bin/sh", "-c", "ulimit -v $2; exec \"$0\" classify \"$1\" \"$3\" --threads 2",
                     MXINFER_COMMAND, digits(), std::to_string(limit), image_path("seven.jpg")});
    done = outcome.exit_code == 0;
    if (done || outcome.err.find("mxinfer: ") != 0) continue;  // the system could not start it
    EXPECT_EQ(outcome.exit_code, 1) << limit << ": " << outcome.err;
    EXPECT_EQ(outcome.err.find("please report"), std::string::npos) << limit << ": " << outcome.err;
    thread_refused |= outcome.err.find("could not start one") != std::string::npos;
  }
  EXPECT_TRUE(done);
  // With one core no thread is started.
  EXPECT_EQ(thread_refused, plan::usable_cores() > 1);
}
#endif

TEST_F(CliBadInput, AModelOfTextsIsNotForImages) {
  expect_user_error(
      {"classify", std::string(MXINFER_SOURCE_DIR) + "/models/language_id", image_path("seven.jpg")},
      {"the model takes texts", "use mxinfer classify-text"});
}

}  // namespace
}  // namespace mxinfer::test
