// Invalid command lines exit with 2 and a message; --help and --version exit with 0.
#include <gtest/gtest.h>
#include <mxinfer/version.h>

#include <regex>
#include <set>
#include <string>
#include <vector>

#include "cli/run_command.h"

namespace mxinfer::test {
namespace {

TEST(CliHelp, EveryCommandHasExamples) {
  expect_facts(output_of({"--help"}), {"inspect", "predict", "classify", "detect", "segment", "embed",
                                       "explain", "bench", "fuse", "verify", "diff", "tune", "Examples:"});
  for (const char* command : {"predict", "classify", "detect", "segment", "embed", "explain", "bench",
                              "verify", "diff", "tune", "quantize"}) {
    const std::string help = output_of({command, "--help"});
    expect_facts(help,
                 {"MODEL", "--json", "--epoch", "--threads", "Examples:", std::string("mxinfer ") + command});
  }
}

TEST(CliHelp, ClassifyTellsEveryPreset) {
  expect_facts(output_of({"classify", "--help"}), {"--preset", "raw", "imagenet", "insightface",
                                                   "--resize-short", "--interpolation", "--no-exif"});
}

TEST(CliHelp, VersionIsThatOfTheLibrary) {
  const std::string text = output_of({"--version"});
  EXPECT_EQ(text.substr(0, text.find('\n')), std::string("mxinfer ") + MXINFER_VERSION);
  EXPECT_EQ(output_of({"-V"}), text);
  const BuildInfo build = build_info();
  expect_facts(text, {"commit    " + (build.commit.empty() ? "unknown" : build.commit),
                      "compiler  " + build.compiler, "ref, baseline", "using " + build.best_target});
  const Outcome chosen = run_program({MXINFER_COMMAND, "--version"}, {{"MXINFER_TARGET", "ref"}});
  expect_facts(chosen.out, {"using ref", "MXINFER_TARGET"});
}

TEST(CliUsage, ALimitOfTheInstructionSetIsKept) {
  const Outcome limited = run_program({MXINFER_COMMAND, "--version"}, {{"MXINFER_MAX_ISA", "baseline"}});
  expect_facts(limited.out, {"using baseline", "within MXINFER_MAX_ISA=baseline"});
  const std::vector<std::string> explain = {MXINFER_COMMAND, "explain", digits()};
  EXPECT_NE(run_program(explain, {{"MXINFER_MAX_ISA", "baseline"}}).out.find("[baseline]"),
            std::string::npos);
  const Outcome unknown = run_program(explain, {{"MXINFER_MAX_ISA", "sse9"}});
  EXPECT_EQ(unknown.exit_code, 1);
  expect_facts(unknown.err, {"MXINFER_MAX_ISA is \"sse9\"", "baseline, avx2, avx512, avx512_bf16 or amx"});
}

TEST(CliUsage, OptionsOfRunningAreSetByName) {
  const auto threads = [](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"explain", digits(), "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const std::string out = output_of(words);
    const std::size_t at = out.find("\"threads\": ");
    return at == std::string::npos ? std::string() : out.substr(at + 11, 1);
  };
  EXPECT_EQ(threads({"--set", "threads=1"}), "1");
  EXPECT_EQ(threads({"--set", "threads=1", "--set", "max_plans=4"}), "1");
  EXPECT_EQ(threads({"--set", "threads=2", "--threads", "1"}), "1");  // an option of its own wins
  expect_usage_error({"explain", digits(), "--set", "thread=1"},
                     {"--set: unknown setting 'thread'", "did you mean 'threads'"});
  expect_usage_error({"explain", digits(), "--set", "preset=imagenet"},
                     {"--set: unknown setting 'preset'", "threads, "});
  expect_failure(1, {"explain", digits(), "--set", "outputs=no_such_value"}, {"no_such_value"});
  expect_usage_error({"explain", digits(), "--set", "retries=0"}, {"--set: unknown setting 'retries'"});
  expect_usage_error({"explain", digits(), "--set", "threads"}, {"--set", "NAME=VALUE"});
  expect_usage_error({"explain", digits(), "--set", "threads=many"}, {"--set threads", "'many'"});
}

TEST(CliUsage, ACommandIsWanted) {
  expect_usage_error({}, {"missing command: expected classify, detect, ", "mxinfer --help"});
  expect_usage_error({"clasify", digits()}, {"unknown command 'clasify'; did you mean 'classify'?\n"});
  expect_usage_error({"dance"}, {"unknown command 'dance': expected classify, detect, "});
  expect_usage_error({"--frobnicate"}, {"--frobnicate"});
}

TEST(CliUsage, TheMessageNamesTheHelpOfTheCommand) {
  expect_usage_error({"inspect"}, {"MODEL", "mxinfer inspect --help"});
}

TEST(CliUsage, Inspect) {
  expect_usage_error({"inspect", digits(), "another"},
                     {"unexpected argument 'another': inspect takes MODEL"});
  expect_usage_error({"inspect", digits(), "--nothing"}, {"--nothing"});
  expect_usage_error({"inspect", digits(), "--epoch", "x"}, {"--epoch", "x"});
  expect_usage_error({"inspect", digits(), "--epoch", "-1"}, {"--epoch"});
  expect_usage_error({"explain", digits(), "--threads", "-1"}, {"--threads"});
  expect_usage_error({"explain", digits(), "--threads", "1000000"},
                     {"invalid value '1000000' for --threads: expected a whole number from 0 to "});
  expect_usage_error({"explain", digits(), "--device", "tpu"},
                     {"invalid value 'tpu' for --device: expected cpu, or a GPU: cuda:0, cuda:1, ..."});
  expect_usage_error({"inspect", digits(), "--params", "a.params"}, {"--params"});
}

TEST(CliUsage, Describe) {
  for (const char* text : {"data", "=1,2", "data=", "data=1,x", "data=1,-2", "data=1:float31",
                           "data=1:uint8:N:C", "data=1,,2", "data=99999999999999999999"}) {
    expect_usage_error({"inspect", digits(), "--describe", text}, {"--describe"});
  }
}

TEST(CliUsage, Predict) {
  const std::string model = digits();
  expect_usage_error({"predict", model, "--input", "data=a.npy"}, {"--output"});
  expect_usage_error({"predict", model, "--output", "out"}, {"--input", "NAME=FILE.npy"});
  expect_usage_error({"predict", model, "--input", "a.npy", "--output", "out"},
                     {"--input", "NAME=", "a.npy"});
  expect_usage_error({"predict", model, "a.npy", "--output", "out"}, {"'a.npy' for INPUTS", "NAME=FILE.npy"});
  expect_usage_error({"explain", model, "--shape", "1,3,224,224"}, {"--shape", "NAME=SHAPE"});
  expect_usage_error({"predict", model, "--input", "data=", "--output", "out"}, {"--input", "data="});
  expect_usage_error({"predict", model, "--input", "data=a.npy", "--input", "data=b.npy", "--output", "out"},
                     {"--input", "twice", "data"});
  expect_usage_error(
      {"predict", model, "--input", "data=a.npy", "--epoch", "0", "--params", "x", "--output", "out"},
      {"--epoch", "--params"});
}

TEST(CliUsage, Classify) {
  const std::string model = digits();
  const std::string image = image_path("seven.jpg");
  const auto wrong = [&](const std::vector<std::string>& more, const std::vector<std::string>& facts) {
    std::vector<std::string> arguments = {"classify", model, image};
    arguments.insert(arguments.end(), more.begin(), more.end());
    expect_usage_error(arguments, facts);
  };
  expect_usage_error({"classify", model}, {"IMAGE"});
  wrong({"--top-k", "0"}, {"--top-k"});
  wrong({"--top-k", "-3"}, {"--top-k"});
  wrong({"--top-k", "many"}, {"--top-k", "many"});
  wrong({"--top-k", "2", "--all"}, {"--top-k", "--all"});
  wrong({"--batch-size", "0"}, {"--batch-size"});
  wrong({"--preset", "imagenot"}, {"--preset", "imagenot", "imagenet"});
  wrong({"--resize", "squeeze"}, {"--resize", "squeeze", "letterbox"});
  wrong({"--resize-short", "0"}, {"--resize-short"});
  wrong({"--interpolation", "5"}, {"--interpolation", "5", "lanczos4"});
  wrong({"--color", "cmyk"}, {"--color", "cmyk", "bgr"});
  wrong({"--mean", "1,2"},
        {"invalid value '1,2' for --mean: expected one number for all channels, or three"});
  wrong({"--mean", "1,2,3,4"}, {"--mean", "1,2,3,4"});
  wrong({"--std", "1,a,3"}, {"--std", "1,a,3"});
  wrong({"--std", "nan"}, {"--std", "nan"});
  wrong({"--scale", "1/0"}, {"--scale", "1/0"});
  wrong({"--scale", "big"}, {"--scale", "big"});
  wrong({"--pad-value", "256"}, {"--pad-value"});
  wrong({"--height", "0"}, {"--height"});
  wrong({"--width", "-5"}, {"--width"});
}

/// An option that takes a number, as --help shows it: "--top-k N".
struct NumberOption {
  std::string name, value;
};
std::vector<NumberOption> number_options(const std::string& command) {
  static const std::regex option(R"((--[a-z-]+) (N|X|S|K|MB|N,\.\.\.|X\[,X,X\])(?= |\n))");
  const std::string help = output_of({command, "--help"});
  std::vector<NumberOption> options;
  for (std::sregex_iterator found(help.begin(), help.end(), option), end; found != end; ++found)
    options.push_back({(*found)[1], (*found)[2]});
  return options;
}

/// Values that no option of that kind accepts.
std::vector<std::string> wrong_numbers(const NumberOption& option) {
  std::vector<std::string> texts = {"abc", "1x", "nan", "1e999", "", "0x1g"};
  if (option.value[0] != 'X') texts.insert(texts.end(), {"-1", "-99999999999999999999999", "1e30"});
  if (option.value[0] == 'N' || option.value == "K")
    texts.insert(texts.end(), {"2.5", "99999999999999999999999", "0x10", "+1"});
  return texts;
}

/// A call of the command that is right but for the option.
std::vector<std::string> with_option(const std::string& command, const std::string& name,
                                     const std::string& value) {
  const std::string image = image_path("one.jpg");
  if (command == "quantize")
    return {command, digits(), "--images", image, "--output", "no_folder/x.mxz", name, value};
  return {command, digits(), image, name, value};
}

// The first option of a kind gets all wrong values, the others one each, to run fewer processes.
TEST(CliUsage, EveryNumberSaysWhatItExpects) {
  std::size_t options = 0;
  std::set<std::string> kinds;
  for (const char* command :
       {"inspect", "pack", "unpack", "predict", "classify", "detect", "segment", "embed", "words", "generate",
        "explain", "bench", "sign", "fuse", "verify", "diff", "tune", "quantize"}) {
    for (const NumberOption& option : number_options(command)) {
      ++options;
      std::vector<std::string> texts = wrong_numbers(option);
      if (!kinds.insert(option.value).second) texts = {texts[options % texts.size()]};
      for (const std::string& text : texts) {
        const Outcome outcome = mxinfer(with_option(command, option.name, text));
        EXPECT_EQ(outcome.exit_code, 2)
            << command << ' ' << option.name << ' ' << text << ": " << outcome.err;
        const std::string line = outcome.err.substr(0, outcome.err.find('\n'));
        const std::string begin = "mxinfer: invalid value '" + text + "' for " + option.name + ": expected ";
        EXPECT_EQ(line.rfind(begin, 0), 0u) << line;
        EXPECT_LT(line.size(), 120u) << line;
      }
    }
  }
  EXPECT_GT(options, 40u);
  expect_usage_error({"classify", "m", "i", "--top-k", "0"},
                     {"invalid value '0' for --top-k: expected a whole number of at least 1\n"});
  expect_usage_error({"classify", "m", "i", "--top-k", "2.5"},
                     {"invalid value '2.5' for --top-k: expected a whole number of at least 1\n"});
  expect_usage_error(
      {"classify", "m", "i", "--top-k", "3000000000"},
      {"invalid value '3000000000' for --top-k: expected a whole number from 1 to 2147483647\n"});
  expect_usage_error(
      {"classify", "m", "i", "--seed", "99999999999999999999999"},
      {"invalid value '99999999999999999999999' for --seed: expected a whole number of at least 0\n"});
  expect_usage_error({"classify", "m", "i", "--threads", "-1"},
                     {"invalid value '-1' for --threads: expected a whole number from 0 to "});
  expect_usage_error({"classify", "m", "i", "--pad-value", "256"},
                     {"invalid value '256' for --pad-value: expected a number from 0 to 255\n"});
  expect_usage_error({"bench", "m", "--batch", "2,many"},
                     {"invalid value 'many' for --batch: expected a whole number from 1 to 4096\n"});
  // Numbers are decimal, even with a leading 0.
  const nlohmann::json report = json_of({"classify", digits(), image_path("one.jpg"), "--top-k", "010"});
  EXPECT_EQ(report.at("images")[0].at("classes").size(), 10u);
  expect_usage_error({"explain", digits(), "--threads", "0x10"}, {"invalid value '0x10' for --threads"});
}

TEST(CliUsage, Shapes) {
  for (const char* command : {"explain", "bench"}) {
    for (const char* text : {"data", "data=", "=1,2", "data=1,x", "data=-1,1,32,32", "data=1;2",
                             "data=1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1"}) {
      expect_usage_error({command, digits(), "--shape", text}, {"--shape"});
    }
    expect_usage_error({command, digits(), "--shape", "data=1,1,32,32", "--shape", "data=2,1,32,32"},
                       {"--shape", "twice", "data"});
  }
}

TEST(CliUsage, Bench) {
  expect_usage_error({"bench", digits(), "--seconds", "0"}, {"--seconds"});
  expect_usage_error({"bench", digits(), "--seconds", "soon"}, {"--seconds", "soon"});
  expect_usage_error({"bench", digits(), "--concurrency", "0"}, {"--concurrency"});
  expect_usage_error({"bench", digits(), "--async", "--by-node"},
                     {"--async", "--by-node", "cannot be used together"});
  expect_usage_error({"bench", "--async", "--preset", "end-to-end"}, {"--async", "--preset"});
  expect_usage_error({"bench"}, {"MODEL"});
  expect_usage_error({"bench", "--preset", "sideways"}, {"--preset"});
  expect_usage_error({"bench", "--preset", "end-to-end", "--batch", "0"}, {"--batch"});
}

}  // namespace
}  // namespace mxinfer::test
