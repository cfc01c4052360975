// Messages of the command name its options, not C++ identifiers.
#include "cli/output/command_words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <regex>

#include "cli/run_command.h"
#include "support/files/temp_dir.h"
#include "support/networks/tiny_models.h"
#include "support/run_op.h"
#include "tensor/npy.h"

namespace mxinfer::test {
namespace {

namespace fs = std::filesystem;

TEST(CommandWords, OptionsInPlaceOfMembers) {
  using cli::in_command_words;
  EXPECT_EQ(in_command_words("Options::precision is \"bf16\""), "--precision is \"bf16\"");
  EXPECT_EQ(in_command_words("describe it in LoadOptions::inputs if need be"),
            "describe it in --describe if need be");
  EXPECT_EQ(in_command_words("give ImageOptions::height and width (--height and --width), such as 224"),
            "give --height and --width, such as 224");
  EXPECT_EQ(in_command_words("with LoadOptions::load_transforms = false (--no-transforms)"),
            "with --no-transforms");
  EXPECT_EQ(in_command_words("set LoadOptions::random_transforms (--random of the command) to identity"),
            "set --random to identity");
  EXPECT_EQ(in_command_words(
                "by renaming. LoadOptions::read_weights_at_once makes a model independent of its file"),
            "by renaming");
  EXPECT_EQ(in_command_words("raise RemoteOptions::max_redirects; S3Options::region names another"),
            "raise --remote max_redirects; --remote s3_region names another");
  EXPECT_EQ(in_command_words("for a public bucket, set S3Options::anonymous"),
            "for a public bucket, give --remote s3_anonymous=true");
  EXPECT_EQ(in_command_words("with S3Options::endpoint and not with path_style = false"),
            "with --remote s3_endpoint and not s3_path_style=false");
  EXPECT_EQ(in_command_words("Looked at: S3Options, AWS_ACCESS_KEY_ID"), "Looked at: AWS_ACCESS_KEY_ID");
  EXPECT_EQ(in_command_words("HdfsOptions::user names another; HdfsOptions::kerberos takes a ticket"),
            "--remote hdfs_user names another; --remote hdfs_kerberos=true takes a ticket");
  EXPECT_EQ(in_command_words("HADOOP_TOKEN or HdfsOptions::delegation_token; S3Options::session_token"),
            "HADOOP_TOKEN; AWS_SESSION_TOKEN")
      << "--remote takes no secrets";
  EXPECT_EQ(in_command_words("MyOptions::target is mine, Options::targets too"),
            "MyOptions::target is mine, Options::targets too");
}

/// Names without an option in the command. The command never uses them, so no user reads such messages. One
/// is in the description of an operator that passes create.
constexpr auto kNeverSaid = std::to_array<const char*>({"LoadOptions::read_weights_at_once before the fork",
                                                        "AsyncOptions::workers",
                                                        "AsyncOptions::max_in_flight",
                                                        "kernels::Activation",
                                                        "DetectorOptions::units",
                                                        "DetectOptions::max_detections",
                                                        "DetectOptions::score_threshold",
                                                        "DecodeOptions::scale_denominator",
                                                        "Options::max_memory_bytes",
                                                        "Options::max_device_memory_bytes",
                                                        "Options::idle_limit",
                                                        "AsyncOptions::max_batch",
                                                        "AsyncOptions::max_delay",
                                                        "DetectorOptions::decoder",
                                                        "DetectOptions::nms",
                                                        "DetectOptions::class_thresholds",
                                                        "NmsOptions::height",
                                                        "KeypointOptions::preprocess",
                                                        "PoseOptions::box_scale",
                                                        "PoseOptions::classes",
                                                        "PoseOptions::max_objects",
                                                        "use ResizePolicy::stretch",
                                                        "EmbedderOptions::preprocess",
                                                        "ResizePolicy::short_side_crop",
                                                        "Interpolation::nearest",
                                                        "DrawOptions::line_width",
                                                        "DrawOptions::text_scale",
                                                        "GenerateOptions::stop",
                                                        "Tensor::copy_of",
                                                        "GeneratorOptions::pad_value",
                                                        "SequenceOptions::height",
                                                        "SequenceOptions::max_batch",
                                                        "SequenceOptions::states",
                                                        "TextOptions::height",
                                                        "GenerateOptions::height",
                                                        "GeneratorOptions::height",
                                                        "GenerateOptions ask for",
                                                        "use Session::set_states",
                                                        "SequencePredictor::step",
                                                        "CtcOptions::height",
                                                        "CtcOptions::blank",
                                                        "CtcOptions::lengths",
                                                        "CtcOptions::labels",
                                                        "CtcOptions::scores",
                                                        "CtcBeamOptions::beam_width",
                                                        "CtcBeamOptions::best",
                                                        "DType::float32, \"NTC"});

/// The string literals of a source file; adjacent ones are joined.
std::vector<std::string> literals_of(const std::string& source) {
  std::vector<std::string> literals;
  std::string literal;
  bool open = false, joined = false;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const char c = source[i];
    if (open) {
      if (c == '\\' && i + 1 < source.size()) {
        literal += source[++i];
      } else if (c == '"') {
        open = false;
        joined = true;
      } else {
        literal += c;
      }
    } else if (source.compare(i, 2, "//") == 0) {
      i = std::min(source.find('\n', i), source.size());
    } else if (c == '"' && (i == 0 || source[i - 1] != '\'')) {
      if (!joined) literal.clear();
      open = true;
    } else if (joined && c != ' ' && c != '\n') {
      literals.push_back(literal);
      joined = false;
    }
  }
  return literals;
}

// If this fails for a new message, add its names to src/cli/output/command_words.cpp.
TEST(CommandWords, EveryMessageOfTheLibraryIsTranslated) {
  // A C++ name, but not the end of an IPv6 address.
  static const std::regex cpp(R"((^|[^:\w])[A-Za-z]\w*::\w*|\b[A-Z]\w*Options\b)");
  int messages = 0;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(MXINFER_SOURCE_DIR) / "src")) {
    const std::string path = entry.path().string();
    const bool is_source = entry.path().extension() == ".cpp" || entry.path().extension() == ".h";
    if (!is_source || path.find("/src/cli/") != std::string::npos) continue;
    for (std::string literal : literals_of(read_file(path))) {
      if (!std::regex_search(literal, cpp)) continue;
      if (literal.size() > 2 && literal.substr(literal.size() - 2) == "::")
        literal += "height";  // what follows is told apart
      ++messages;
      for (const char* member : kNeverSaid) {
        const std::size_t at = literal.find(member);
        if (at != std::string::npos) literal.erase(at, std::string(member).size());
      }
      const std::string said = cli::in_command_words(literal);
      EXPECT_FALSE(std::regex_search(said, cpp)) << path << ": " << said;
    }
  }
  EXPECT_GT(messages, 20);
}

TEST(CommandWords, TheCommandSaysThem) {
  const TempDir dir;
  const std::string image = image_path("one.jpg");
  expect_user_error({"classify", digits(), image, "--labels", dir.write("three.txt", "a\nb\nc\n")},
                    {"or --labels)"});
  dir.write("means-symbol.json", channel_means_json(""));
  for (const bool json : {false, true}) {
    std::vector<std::string> arguments = {"classify", dir / "means", image, "--describe", "data=-1,3,-1,-1"};
    if (json) arguments.emplace_back("--json");
    const Outcome outcome = mxinfer(arguments);
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ((outcome.out + outcome.err).find("::"), std::string::npos) << outcome.out << outcome.err;
    expect_facts(outcome.out + outcome.err, {"--height"});
  }
}

}  // namespace
}  // namespace mxinfer::test
