// Addresses in place of paths: images, folders and lists of images, labels, arrays, pairs of files.
#include <gtest/gtest.h>
#include <mxinfer/byte_source.h>

#include <filesystem>
#include <sstream>

#include "cli/inputs/image_list.h"
#include "cli/run_command.h"
#include "formats/arrays/npz.h"
#include "sources/digest.h"
#include "support/files/temp_dir.h"
#include "support/run_op.h"
#include "support/servers/environment_variable.h"
#include "support/servers/http_server.h"
#include "tensor/npy.h"

namespace mxinfer::test {
namespace {

using Json = nlohmann::json;

class CliAddresses : public testing::Test {
 protected:
  CliAddresses() {
    for (const std::string name : {"one.jpg", "two.png", "seven.jpg"})
      server.files["/" + name] = read_file(image_path(name));
    server.files["/text.jpg"] = "no image";
  }

  /// The best label of each image; "" for an error.
  static std::vector<std::string> labels(const std::string& text) {
    std::vector<std::string> found;
    const Json report = Json::parse(text);
    for (const Json& image : report.at("images"))
      found.push_back(image.contains("error") ? "" : image.at("classes")[0].at("label"));
    return found;
  }

  TempDir folder;
  const std::string copies = folder / "copies";
  const EnvironmentVariable cache{"MXINFER_CACHE_DIR", copies};
  HttpServer server;
};

TEST_F(CliAddresses, OfImages) {
  const std::string signed_address = server.address("/seven.jpg?signature=geheim");
  const Json report = json_of({"classify", digits(), server.address("/one.jpg"), image_path("two.png"),
                               signed_address, "file://" + image_path("nine.jpg"), "-k", "1"});
  EXPECT_EQ(labels(report.dump()), (std::vector<std::string>{"one", "two", "seven", "nine"}));
  EXPECT_EQ(report.at("images")[0].at("image"), server.address("/one.jpg"));
  EXPECT_EQ(report.at("images")[2].at("image"), server.address("/seven.jpg?signature=..."));
  EXPECT_EQ(report.at("images")[3].at("image"), image_path("nine.jpg"));
  EXPECT_EQ(server.count("signature=geheim"), 1);
  EXPECT_FALSE(std::filesystem::exists(copies)) << "no copy of an image is kept";
}

TEST_F(CliAddresses, OfImagesThatAreWrongCostTheOthersNothing) {
  const Outcome outcome =
      mxinfer({"classify", digits(), server.address("/none.jpg?key=geheim"), server.address("/text.jpg"),
               server.address("/photos/"), server.address("/a b"), server.address("/seven.jpg"), "-k", "1",
               "--json"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(labels(outcome.out), (std::vector<std::string>{"", "", "", "", "seven"}));
  expect_facts(outcome.err, {"/none.jpg?key=...", "nothing at this address", "/text.jpg", "not a JPEG or PNG",
                             "/photos/", "cannot be listed over http", "%20"});
  EXPECT_EQ((outcome.out + outcome.err).find("geheim"), std::string::npos) << outcome.out << outcome.err;
}

TEST_F(CliAddresses, WithPasswordsThatAreNotEncodedAreErrorsThatDoNotShowThem) {
  for (const std::string mark : {"/", "#", "?"}) {
    const std::string address = "http://me:geheim" + mark + "nisvoll@127.0.0.1:1/digits";
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"inspect", address},
          {"fetch", address},
          {"classify", digits(), address},
          {"classify", digits(), image_path("two.png"), "--labels", address}}) {
      const Outcome outcome = mxinfer(arguments);
      EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
      expect_facts(outcome.err, {"'http://...'", "%2F"});
      for (const char* secret : {"geheim", "nisvoll"})
        EXPECT_EQ((outcome.out + outcome.err).find(secret), std::string::npos) << outcome.out << outcome.err;
    }
  }
}

TEST_F(CliAddresses, OfManyImagesShareConnections) {
  std::string list;
  for (int i = 0; i < 200; ++i) list += server.address("/one.jpg") + "\n";
  const Json report = json_of({"classify", digits(), "--from", folder.write("list.txt", list), "-k", "1",
                               "--batch-size", "64", "--remote", "connections=2"});
  EXPECT_EQ(labels(report.dump()), std::vector<std::string>(200, "one"));
  EXPECT_LE(server.connections(), 2);
}

TEST_F(CliAddresses, OfLists) {
  server.files["/list.txt"] = server.address("/one.jpg") + "\r\n\n" + image_path("two.png");
  const Json report = json_of({"classify", digits(), "--from", server.address("/list.txt"), "-k", "1"});
  EXPECT_EQ(labels(report.dump()), (std::vector<std::string>{"one", "two"}));
  expect_user_error({"classify", digits(), "--from", server.address("/none.txt")}, {"--from", "/none.txt"});
  const std::string path = folder.write("list.txt", image_path("two.png"));
  EXPECT_EQ(labels(json_of({"classify", digits(), "--from", "file://" + path}).dump()).size(), 1U);
}

TEST_F(CliAddresses, OfLabels) {
  server.files["/labels.txt"] = "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n";
  const Json report = json_of({"classify", digits(), image_path("two.png"), "-k", "1", "--labels",
                               server.address("/labels.txt"), "--header", "X-Key: 1"});
  EXPECT_EQ(labels(report.dump()), std::vector<std::string>{"c"});
  EXPECT_EQ(server.count("X-Key: 1"), 1);
  server.files["/empty.txt"] = "";
  expect_user_error({"classify", digits(), image_path("two.png"), "--labels", server.address("/empty.txt")},
                    {"/empty.txt contains no labels"});
}

TEST_F(CliAddresses, OfArrays) {
  const Tensor input = random_tensor({2, 1, 32, 32}, 3, 0, 255);
  const std::vector<std::byte> bytes = write_npy(input.view());
  server.files["/batch.npy"] = {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  formats::save_npz(folder / "batch.npz", {{"data", input.view()}});
  server.files["/batch.npz"] = read_file(folder / "batch.npz");
  const std::string expected = folder / "expected.npz";
  output_of({"predict", digits(), folder / "batch.npz", "--output", expected});
  const std::vector<std::vector<std::string>> ways = {
      {"--input", "data=" + server.address("/batch.npy")},
      {"--input", "data=" + server.address("/batch.npy?name=a=b.npy")},
      {"--input", server.address("/batch.npz")},
      {server.address("/batch.npz?name=a=b")},
      {"file://" + (folder / "batch.npz")}};
  for (const auto& way : ways) {
    std::vector<std::string> arguments = {"predict", digits(), "--output", folder / "found.npz"};
    arguments.insert(arguments.end(), way.begin(), way.end());
    output_of(arguments);
    EXPECT_EQ(read_file(folder / "found.npz"), read_file(expected)) << way.back();
  }
  expect_user_error(
      {"predict", digits(), "--output", folder / "out", "--input", "data=" + server.address("/none.npy")},
      {"/none.npy", "nothing"});
}

TEST_F(CliAddresses, OfTwoFiles) {
  server.files["/net.json"] = read_file(digits() + "/digits-symbol.json");
  server.files["/weights"] = read_file(digits() + "/digits-0000.params");
  const std::string weights = server.address("/weights");
  const Json report =
      json_of({"classify", server.address("/net.json"), image_path("two.png"), "-k", "1", "--params",
               weights + "#sha256=" + sources::sha256_hex(server.files["/weights"])});
  EXPECT_EQ(report.at("images")[0].at("classes")[0].at("index"), 2);
  expect_user_error({"explain", server.address("/net.json"), "--params", weights, "--sha256",
                     sources::sha256_hex(server.files["/weights"])},
                    {"/net.json", "SHA-256"});
}

/// "shelf://": lists the same names for most folders.
class Shelf final : public SourceScheme {
 public:
  std::shared_ptr<const ByteSource> open(const std::string&) const override { return nullptr; }
  std::optional<std::vector<std::string>> list(const std::string& folder) const override {
    if (folder == "shelf://broken/") throw Error(ErrorCode::network, "shelf://broken/: it fell down");
    if (folder == "shelf://empty/") return std::vector<std::string>{"notes.txt"};
    return std::vector<std::string>{"b.PNG", "c.txt", ".hidden.jpg", "deeper.jpg/", "a 1.jpg", "d.jpeg"};
  }
};

class ImagesOfFolders : public testing::Test {
 protected:
  ImagesOfFolders() : opener(options()) {}
  static LoadOptions options() {
    LoadOptions options;
    options.schemes["shelf"] = std::make_shared<Shelf>();
    return options;
  }
  static std::vector<std::string> places(const std::vector<cli::ListedImage>& images) {
    std::vector<std::string> found;
    for (const cli::ListedImage& image : images)
      found.push_back(image.problem ? image.problem->what() : image.place);
    return found;
  }
  const sources::Opener opener;
};

TEST_F(ImagesOfFolders, AtAddressesAreThoseThatAreListed) {
  cli::ImageList list({"shelf://photos/", "shelf://photos/d.jpeg", "shelf://2026/?version=3"}, "", opener);
  EXPECT_EQ(list.size(), std::optional<std::size_t>(7));
  EXPECT_EQ(
      places(list.next(10)),
      (std::vector<std::string>{"shelf://photos/a%201.jpg", "shelf://photos/b.PNG", "shelf://photos/d.jpeg",
                                "shelf://photos/d.jpeg", "shelf://2026/a%201.jpg?version=3",
                                "shelf://2026/b.PNG?version=3", "shelf://2026/d.jpeg?version=3"}));
  EXPECT_TRUE(list.next(10).empty());
}

TEST_F(ImagesOfFolders, OfListsToo) {
  const TempDir dir;
  cli::ImageList list({}, dir.write("list.txt", "a.jpg\nshelf://photos/\nb.jpg\n"), opener);
  EXPECT_EQ(list.size(), std::nullopt);
  EXPECT_EQ(places(list.next(10)),
            (std::vector<std::string>{"a.jpg", "shelf://photos/a%201.jpg", "shelf://photos/b.PNG",
                                      "shelf://photos/d.jpeg", "b.jpg"}));
}

TEST_F(ImagesOfFolders, HaveErrorsOfTheirOwn) {
  cli::ImageList list({"shelf://broken/", "shelf://empty/", "nowhere://a/", "a.jpg"}, "", opener);
  const auto images = list.next(10);
  ASSERT_EQ(images.size(), 4U);
  expect_facts(places(images)[0], {"it fell down"});
  expect_facts(places(images)[1], {"shelf://empty/", "no image"});
  expect_facts(places(images)[2], {"'nowhere'"});
  EXPECT_EQ(places(images)[3], "a.jpg");
}

}  // namespace
}  // namespace mxinfer::test
