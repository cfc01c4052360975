// mxinfer detect: table, JSON, pictures and errors.
#include <gtest/gtest.h>
#include <mxinfer/vision/draw.h>
#include <mxinfer/vision/encode.h>
#include <mxinfer/vision/image.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "cli/run_command.h"
#include "support/files/temp_dir.h"
#include "support/networks/fixed_detector.h"
#include "support/servers/http_server.h"

namespace mxinfer::test {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

/// A model that finds a dog (0.9), a cat (0.6) and, below the usual threshold, another dog (0.25) in every
/// image, and images to find them in: 40 x 20 pixels, twice the network's input.
class CliDetect : public testing::Test {
 protected:
  CliDetect()
      : model(write_fixed_detector(dir, "net",
                                   {1, 0.6f, 10, 5, 15, 8, 0, 0.9f, 4, 2, 8, 6, 0, 0.25f, 1, 1, 3, 3})) {
    dir.write("synset.txt", "dog\ncat\nbird\n");
    for (const char* name : {"photos/a.png", "photos/b.jpg", "more/a.png"}) add_image(name);
  }
  std::string add_image(const std::string& name) const {
    fs::create_directories(fs::path(dir / name).parent_path());
    write_image(blank(), dir / name);
    return dir / name;
  }
  static Image blank() {
    std::vector<std::uint8_t> pixels(40 * 20 * 3, 90);
    return Image(40, 20, 3, Span<const std::uint8_t>(pixels));
  }
  std::string photo(const std::string& name) const { return dir / ("photos/" + name); }

  const TempDir dir;
  const std::string model;
};

std::vector<std::vector<std::string>> words_of(const std::string& text) {
  std::vector<std::vector<std::string>> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    std::istringstream words(line);
    lines.emplace_back();
    for (std::string word; words >> word;) lines.back().push_back(word);
  }
  return lines;
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

TEST_F(CliDetect, PrintsATable) {
  const std::string text = output_of({"detect", model, photo("a.png"), photo("b.jpg")});
  const std::vector<std::vector<std::string>> expected = {
      {"image", "label", "score", "left", "top", "right", "bottom"},
      {photo("a.png"), "dog", "0.900", "8.0", "4.0", "16.0", "12.0"},
      {photo("a.png"), "cat", "0.600", "20.0", "10.0", "30.0", "16.0"},
      {photo("b.jpg"), "dog", "0.900", "8.0", "4.0", "16.0", "12.0"},
      {photo("b.jpg"), "cat", "0.600", "20.0", "10.0", "30.0", "16.0"}};
  EXPECT_EQ(words_of(text), expected);
  std::istringstream lines(text);
  std::string title, row;
  std::getline(lines, title);
  while (std::getline(lines, row)) EXPECT_EQ(row.size(), title.size()) << "columns are aligned";
}

TEST_F(CliDetect, PrintsJson) {
  const Json report = json_of({"detect", model, photo("a.png"), photo("b.jpg")});
  ASSERT_EQ(report.at("images").size(), 2u);
  const Json& image = report.at("images")[0];
  EXPECT_EQ(image.at("image"), photo("a.png"));
  EXPECT_FALSE(image.contains("picture"));
  ASSERT_EQ(image.at("objects").size(), 2u);
  const Json& dog = image.at("objects")[0];
  EXPECT_EQ(dog.size(), 4u);
  EXPECT_EQ(dog.at("label"), "dog");
  EXPECT_NEAR(dog.at("score").get<double>(), 0.9, 1e-6);
  EXPECT_EQ(dog.at("index"), 0);
  EXPECT_EQ(dog.at("box"), (Json{{"left", 8.0}, {"top", 4.0}, {"right", 16.0}, {"bottom", 12.0}}));
}

TEST_F(CliDetect, LinesOfJsonSayWhatTheDocumentSays) {
  const std::string text = output_of({"detect", model, dir / "photos", "--ndjson", "--batch-size", "1"});
  Json lines = Json::array();
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(Json::parse(line));
  EXPECT_EQ(lines, json_of({"detect", model, dir / "photos"}).at("images"));
}

TEST_F(CliDetect, FindsWhatIsAskedFor) {
  const auto labels = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"detect", model, photo("a.png")});
    const Json report = json_of(more);
    std::string text;
    for (const Json& object : report.at("images")[0].at("objects"))
      text += (text.empty() ? "" : " ") + object.at("label").get<std::string>();
    return text;
  };
  EXPECT_EQ(labels({}), "dog cat");
  EXPECT_EQ(labels({"--threshold", "0.7"}), "dog");
  EXPECT_EQ(labels({"--threshold", "0.2"}), "dog cat dog");
  EXPECT_EQ(labels({"--threshold", "0.2", "--max", "2"}), "dog cat");
  EXPECT_EQ(labels({"--class", "cat"}), "cat");
  EXPECT_EQ(labels({"--class", "cat", "--class", "dog"}), "dog cat");
  EXPECT_EQ(labels({"--class", "cat", "--max", "1"}), "cat") << "others do not count";
  EXPECT_EQ(labels({"--class", "dog", "--threshold", "0", "--max", "2"}), "dog dog");
  EXPECT_EQ(labels({"--labels", dir.write("other.txt", "hund\nkatze\nvogel\n")}), "hund katze");
}

