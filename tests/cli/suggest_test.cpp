// Mistyped names: the command suggests what was meant.
#include <gtest/gtest.h>

#include "cli/run_command.h"

namespace mxinfer::test {
namespace {

TEST(CliSuggest, Commands) {
  expect_usage_error({"predcit", "m"}, {"unknown command 'predcit'; did you mean 'predict'?"});
  expect_usage_error({"Inspect", "m"}, {"unknown command 'Inspect'; did you mean 'inspect'?"});
  expect_usage_error({"un", "m"}, {"did you mean 'unpack'?"});
  expect_usage_error({"help", "clasify"}, {"unknown command 'clasify'; did you mean 'classify'?"});
}

TEST(CliSuggest, Options) {
  expect_usage_error(
      {"classify", digits(), image_path("one.jpg"), "--topk", "3"},
      {"unknown option '--topk' for classify; did you mean '--top-k'?", "mxinfer classify --help"});
  expect_usage_error({"classify", digits(), image_path("one.jpg"), "--presett=raw"},
                     {"'--presett' for classify; did you mean '--preset'?"});
  // A mistyped option may be the one that is missing, so it is reported first.
  expect_usage_error({"predict", digits(), "--inptu", "data=a.npy"},
                     {"unknown option '--inptu' for predict; did you mean '--input'?"});
  expect_usage_error({"predict", digits(), "--frobnicate"}, {"unknown option '--frobnicate' for predict\n"});
  expect_usage_error({"--versoin"}, {"unknown option '--versoin'; did you mean '--version'?"});
}

TEST(CliSuggest, OptionsInFrontOfTheCommand) {
  expect_usage_error({"--json", "inspect", digits()},
                     {"--json must come after the command, as in 'mxinfer inspect ... --json'"});
  expect_usage_error({"--json"}, {"--json must come after the command, as in 'mxinfer COMMAND ... --json'"});
}

TEST(CliSuggest, Values) {
  const auto wrong = [](const std::vector<std::string>& more, const std::vector<std::string>& facts) {
    std::vector<std::string> arguments = {"classify", digits(), image_path("one.jpg")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    expect_usage_error(arguments, facts);
  };
  wrong({"--preset", "imagenot"},
        {"invalid value 'imagenot' for --preset: expected raw, imagenet, ", "; did you mean 'imagenet'?"});
  wrong({"--precision", "bflot16"},
        {"invalid value 'bflot16' for --precision: expected float32, bfloat16, tf32 or float16; did you mean "
         "'bfloat16'?"});
  wrong({"--color", "rbg"}, {"invalid value 'rbg' for --color: expected rgb or bgr; did you mean "});
  wrong({"--resize", "letter-box"}, {"did you mean 'letterbox'?"});
  wrong({"--random", "excute"}, {"did you mean 'execute'?"});
  wrong({"--target", "basline"}, {"for --target: expected ref, baseline", "did you mean 'baseline'?"});
  wrong({"--target", "sse9"}, {"invalid value 'sse9' for --target: expected ref, baseline"});
  wrong({"--describe", "data=1,2:flaot32"}, {"'flaot32' is not a dtype; did you mean 'float32'?"});
  wrong({"--describe", "data=1,2:float32:NC:imge"}, {"'imge' is not a meaning; did you mean 'image'?"});
}

TEST(CliUsage, WhatIsMissingOrTooMuch) {
  expect_usage_error({"pack", digits()}, {"pack requires --output FILE\n"});
  expect_usage_error({"classify", digits(), "--top-k"}, {"missing value for --top-k: expected --top-k N\n"});
  expect_usage_error({"classify", digits(), "a.jpg", "-k", "2", "--top-k", "3"},
                     {"--top-k is given 2 times: pass it only once"});
  expect_usage_error({"classify", digits(), "a.jpg", "-k", "2", "--all"},
                     {"--top-k", "--all", "cannot be used together"});
  expect_usage_error({"classify", digits(), "a.jpg", "--json", "--ndjson"},
                     {"--json", "--ndjson", "cannot be used together"});
}

}  // namespace
}  // namespace mxinfer::test
