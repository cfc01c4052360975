// mxinfer classify on lists, folders and standard input, and its NDJSON output.
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "cli/run_command.h"
#include "support/files/temp_dir.h"

namespace mxinfer::test {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

std::vector<Json> documents_of_lines(const std::string& text) {
  std::vector<Json> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(Json::parse(line, nullptr, false));
    EXPECT_FALSE(lines.back().is_discarded()) << line;
  }
  return lines;
}

std::vector<std::string> images_of(const std::vector<Json>& lines) {
  std::vector<std::string> images;
  for (const Json& line : lines) images.push_back(line.at("image"));
  return images;
}

std::string golden_image(const std::string& name) {
  return std::string(MXINFER_SOURCE_DIR) + "/tests/golden/image/" + name;
}

/// Networks without weights, which turn pixels into rows of detections and into a map per class.
constexpr const char* kRows = R"json({"nodes": [
    {"op": "null", "name": "data", "attrs": {"__shape__": "(0, 3, 10, 20)"}, "inputs": []},
    {"op": "Reshape", "name": "out", "attrs": {"shape": "(0, -1, 6)"}, "inputs": [[0, 0, 0]]}],
    "arg_nodes": [0], "heads": [[1, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";
constexpr const char* kMap = R"json({"nodes": [
    {"op": "null", "name": "data", "attrs": {"__shape__": "(0, 3, 10, 20)"}, "inputs": []},
    {"op": "_copy", "name": "out", "inputs": [[0, 0, 0]]}],
    "arg_nodes": [0], "heads": [[1, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";

/// `script` in bash, with the command and the bundled model as $0 and $1.
Outcome shell(const std::string& script, const std::string& folder) {
  return run_program({"/bin/bash", "-c", script, MXINFER_COMMAND, digits(), folder});
}

/// A folder with images and other things.
class CliImageList : public testing::Test {
 protected:
  CliImageList() {
    fs::create_directories(dir / "photos/deeper.png");
    for (const auto& [from, to] :
         {std::pair("two.png", "b.PNG"), {"one.jpg", "a.jpg"}, {"three.jpg", "c.jpeg"}})
      fs::copy(image_path(from), dir / ("photos/" + std::string(to)));
    fs::copy(image_path("four.png"), dir / "photos/.hidden.png");
    dir.write("photos/notes.txt", "no image");
  }
  std::string photo(const std::string& name) const { return dir / ("photos/" + name); }
  const TempDir dir;
};

/// Expects the same result for an image on standard input as for its file, except the name.
void expect_like_file(const std::string& command, const std::string& file) {
  const Outcome from_file = shell("\"$0\" " + command + " '" + file + "' --json", "");
  const Outcome piped = shell("cat '" + file + "' | \"$0\" " + command + " - --json", "");
  ASSERT_EQ(from_file.exit_code, 0) << from_file.err;
  ASSERT_EQ(piped.exit_code, 0) << piped.err;
  Json expected = Json::parse(from_file.out), found = Json::parse(piped.out);
  EXPECT_EQ(found.at("images").at(0).at("image"), "-");
  expected.at("images").at(0).erase("image");
  found.at("images").at(0).erase("image");
  EXPECT_EQ(found, expected) << command << " " << file;
}

TEST_F(CliImageList, AnImageOnStandardInputIsTakenAsOne) {
  for (const std::string name :
       {"rgba.png", "rgb_16bit.png", "palette_trns.png", "grey.png", "cmyk.jpg", "exif6.jpg"})
    expect_like_file("classify \"$1\"", golden_image(name));
  expect_like_file("embed \"$1\"", image_path("seven.jpg"));
  dir.write("rows-symbol.json", kRows);
  expect_like_file("detect '" + (dir / "rows") + "'", image_path("seven.jpg"));
  dir.write("map-symbol.json", kMap);
  expect_like_file("segment '" + (dir / "map") + "'", image_path("seven.jpg"));
}

TEST_F(CliImageList, AnImageOnStandardInputMayComeSlowlyAndAmongOthers) {
  const Outcome slow = shell("(head -c 2 " + image_path("seven.jpg") + "; sleep 0.2; tail -c +3 " +
                                 image_path("seven.jpg") + ") | \"$0\" classify \"$1\" '" + photo("a.jpg") +
                                 "' - '" + photo("b.PNG") + "' --ndjson -k 1",
                             "");
  ASSERT_EQ(slow.exit_code, 0) << slow.err;
  const std::vector<Json> lines = documents_of_lines(slow.out);
  EXPECT_EQ(images_of(lines), (std::vector<std::string>{photo("a.jpg"), "-", photo("b.PNG")}));
  EXPECT_EQ(lines.at(1).at("classes").at(0).at("label"), "seven");
}

TEST_F(CliImageList, AnImageOnStandardInputThatIsWrongIsNamed) {
  const Outcome cut = shell("head -c 300 " + image_path("seven.jpg") + " | \"$0\" classify \"$1\" -", "");
  EXPECT_EQ(cut.exit_code, 1);
  expect_facts(cut.err, {"mxinfer: standard input: JPEG", "cut short"});
  const Outcome gif = shell("printf 'GIF89a\\001\\000\\001\\000' | \"$0\" classify \"$1\" --from -", "");
  EXPECT_EQ(gif.exit_code, 1);
  expect_facts(gif.err, {"standard input", "GIF", "convert it to JPEG or PNG"});
  const Outcome file = shell("\"$0\" classify \"$1\" --from " + image_path("seven.jpg"), "");
  EXPECT_EQ(file.exit_code, 1);
  expect_facts(file.err, {"--from", "seven.jpg' is an image, expected a list of images; pass it as IMAGE"});
}

TEST_F(CliImageList, APictureOfStandardInputHasAName) {
  dir.write("rows-symbol.json", kRows);
  const std::string drawn = dir / "drawn";
  const Outcome outcome = shell("\"$0\" detect '" + (dir / "rows") +
                                    "' - --output-dir \"$2\" --threshold 0 < " + image_path("seven.jpg"),
                                drawn);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(fs::exists(drawn + "/standard-input.png"));
}

TEST_F(CliImageList, AFolderStandsForItsImages) {
  const Json report = json_of({"classify", digits(), dir / "photos", image_path("nine.jpg"), "-k", "1"});
  ASSERT_EQ(report.at("images").size(), 4u);
  const std::vector<std::pair<std::string, std::string>> expected = {{photo("a.jpg"), "one"},
                                                                     {photo("b.PNG"), "two"},
                                                                     {photo("c.jpeg"), "three"},
                                                                     {image_path("nine.jpg"), "nine"}};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(report.at("images")[i].at("image"), expected[i].first);
    EXPECT_EQ(report.at("images")[i].at("classes")[0].at("label"), expected[i].second);
  }
}

TEST_F(CliImageList, AListNamesImagesAndFolders) {
  const std::string list = dir.write(
      "list.txt", image_path("nine.jpg") + "\r\n\n" + (dir / "photos") + "\n" + image_path("six.png"));
  const std::vector<std::string> expected = {image_path("zero.png"), image_path("nine.jpg"),
                                             photo("a.jpg"),         photo("b.PNG"),
                                             photo("c.jpeg"),        image_path("six.png")};
  for (const char* size : {"1", "4", "8"}) {
    EXPECT_EQ(images_of(documents_of_lines(output_of({"classify", digits(), image_path("zero.png"), "--from",
                                                      list, "--ndjson", "--batch-size", size}))),
              expected);
  }
  const Outcome piped = shell("\"$0\" classify \"$1\" - --ndjson < \"$2/list.txt\"", dir.path());
  EXPECT_EQ(piped.err, "");
  EXPECT_EQ(images_of(documents_of_lines(piped.out)),
            std::vector<std::string>(expected.begin() + 1, expected.end()));
}

TEST_F(CliImageList, LinesOfJsonSayWhatTheDocumentSays) {
  const std::string text = dir.write("photos/text.jpg", "no image");
  const Outcome lines = mxinfer({"classify", digits(), dir / "photos", "--ndjson"});
  EXPECT_EQ(lines.exit_code, 1);
  expect_facts(lines.err, {text});
  const Outcome document = mxinfer({"classify", digits(), dir / "photos", "--json"});
  EXPECT_EQ(Json(documents_of_lines(lines.out)), Json::parse(document.out).at("images"));
  EXPECT_EQ(documents_of_lines(lines.out).back().at("error").at("code"), "malformed");
}

// The writer of the list waits for each answer before it writes the next line, so the command must not wait
// for a full batch.
TEST_F(CliImageList, AnswersComeWhileTheListIsWritten) {
  for (const char* form : {"--ndjson", "--all"}) {
    const Outcome outcome =
        shell(std::string("coproc C { exec \"$0\" classify \"$1\" - --batch-size 64 ") + form +
                  "; }; for name in a.jpg b.PNG c.jpeg; do echo \"$2/photos/$name\" >&${C[1]}; read -r -t 60 "
                  "line <&${C[0]} "
                  "|| exit 9; [[ $line == *\"$name\"* ]] || exit 8; " +
                  (std::string(form) == "--all"
                       ? "for i in 0 1 2 3 4 5 6 7 8 9; do read -r -t 60 line <&${C[0]}; done; "
                       : "") +
                  "done; exec {C[1]}>&-; wait $C_PID",
              dir.path());
    EXPECT_EQ(outcome.exit_code, 0) << form << outcome.err;
  }
}

TEST_F(CliImageList, SaysWhatIsWrong) {
  expect_usage_error({"classify", digits()}, {"classify requires an IMAGE, or --from FILE"});
  expect_user_error({"classify", digits(), "--from", dir / "none.txt"},
                    {"--from: cannot open '", "none.txt': "});
  expect_user_error({"classify", digits(), "--from", dir.path()}, {"--from: cannot read '", "directory"});
  expect_user_error({"classify", digits(), "--from", dir.write("zeros.txt", std::string(100, '\0') + "\n")},
                    {"--from: line 1 of '", "null byte", "one path per line"});
  const std::string endless = dir.write("endless.txt", std::string(100000, 'x'));
  expect_user_error({"classify", digits(), "--from", endless}, {"line 1 of '", "longer than any path"});
  const Outcome half = mxinfer(
      {"classify", digits(), "--from", dir.write("half.txt", photo("a.jpg") + "\n" + std::string(1, '\0'))});
  EXPECT_EQ(half.exit_code, 1);
  expect_facts(half.out, {photo("a.jpg") + "\n", "  one\n"});
  expect_facts(half.err, {"--from: line 2 of '", "null byte"});
  fs::create_directory(dir / "empty");
  expect_user_error({"classify", digits(), dir / "empty"},
                    {dir / "empty", "no image (.jpg, .jpeg or .png) in this folder"});
  EXPECT_EQ(output_of({"classify", digits(), "--from", dir.write("nothing.txt", "")}), "");
}

TEST_F(CliImageList, AFullDiskEndsIt) {
  const Outcome outcome =
      shell("yes \"$2/photos/a.jpg\" | \"$0\" classify \"$1\" - --ndjson > /dev/full", dir.path());
  EXPECT_EQ(outcome.exit_code, 1);
  expect_facts(outcome.err, {"standard output"});
  EXPECT_FALSE(outcome.timed_out);
}

TEST_F(CliImageList, AFileWithoutAnEndingIsAnImageByItsContents) {
  fs::copy(image_path("nine.jpg"), dir / "photos/123456");
  fs::copy(image_path("two.png"), dir / "photos/d");
  dir.write("photos/README", "no image");
  const Json report = json_of({"classify", digits(), dir / "photos", "-k", "1"});
  ASSERT_EQ(report.at("images").size(), 5u);
  EXPECT_EQ(report.at("images")[0].at("image"), photo("123456"));
  EXPECT_EQ(report.at("images")[0].at("classes")[0].at("label"), "nine");
  EXPECT_EQ(report.at("images")[4].at("image"), photo("d"));
}

}  // namespace
}  // namespace mxinfer::test