TEST_F(CliDetect, ClassesWithoutLabelsAreNumbers) {
  fs::remove(dir / "synset.txt");
  const Json report = json_of({"detect", model, photo("a.png"), "--class", "1"});
  ASSERT_EQ(report.at("images")[0].at("objects").size(), 1u);
  EXPECT_EQ(report.at("images")[0].at("objects")[0].at("index"), 1);
}

TEST_F(CliDetect, BoxesAreInTheUnitsThatAreSaid) {
  const auto right = [&](const std::string& units) {
    const Json report = json_of({"detect", model, photo("a.png"), "--box-units", units});
    return report.at("images")[0].at("objects")[0].at("box").at("right").get<double>();
  };
  EXPECT_EQ(right("pixels"), right("automatic"));
  expect_facts(mxinfer({"detect", model, photo("a.png"), "--box-units", "relative"}).err,
               {"no objects found", "3 candidates", "2 are outside the image"});
}

TEST_F(CliDetect, ImagesInWhichNothingIsFoundAreNoError) {
  const Outcome outcome = mxinfer({"detect", model, dir / "photos", "--threshold", "0.95"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "mxinfer: " + photo("a.png") +
                             ": no objects found: 0 of 3 candidates are left: 3 score too low (the best of "
                             "them 0.9, 'dog'; the threshold is 0.95)\nmxinfer: " +
                             photo("b.jpg") + ": no objects found\n");
  expect_facts(mxinfer({"detect", model, photo("a.png"), "--class", "bird"}).err,
               {"3 are of classes that were not requested"});
  const Outcome quiet =
      mxinfer({"detect", model, photo("a.png"), "--threshold", "0.95", "--quiet", "--json"});
  EXPECT_EQ(quiet.err, "");
  EXPECT_EQ(Json::parse(quiet.out).at("images")[0].at("objects"), Json::array());
}

TEST_F(CliDetect, WritesPictures) {
  const std::string before = read_file(photo("a.png"));
  const Json report =
      json_of({"detect", model, photo("a.png"), photo("b.jpg"), "--output-dir", dir / "out/drawn"});
  EXPECT_EQ(names_in(dir / "out/drawn"), (std::vector<std::string>{"a.png", "b.jpg"}));
  EXPECT_EQ(report.at("images")[0].at("picture"), dir / "out/drawn/a.png");
  EXPECT_EQ(read_file(photo("a.png")), before);
  Detection dog, cat;
  dog.label = "dog";
  dog.score = 0.9f;
  dog.box = {8, 4, 16, 12};
  cat.label = "cat";
  cat.score = 0.6f;
  cat.index = 1;
  cat.box = {20, 10, 30, 16};
  const std::vector<Detection> found = {dog, cat};
  const Image expected = draw(blank(), found);
  const Image picture = read_image(dir / "out/drawn/a.png");
  ASSERT_EQ(picture.size(), expected.size());
  EXPECT_TRUE(std::equal(picture.pixels().begin(), picture.pixels().end(), expected.pixels().begin()));
}

TEST_F(CliDetect, PicturesSayTheSameAsWithoutThem) {
  Json with = json_of({"detect", model, dir / "photos", "--output-dir", dir / "out"});
  for (Json& image : with.at("images")) image.erase("picture");
  EXPECT_EQ(with, json_of({"detect", model, dir / "photos"}));
}

TEST_F(CliDetect, QualityIsThatOfJpegs) {
  const auto size = [&](const std::string& quality) {
    output_of({"detect", model, photo("b.jpg"), "--output-dir", dir / quality, "--quality", quality});
    return fs::file_size(dir / (quality + "/b.jpg"));
  };
  EXPECT_LT(size("10"), size("95"));
}

// Two images of the same name get two pictures; a second run overwrites these.
TEST_F(CliDetect, NoPictureTakesThePlaceOfAnother) {
  for (int run = 0; run < 2; ++run) {
    output_of(
        {"detect", model, photo("a.png"), dir / "more/a.png", photo("a.png"), "--output-dir", dir / "out"});
    EXPECT_EQ(names_in(dir / "out"), (std::vector<std::string>{"a-2.png", "a-3.png", "a.png"}));
  }
}

TEST_F(CliDetect, NoPictureTakesThePlaceOfAnImage) {
  const std::string before = read_file(photo("a.png"));
  fs::create_symlink(dir / "photos", dir / "link");
  for (const std::string folder : {"photos", "photos/../photos", "link"}) {
    output_of({"detect", model, photo("a.png"), "--output-dir", dir / folder});
    EXPECT_EQ(read_file(photo("a.png")), before) << folder;
    EXPECT_TRUE(fs::remove(photo("a-2.png"))) << folder;
  }
  // An image later in the list, and one from a list that was not read yet.
  output_of({"detect", model, dir / "more/a.png", photo("a.png"), "--output-dir", dir / "photos"});
  EXPECT_EQ(read_file(photo("a.png")), before);
  const std::string list = dir.write("list.txt", dir / "more/a.png\n" + photo("a.png") + "\n");
  output_of({"detect", model, "--from", list, "--output-dir", dir / "photos"});
  EXPECT_EQ(read_file(photo("a.png")), before);
}

TEST_F(CliDetect, ImagesOfOtherNamesBecomePngs) {
  fs::copy(photo("a.png"), dir / "photo.data");
  output_of({"detect", model, dir / "photo.data", "--output-dir", dir / "out"});
  EXPECT_EQ(names_in(dir / "out"), std::vector<std::string>{"photo.data.png"});
}

TEST_F(CliDetect, AnUnreadableImageCostsTheOthersNothing) {
  const std::string text = dir.write("photos/aa.jpg", "no image");
  for (const bool pictures : {false, true}) {
    std::vector<std::string> arguments = {"detect", model, dir / "photos", dir / "none.jpg", "--json"};
    if (pictures) arguments.insert(arguments.end(), {"--output-dir", dir / "out"});
    const Outcome outcome = mxinfer(arguments);
    EXPECT_EQ(outcome.exit_code, 1);
    expect_facts(outcome.err, {text, "not a JPEG or PNG", "none.jpg", "o such file"});
    const Json images = Json::parse(outcome.out).at("images");
    ASSERT_EQ(images.size(), 4u);
    EXPECT_EQ(images[0].at("objects").size(), 2u);
    EXPECT_EQ(images[1].at("error").at("code"), "malformed");
    EXPECT_EQ(images[2].at("objects").size(), 2u);
    EXPECT_EQ(images[3].at("error").at("code"), "not_found");
  }
  EXPECT_EQ(names_in(dir / "out"), (std::vector<std::string>{"a.png", "b.jpg"}));
}

TEST_F(CliDetect, APictureThatCannotBeWrittenIsTheImagesError) {
  fs::create_directories(dir / "out/a.png");
  const Outcome outcome = mxinfer({"detect", model, dir / "photos", "--output-dir", dir / "out"});
  EXPECT_EQ(outcome.exit_code, 1);
  expect_facts(outcome.err, {photo("a.png") + ": ", "is a folder"});
  expect_facts(outcome.out, {photo("b.jpg")});
  EXPECT_EQ(outcome.out.find(photo("a.png")), std::string::npos);
}

TEST_F(CliDetect, ClassifyNamesDetect) {
  const Outcome outcome = mxinfer({"classify", model, photo("a.png"), "--height", "10", "--width", "20"});
  EXPECT_EQ(outcome.exit_code, 1);
  expect_facts(outcome.err, {"gives detections", "use mxinfer detect"});
}

TEST_F(CliDetect, ClassifyNamesDetectBeforeItCountsLabels) {
  const Outcome outcome = mxinfer({"classify", MXINFER_SOURCE_DIR "/models/digit_detector", photo("a.png")});
  EXPECT_EQ(outcome.exit_code, 1);
  expect_facts(outcome.err, {"gives detections", "(-1, 5715, 6)", "use mxinfer detect"});
}

TEST_F(CliDetect, TakesListsAndAddresses) {
  const std::string list = dir.write("list.txt", photo("a.png") + "\n" + photo("b.jpg") + "\n");
  EXPECT_EQ(json_of({"detect", model, "--from", list}), json_of({"detect", model, dir / "photos"}));
  HttpServer server;
  server.files["/a%20b.png"] = read_file(photo("a.png"));
  const Json report = json_of({"detect", model, server.address("/a%20b.png"), "--output-dir", dir / "out"});
  EXPECT_EQ(report.at("images")[0].at("objects").size(), 2u);
  EXPECT_EQ(names_in(dir / "out"), std::vector<std::string>{"a b.png"});
}

TEST_F(CliDetect, SaysWhatIsWrong) {
  expect_usage_error({"detect", model}, {"detect requires an IMAGE, or --from FILE"});
  expect_usage_error({"detect"}, {"MODEL"});
  const std::string image = photo("a.png");
  const auto wrong = [&](const std::vector<std::string>& more, const std::vector<std::string>& facts) {
    std::vector<std::string> arguments = {"detect", model, image};
    arguments.insert(arguments.end(), more.begin(), more.end());
    expect_usage_error(arguments, facts);
  };
  wrong({"--threshold", "much"}, {"--threshold", "'much'"});
  wrong({"--max", "0"}, {"--max"});
  wrong({"--quality", "0"}, {"invalid value '0' for --quality: expected a whole number from 1 to 100"});
  wrong({"--quality", "101"}, {"--quality"});
  wrong({"--box-units", "inches"}, {"--box-units", "inches", "relative"});
  wrong({"--json", "--ndjson"}, {"--json", "--ndjson"});
  expect_user_error({"detect", dir / "nowhere", image}, {dir / "nowhere"});
  expect_user_error({"detect", digits(), image},
                    {"no boxes", "use mxinfer classify", "a program that uses the library"});
  expect_user_error({"detect", model, image, "--class", "dogg"},
                    {"--class names 'dogg'", "did you mean 'dog'"});
  expect_user_error({"detect", model, image, "--output-dir", image},
                    {"--output-dir", "cannot create the folder"});
}

}  // namespace
}  // namespace mxinfer::test
