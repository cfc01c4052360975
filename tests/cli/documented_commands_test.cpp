// Runs every command line of mxinfer in the documentation and --help as it is written, in a folder with small
// stand-ins for the models, images and arrays that it names.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <regex>
#include <sstream>

#include "cli/run_command.h"
#include "formats/arrays/npz.h"
#include "kernels/common/target.h"
#include "support/files/params_writer.h"
#include "support/files/temp_dir.h"
#include "support/networks/bag_network.h"
#include "support/networks/text_network.h"
#include "support/run_op.h"
#include "support/servers/http_server.h"
#include "support/servers/webhdfs_server.h"
#include "tensor/npy.h"

namespace mxinfer::test {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = MXINFER_SOURCE_DIR;

/// Serves the files of the addresses in the documentation: over http, in buckets and in HDFS. Copies of them
/// go into a folder of the test.
struct ExampleHost {
  ExampleHost() {
    const std::string folder = (kRoot / "models/").string();
    for (const std::string ending : {"-symbol.json", "-0000.params"}) {
      std::string path = folder + "digits/digits";
      path += ending;
      const std::string file = read_file(path);
      server.files["/digits" + ending] = file;
      hdfs.put("/models/digits" + ending, file);
      for (const char* bucket : {"/my-models", "/public-models", "/models"})
        server.files[bucket + ("/resnet18_v1" + ending)] = file;
    }
    server.files["/synset.txt"] = read_file(folder + "digits/synset.txt");
    server.files["/seven.jpg"] = read_file((kRoot / "examples/images/seven.jpg").string());
    server.files["/my-photos/kitten.jpg"] = server.files["/seven.jpg"];
    server.files["/digits.mxz"] = read_file(folder + "digits.mxz");
    server.answers = [](const std::string& request) -> std::optional<HttpServer::Answer> {
      if (request.find("list-type=2") == std::string::npos) return std::nullopt;
      return HttpServer::Answer{
          200,
          "<ListBucketResult><Contents><Key>resnet18_v1-0000.params</Key></Contents></ListBucketResult>"};
    };
    const std::string config = copies / "aws-config";
    copies.write("aws-config", "[profile research]\nregion = eu-west-1\n");
    for (const auto& [name, value] :
         std::map<std::string, std::string>{{"MXINFER_CACHE_DIR", copies.path()},
                                            {"AWS_CONFIG_FILE", config},
                                            {"AWS_ENDPOINT_URL", server.address("")},
                                            {"AWS_ACCESS_KEY_ID", "example"},
                                            {"AWS_SECRET_ACCESS_KEY", "example"}})
      ::setenv(name.c_str(), value.c_str(), 1);
  }

