// Mistyped names: the command says what was meant.
#include <gtest/gtest.h>

#include "cli/run_command.h"

namespace mxinfer::test {
namespace {

TEST(CliSuggest, Commands) {
  expect_usage_error({"predcit", "m"}, {"no command 'predcit'; did you mean 'predict'?"});
  expect_usage_error({"Inspect", "m"}, {"no command 'Inspect'; did you mean 'inspect'?"});
  expect_usage_error({"un", "m"}, {"did you mean 'unpack'?"});
  expect_usage_error({"help", "clasify"}, {"no command 'clasify'; did you mean 'classify'?"});
}

TEST(CliSuggest, Options) {
  expect_usage_error({"classify", digits(), image_path("one.jpg"), "--topk", "3"},
                     {"classify has no option '--topk'; did you mean '--top-k'?", "mxinfer classify --help"});
  expect_usage_error({"classify", digits(), image_path("one.jpg"), "--presett=raw"},
                     {"'--presett'; did you mean '--preset'?"});
  // Before what else is missing, which may be what the word was to be.
  expect_usage_error({"predict", digits(), "--inptu", "data=a.npy"},
                     {"predict has no option '--inptu'; did you mean '--input'?"});
  expect_usage_error({"predict", digits(), "--frobnicate"}, {"predict has no option '--frobnicate'\n"});
  expect_usage_error({"--versoin"}, {"mxinfer has no option '--versoin'; did you mean '--version'?"});
}

TEST(CliSuggest, OptionsInFrontOfTheCommand) {
  expect_usage_error({"--json", "inspect", digits()},
                     {"--json goes behind the command, as in 'mxinfer inspect ... --json'"});
  expect_usage_error({"--json"}, {"--json goes behind the command, as in 'mxinfer COMMAND ... --json'"});
}

TEST(CliSuggest, Values) {
  const auto wrong = [](const std::vector<std::string>& more, const std::vector<std::string>& facts) {
    std::vector<std::string> arguments = {"classify", digits(), image_path("one.jpg")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    expect_usage_error(arguments, facts);
  };
  wrong({"--preset", "imagenot"},
        {"--preset wants raw, imagenet, ", "got 'imagenot'; did you mean 'imagenet'?"});
  wrong({"--precision", "bflot16"},
        {"--precision wants float32, bfloat16, tf32 or float16, got 'bflot16'; did you mean 'bfloat16'?"});
  wrong({"--color", "rbg"}, {"--color wants rgb or bgr, got 'rbg'; did you mean "});
  wrong({"--resize", "letter-box"}, {"did you mean 'letterbox'?"});
  wrong({"--random", "excute"}, {"did you mean 'execute'?"});
  wrong({"--target", "basline"}, {"--target wants ref, baseline", "did you mean 'baseline'?"});
  wrong({"--target", "sse9"}, {"--target wants ref, baseline", "got 'sse9'\n"});
  wrong({"--describe", "data=1,2:flaot32"}, {"'flaot32' is not a dtype; did you mean 'float32'?"});
  wrong({"--describe", "data=1,2:float32:NC:imge"}, {"'imge' is not a meaning; did you mean 'image'?"});
}

TEST(CliUsage, WhatIsMissingOrTooMuch) {
  expect_usage_error({"pack", digits()}, {"pack wants --output FILE\n"});
  expect_usage_error({"classify", digits(), "--top-k"},
                     {"nothing follows --top-k; it wants a value: --top-k N"});
  expect_usage_error({"classify", digits(), "a.jpg", "-k", "2", "--top-k", "3"},
                     {"--top-k is given 2 times; give it once"});
  expect_usage_error({"classify", digits(), "a.jpg", "-k", "2", "--all"},
                     {"--top-k", "--all", "exclude each other"});
  expect_usage_error({"classify", digits(), "a.jpg", "--json", "--ndjson"},
                     {"--json", "--ndjson", "exclude each other"});
}

}  // namespace
}  // namespace mxinfer::test