  TempDir copies;
  HttpServer server;
  WebHdfsServer hdfs;
};

ExampleHost& example_host() {
  static ExampleHost host;
  return host;
}

/// Text of the documentation, and the text to run in its place. Everything else runs literally.
struct Substitution {
  std::string written, run;
};
std::vector<Substitution> substitutions() {
  const ExampleHost& host = example_host();
  const std::string name_nodes = host.hdfs.address("");
  const std::string first_name_node = name_nodes.substr(3, name_nodes.find(',') - 3);  // hdfs://...
  std::vector<Substitution> list = {
      {"IMAGE...", "IMAGE"},  // one or more
      {"https://models.example", host.server.address("")},
      {"http://minio.example:9000", host.server.address("")},
      {"webhdfs://nn1.example:9870,nn2.example:9870", name_nodes},
      {"hdfs://nn1.example:8020", first_name_node},
      {"--device cuda:0 --precision tf32", "--device cpu --precision bfloat16"},
      {"--device cuda:0,cuda:1", "--device cpu"},
      {"--device cuda:all", "--device cpu"},
      {"--device cuda:0", "--device cpu"},  // where there need not be a GPU
      {"--seconds 5", "--seconds 0.05"},    // as well measured, for a test
      {"bench --preset end-to-end", "bench --preset end-to-end --runs 1 --batch 1"}  // a ResNet-18, 500 times
  };
  if (kernels::best_target() < kernels::Target::avx2) list.push_back({"--target avx2", "--target ref"});
  return list;
}

/// Command lines of other programs, and why they are not run here.
struct Other {
  std::string begins, reason;
};
const std::vector<Other>& other_programs() {
  static const std::vector<Other> list = {
      {"bash examples/quickstart.sh",
       "installs and builds; tests/package holds what it builds against what is installed"},
      {"bash tests/run.sh", "is this test suite"},
      {"bash models/digits/bundle.sh", "writes into the tree"},
      {"bash models/language_id/bundle.sh", "writes into the tree"},
      {"python bench/spark/rows_per_second.py", "measures for minutes, with PySpark"},
      {"python3 bench/remote/first_prediction.py", "measures, with an nginx"},
      {"sudo cmake --install", "tests/package runs it"},
      {"sudo apt-get install", "installs packages"},
      {"cmake --install", "tests/package runs it"},
      {"export PKG_CONFIG_PATH", "tests/package runs it"},
      {"export PATH=~/mxinfer-python", "tests/python has a virtual environment of its own"},
      {"python3 -m venv", "tests/python has a virtual environment of its own"},
      {"g++ main.cpp", "tests/package runs it"},
      {"cc main.c", "tests/package compiles and runs the program above it"},
      {"cd build/release && cpack", "tests/package makes these packages"},
      {"docker ", "needs a daemon; the image is of the commands of docs/start/packages.md"},
      {"vcpkg install", "needs vcpkg"},
      {"pip install .", "tests/python installs the package, from the library that is built"},
      {"python -c", "tests/python imports the package"},
      {"build/cuda/bench/mxinfer_cuda_bench",
       "needs a GPU; tests/scripts/cuda_bench_test.sh runs it without"},
      {"export MXINFER_CUDA_LIBRARY=build/release/tests/simt/counts",
       "a library of the long suites, which run it"},
      {"export MXINFER_SIMT=", "the settings of that library"},
      {"tests/cuda.sh", "needs a GPU; tests/scripts/cuda_script_test.sh runs it without"},
      {"build/bench/bench/mxinfer_c_overhead", "measures, in a build of its own"},
      {"build/bench/bench/mxinfer_bench", "measures, in a build of its own"},
      {"conan create", "needs Conan, and builds the library"},
      {"scripts/install-dependencies.sh", "installs packages"},
      {"scripts/emulate-avx512.sh", "builds an emulator, and boots it"},
      {"scripts/test-on-cpus.sh", "is this test suite, once for each of several CPUs"},
      {"cmake --preset", "configures the tree that these tests are in"},
      {"cmake --build", "builds the tree that these tests are in"},
      {"ctest", "is this test suite"},
      {"clang-format", "writes into the tree"},
      {"build/release/tests/", "is this test suite"},
      {"build/release/examples/example_mtcnn", "needs networks that are not here; tests/oracle runs it"},
      {"build/release/examples/example_retinaface", "needs a network that is not here; tests/oracle runs it"},
      {"build/fuzz/tests/", "fuzzes for minutes, in a build by clang"},
      {"sh tests/oracle/setup.sh", "installs MXNet"},
      {"tests/oracle/setup.sh", "installs MXNet"},
      {"build/oracle/bin/python", "needs MXNet; tests/oracle runs these scripts where there is one"},
      {"python docs/how-to/dump_internals.py",
       "needs MXNet; tests/oracle/diff.py runs it where there is one"},
      {"sh bench/peers/run.sh", "sets up four other libraries, and measures for hours"},
      {"build/release/bench/mxinfer_soak --seconds 36000", "takes hours; the test soak runs a minute of it"},
      {"sh bench/peers/callers/run.sh", "sets up three other libraries, and measures for minutes"},
      {"sh bench/peers/jpeg_to_label/run.sh", "sets up two other libraries, and measures for minutes"},
      {"build/peers/environments/engines/bin/python bench/peers/layers.py",
       "wants what bench/peers/run.sh sets up, and measures for minutes"},
  };
  return list;
}

struct Command {
  std::string text;
  std::string origin;  ///< what a failure names
};

/// Without the "NAME=VALUE" in front of a program's name.
std::string without_settings(const std::string& line) {
  static const std::regex settings(R"(^(\w+=\S* +)+)");
  return std::regex_replace(line, settings, "");
}

std::string first_word(const std::string& line) {
  const std::string command = without_settings(line);
  return command.substr(0, command.find(' '));
}

bool is_mxinfer(const std::string& word) {
  return word == "mxinfer" || (word.size() > 8 && word.compare(word.size() - 8, 8, "/mxinfer") == 0);
}

/// Whether a line of a block is a command, and not output or a drawing.
bool is_command(const std::string& line) {
  static const std::array<const char*, 17> kPrograms = {
      "bash",   "sh",  "cmake", "ctest", "ninja",  "make", "g++",    "clang-format", "sudo",
      "export", "git", "pip",   "apt",   "docker", "curl", "python", "python3"};
  const std::string word = first_word(line);
  if (is_mxinfer(word) || std::find(kPrograms.begin(), kPrograms.end(), word) != kPrograms.end()) return true;
  for (const char* folder : {"build/", "scripts/", "tests/", "bench/", "./"}) {
    if (word.rfind(folder, 0) == 0 && word.back() != '/') return true;
  }
  return false;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// The lines of blocks that are indented by four spaces, joined with the lines that a "\" continues them
/// with. `rest` gets the text outside of such blocks and of fenced blocks.
std::vector<std::string> block_lines(const std::string& text, std::string& rest) {
  std::vector<std::string> lines;
  bool fenced = false, continued = false;
  for (const std::string& line : lines_of(text)) {
    if (line.rfind("```", 0) == 0) {
      fenced = !fenced;
    } else if (!fenced && line.rfind("    ", 0) == 0) {
      const std::string inside = line.substr(4);
      if (continued) {
        lines.back() += '\n' + inside;
      } else {
        lines.push_back(inside);
      }
      continued = !inside.empty() && inside.back() == '\\';
    } else if (!fenced) {
      rest += line + '\n';
    }
  }
  return lines;
}

struct Documented {
  std::vector<Command> commands;   ///< of mxinfer, to run
  std::vector<Command> fragments;  ///< "mxinfer sign --replace": of which the options are to exist
  std::vector<Command> others;
};

/// Commands of the Python package are run by python/tests.
bool is_of_python(const std::string& command) {
  return command.find("mxinfer predict-table ") != std::string::npos;
}

/// A command in a sentence is complete if an argument follows that is not an option, or if it is the title of
/// a table row.
void add_spans(const std::string& text, const std::string& origin, Documented& found) {
  static const std::regex span(R"((\n\| )?`((?:[\w/]*/)?mxinfer [^`]+)`)");
  for (std::sregex_iterator match(text.begin(), text.end(), span), end; match != end; ++match) {
    std::string command = (*match)[2];
    std::replace(command.begin(), command.end(), '\n', ' ');
    std::istringstream words(command);
    std::string program, name, next;
    words >> program >> name >> next;
    if (next.empty() || is_of_python(command)) continue;  // "`mxinfer inspect` lists them"
    const bool whole = (*match)[1].matched || next.rfind("--", 0) != 0;
    (whole ? found.commands : found.fragments).push_back({command, origin});
  }
}

Documented read_document(const fs::path& path) {
  Documented found;
  const std::string origin = fs::relative(path, kRoot).string();
  std::string rest = "\n";
  for (const std::string& line : block_lines(read_file(path.string()), rest)) {
    if (!is_command(line)) continue;
    if (is_of_python(line)) continue;
    (is_mxinfer(first_word(line)) ? found.commands : found.others).push_back({line, origin});
  }
  add_spans(rest, origin, found);
  return found;
}

/// The lines under "Examples:" of a --help text.
Documented read_help(const std::string& command) {
  Documented found;
  const std::vector<std::string> arguments =
      command.empty() ? std::vector<std::string>{"--help"} : std::vector<std::string>{command, "--help"};
  bool examples = false, continued = false;
  for (const std::string& line : lines_of(output_of(arguments))) {
    if (line.rfind("Example", 0) == 0) {
      examples = true;
    } else if (continued) {
      found.commands.back().text += '\n' + line;
    } else if (examples && line.rfind("  ", 0) == 0) {
      found.commands.push_back({line.substr(2), "mxinfer " + command + " --help"});
    }
    continued = examples && !line.empty() && line.back() == '\\';
  }
  return found;
}

/// A network for images of any size, with ten classes and the layer names of the examples.
std::string network_json(const std::string& dense) {
  return R"json({"nodes": [
    {"op": "null", "name": "data", "inputs": []},
    {"op": "null", "name": "conv0_weight", "inputs": []},
    {"op": "Convolution", "name": "conv0", "inputs": [[0, 0, 0], [1, 0, 0]],
     "attrs": {"kernel": "(3, 3)", "stride": "(2, 2)", "pad": "(1, 1)", "num_filter": "8", "no_bias": "True"}},
    {"op": "Activation", "name": "relu0", "inputs": [[2, 0, 0]], "attrs": {"act_type": "relu"}},
    {"op": "Pooling", "name": "pool0", "inputs": [[3, 0, 0]],
     "attrs": {"global_pool": "True", "kernel": "(1, 1)", "pool_type": "avg"}},
    {"op": "Flatten", "name": "flat0", "inputs": [[4, 0, 0]]},
    {"op": "null", "name": ")json" +
         dense + R"json(_weight", "inputs": []},
    {"op": "FullyConnected", "name": ")json" +
         dense + R"json(", "inputs": [[5, 0, 0], [6, 0, 0]],
     "attrs": {"num_hidden": "10", "no_bias": "True"}}],
    "arg_nodes": [0, 1, 6], "heads": [[7, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";
}

std::string network_params(const std::string& dense) {
  const auto values = [](const Shape& shape, unsigned seed) {
    const Tensor tensor = random_tensor(shape, seed, -1, 1);
    return floats({tensor.data<float>(), tensor.data<float>() + tensor.elements()});
  };
  ParamsWriter file;
  file.add("arg:conv0_weight", dense_v2(DType::float32, {8, 3, 3, 3}, values({8, 3, 3, 3}, 1)));
  file.add("arg:" + dense + "_weight", dense_v2(DType::float32, {10, 8}, values({10, 8}, 2)));
  const std::vector<std::byte> bytes = file.finish();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// A network of eight features.
std::string mlp_json() {
  return R"json({"nodes": [
    {"op": "null", "name": "data", "inputs": []}, {"op": "null", "name": "fc_weight", "inputs": []},
    {"op": "FullyConnected", "name": "fc", "inputs": [[0, 0, 0], [1, 0, 0]],
     "attrs": {"num_hidden": "2", "no_bias": "True"}}],
    "arg_nodes": [0, 1], "heads": [[2, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";
}

std::string mlp_params() {
  ParamsWriter file;
  file.add("arg:fc_weight", dense_v2(DType::float32, {2, 8}, floats(std::vector<float>(16, 0.5f))));
  const std::vector<std::byte> bytes = file.finish();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The JSON file of columns from the documentation.
std::string columns_of_document() {
  const std::string text = read_file((kRoot / "docs/how-to/end-to-end.md").string());
  const std::size_t begin = text.find("{\"data\": {\"columns\"");
  EXPECT_NE(begin, std::string::npos);
  return text.substr(begin, text.find("```", begin) - begin);
}

/// The JSON file of texts from the documentation.
std::string texts_of_document() {
  const std::string text = read_file((kRoot / "docs/how-to/end-to-end.md").string());
  const std::size_t begin = text.find("{\"texts\": {");
  EXPECT_NE(begin, std::string::npos);
  return text.substr(begin, text.find("```", begin) - begin);
}
constexpr const char* kWords = "[PAD]\n[UNK]\n[CLS]\n[SEP]\nthe\nun\n##able\nable\n";

/// The folder in which the commands are run.
class Playground {
 public:
  Playground() {
    for (const char* folder : {"bin", "build/release/bin"}) {
      fs::create_directories(dir / folder);
      fs::create_symlink(MXINFER_COMMAND, dir / (std::string(folder) + "/mxinfer"));
    }
    copy("models", "models");
    copy("examples/images", "examples/images");
    copy("examples/words", "examples/words");
    copy("tests/golden/ssd", "tests/golden/ssd");
    add_models();
    add_arrays_and_images();
    dir.write("steps.json", kSteps);
    dir.write("imagenet.json", kSteps);
    dir.write("people.json", columns_of_document());
    dir.write("texts.json", texts_of_document());
    dir.write("vocab.txt", kWords);
    dir.write("top5.json", R"([{"op": "softmax"}, {"op": "top_k", "k": 5}])");
    add_texts();
    make("fuse --network resnet18_v1 --describe data=-1,3,224,224 --sample data=batch.npy --output MODEL");
    make("fuse --network resnet18_v1 --transforms imagenet.json --sample kitten.jpg --output end_to_end");
    dump("resnet18_v1", "dumped");
  }

  Outcome run(const std::string& command) const {
    return run_program(
        {"/bin/bash", "-c", "cd \"$0\" && export PATH=\"$0/bin:$PATH\" && " + command, dir.path()});
  }

 private:
  static constexpr const char* kSteps =
      R"([{"op": "resize", "size": [224, 224]}, {"op": "to_tensor"},
          {"op": "normalize", "mean": [0.485, 0.456, 0.406], "std": [0.229, 0.224, 0.225]}])";

  void copy(const std::string& from, const std::string& to) const {
    fs::create_directories(fs::path(dir / to).parent_path());
    fs::copy(kRoot / from, dir / to, fs::copy_options::recursive);
  }
  void add_models() const {
    for (const char* name : {"resnet18_v1", "resnet18", "resnet50_v1_int8", "old_net", "checkpoints/net"})
      add_model(name);
    add_model("arcface", "fc1");
    dir.write("resnet18-train-symbol.json", network_json("resnetv10_dense0_fwd"));
    dir.write("checkpoints/net-0003.params", network_params("resnetv10_dense0_fwd"));
    for (const char* ending : {"-symbol.json", "-0000.params"})
      copy(std::string("tests/golden/ssd/ssd") + ending, std::string("ssd_512") + ending);
    // Its classes are the colours.
    dir.write("deeplab-symbol.json", R"json({"nodes": [
      {"op": "null", "name": "data", "attrs": {"__shape__": "(0, 3, 0, 0)"}, "inputs": []}, {"op": "_copy", "name": "out", "inputs": [[0, 0, 0]]}], "arg_nodes": [0], "heads": [[1, 0, 0]],
      "attrs": {"mxnet_version": ["int", 10901]}})json");
    dir.write("deeplab-0000.params",
              std::string(reinterpret_cast<const char*>(ParamsWriter().finish().data()),
                          ParamsWriter().finish().size()));
    copy("models/digits/digits-symbol.json", "digits-train-symbol.json");
    for (const char* name : {"digits.mxz", "x.mxz"}) copy("models/digits.mxz", name);
    dir.write("mlp-symbol.json", mlp_json());
    const std::vector<std::byte> bert = text_network_params();
    dir.write("bert-symbol.json", text_network_json());
    dir.write("bert-0000.params", {reinterpret_cast<const char*>(bert.data()), bert.size()});
    dir.write("mlp-0000.params", mlp_params());
    dir.write("synset.txt", "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n");
  }
  void add_model(const std::string& prefix, const std::string& dense = "resnetv10_dense0_fwd") const {
    dir.write(prefix + "-symbol.json", network_json(dense));
    dir.write(prefix + "-0000.params", network_params(dense));
  }
  /// Networks of a few words, and a model that takes texts.
  void add_texts() const {
    std::string list;
    for (const std::string& word : bag_words())
      list += (list.empty() ? "" : ", ") + nlohmann::json(word).dump();
    dir.write("vocab.json", R"({"idx_to_token": [)" + list +
                                R"(], "unknown_token": "<unk>", "padding_token": "<pad>", "bos_token": null,
                                "eos_token": null, "reserved_tokens": ["<pad>"]})");
    write_bag_network(dir / "sentiment", {.classes = 10});
    write_bag_network(dir / "paraphrase", {.classes = 10, .segments = true});
    dir.write("texts.txt", "the film was good\nbad and long !\n");
    dir.write("words.json", R"({"texts": {"steps": [{"op": "token_ids", "vocabulary": "vocab.json"}]}})");
    make("fuse --network sentiment --transforms words.json --output language_id");
  }
  void add_arrays_and_images() const {
    for (const char* name : {"data.npy", "batch.npy"})
      save_npy(dir / name, random_tensor({2, 3, 224, 224}, 3, 0, 1));
    formats::save_npz(dir / "batch.npz", {{"data", random_tensor({2, 3, 224, 224}, 3, 0, 1).view()}});
    save_npy(dir / "face.npy", random_tensor({1, 3, 112, 112}, 3, 0, 1));
    for (const char* name : {"kitten.jpg", "cat.jpg", "street.jpg", "IMAGE", "photos/1.jpg", "photos/2.jpg"})
      copy("examples/images/seven.jpg", name);
  }
  void make(const std::string& arguments) const {
    const Outcome outcome = run("mxinfer " + arguments);
    EXPECT_EQ(outcome.exit_code, 0) << arguments << ": " << outcome.err;
  }
  /// Writes the reference of `mxinfer diff`: every value, as the library computes it.
  void dump(const std::string& model, const std::string& folder) const {
    std::vector<std::string> names;
    std::vector<std::string> arguments = {"predict",  dir / model, "--input", "data=" + (dir / "data.npy"),
                                          "--output", dir / folder};
    const nlohmann::json report = json_of({"inspect", dir / model});
    for (const auto& node : report.at("nodes")) {
      names.push_back(node.at("outputs")[0]);
      arguments.insert(arguments.end(), {"--layer", names.back()});
    }
    output_of(arguments);
    for (std::size_t i = 0; i < names.size(); ++i)
      fs::rename(dir / (folder + "/" + std::to_string(i) + ".npy"), dir / (folder + "/" + names[i] + ".npy"));
    copy_inside("data.npy", folder + "/data.npy");
  }
  void copy_inside(const std::string& from, const std::string& to) const { fs::copy(dir / from, dir / to); }

  TempDir dir;
};

std::string to_run(std::string command) {
  for (const Substitution& substitution : substitutions()) {
    const std::size_t at = command.find(substitution.written);
    if (at != std::string::npos) command.replace(at, substitution.written.size(), substitution.run);
  }
  return command;
}

void expect_runs(const std::vector<Command>& commands) {
  if (commands.empty()) return;
  const Playground playground;
  for (const Command& command : commands) {
    const Outcome outcome = playground.run(to_run(command.text));
    EXPECT_EQ(outcome.exit_code, 0) << command.origin << " says\n  " << command.text << "\nwhich gives\n"
                                    << outcome.out << outcome.err;
  }
}

/// Expects that the command has every option of the fragment.
void expect_options_exist(const Command& fragment) {
  static const std::regex option(R"(--[a-z][a-z-]*)");
  std::istringstream words(fragment.text);
  std::string program, name;
  words >> program >> name;
  const std::string help = output_of({name, "--help"});
  for (std::sregex_iterator found(fragment.text.begin(), fragment.text.end(), option), end; found != end;
       ++found) {
    EXPECT_TRUE(std::regex_search(help, std::regex(found->str() + "\\b")))
        << fragment.origin << " says '" << fragment.text << "'; there is no " << found->str();
  }
}

/// Expects a known reason for not running it, and that the script that it names exists.
void expect_known(const Command& command) {
  const std::vector<Other>& others = other_programs();
  EXPECT_TRUE(std::any_of(
      others.begin(), others.end(),
      [&](const Other& other) { return without_settings(command.text).rfind(other.begins, 0) == 0; }))
      << command.origin << " says '" << command.text
      << "', which nothing runs: say why in other_programs(), or run it";
  static const std::regex script(R"((?:^| )((?:[\w.]+/)+[\w.-]+\.(?:sh|py))\b)");
  for (std::sregex_iterator found(command.text.begin(), command.text.end(), script), end; found != end;
       ++found) {
    EXPECT_TRUE(fs::exists(kRoot / (*found)[1].str()))
        << command.origin << " says '" << command.text << "'; there is no " << (*found)[1];
  }
}

std::vector<std::string> documents() {
  std::vector<std::string> paths;
  for (const auto& entry : fs::directory_iterator(kRoot)) {
    if (entry.path().extension() == ".md") paths.push_back(entry.path().filename().string());
  }
  for (const char* folder : {"docs", "models", "tests/oracle"}) {
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
      if (entry.path().extension() == ".md") paths.push_back(fs::relative(entry.path(), kRoot).string());
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param.empty() ? "mxinfer" : info.param;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

class DocumentedCommands : public testing::TestWithParam<std::string> {};

TEST_P(DocumentedCommands, Run) {
  const Documented found = read_document(kRoot / GetParam());
  for (const Command& fragment : found.fragments) expect_options_exist(fragment);
  for (const Command& command : found.others) expect_known(command);
  expect_runs(found.commands);
}

INSTANTIATE_TEST_SUITE_P(Cli, DocumentedCommands, testing::ValuesIn(documents()), test_name);

const std::vector<std::string> kCommands = {
    "inspect", "pack",    "unpack", "fetch", "cache",    "predict", "classify", "classify-text",
    "detect",  "segment", "embed",  "words", "generate", "explain", "bench",    "sign",
    "fuse",    "verify",  "diff",   "tune",  "quantize", "help"};

class ExamplesOfHelp : public testing::TestWithParam<std::string> {};

TEST_P(ExamplesOfHelp, Run) {
  const Documented found = read_help(GetParam());
  EXPECT_FALSE(found.commands.empty());
  expect_runs(found.commands);
}

INSTANTIATE_TEST_SUITE_P(Cli, ExamplesOfHelp, testing::ValuesIn(kCommands), test_name);
INSTANTIATE_TEST_SUITE_P(CliItself, ExamplesOfHelp, testing::Values(""), test_name);

TEST(DocumentedCommandsOf, EveryCommandIsAmongThem) {
  static const std::regex command(R"(\n  ([a-z]+(?:-text)?) )");
  const std::string help = output_of({"--help"});
  const std::size_t begin = help.find("\nRun:\n"), options = help.find("\nOptions:\n");
  ASSERT_LT(begin, options);
  const std::string list = help.substr(begin, options - begin);
  std::size_t count = 0;
  for (std::sregex_iterator found(list.begin(), list.end(), command), end; found != end; ++found) {
    ++count;
    EXPECT_NE(std::find(kCommands.begin(), kCommands.end(), (*found)[1].str()), kCommands.end())
        << (*found)[1];
  }
  EXPECT_EQ(count, kCommands.size());
}

TEST(DocumentedCommandsOf, TheReadmeAreFound) {
  const Documented found = read_document(kRoot / "README.md");
  EXPECT_GT(found.commands.size(), 12u);
  EXPECT_GT(found.others.size(), 5u);
}

}  // namespace
}  // namespace mxinfer::test
