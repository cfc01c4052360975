// mxinfer embed: computes embeddings of images and compares them.
#include <mxinfer/vision/face_embedder.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/inputs/folders.h"
#include "cli/inputs/image_list.h"
#include "cli/inputs/image_run.h"
#include "cli/options/value_checks.h"
#include "cli/output/output.h"
#include "cli/output/progress.h"
#include "sources/opener.h"
#include "tensor/npy.h"

namespace mxinfer::cli {
namespace {

struct EmbedOptions : ImageRunOptions {
  std::string output;
  bool compare = false;
  bool raw = false;
};

/// An image and its embedding, which is empty if the image cannot be read.
struct Embedded {
  std::string image;
  std::vector<float> vector;
  std::optional<Error> error{};
};

EmbedderOptions embedder_options(const EmbedOptions& options) {
  auto embedder = class_options_of<EmbedderOptions>(options.preprocess);
  embedder.normalize = !options.raw;
  embedder.options = run_options(options);
  return embedder;
}

/// Embeds images as one batch. Images that cannot be read or do not fit do not affect the others.
std::vector<Embedded> embed_listed(const FaceEmbedder& embedder, std::vector<ListedImage>& batch) {
  std::vector<std::vector<float>> vectors =
      run_listed(batch, [&](const ImageBatch& images, std::vector<ItemError>& errors) {
        return images.files.empty() ? embedder.embed_files(images.places, &errors)
                                    : embedder.embed_bytes_list(images.files, &errors);
      });
  std::vector<Embedded> all;
  for (std::size_t i = 0; i < batch.size(); ++i)
    all.push_back({shown_image(batch[i].place), std::move(vectors[i]), batch[i].problem});
  return all;
}

std::vector<Embedded> embed_all(const EmbedOptions& options, const FaceEmbedder& embedder,
                                const LoadOptions& load) {
  const sources::Opener opener(load);
  ImageList list(options.images, options.from, opener);
  Progress progress(list.size());
  const auto batch_size = static_cast<std::size_t>(options.batch_size);
  std::vector<Embedded> all;
  for (auto batch = list.next(batch_size); !batch.empty(); batch = list.next(batch_size)) {
    std::vector<Embedded> embedded = embed_listed(embedder, batch);
    progress.hide();
    for (Embedded& one : embedded) {
      if (one.error) std::cerr << "mxinfer: " << one.error->what() << '\n';
      all.push_back(std::move(one));
    }
    progress.advance(batch.size());
  }
  progress.hide();
  return all;
}

/// Writes (images, n), with a row of NaN for each image without an embedding; nothing if no image has one.
void save_vectors(const std::string& path, const std::vector<Embedded>& all) {
  std::size_t length = 0;
  for (const Embedded& one : all) length = std::max(length, one.vector.size());
  if (length == 0) return;
  Tensor rows(DType::float32, {static_cast<std::int64_t>(all.size()), static_cast<std::int64_t>(length)});
  auto* row = rows.data<float>();
  for (const Embedded& one : all) {
    std::fill(row, row + length, std::numeric_limits<float>::quiet_NaN());
    std::copy(one.vector.begin(), one.vector.end(), row);
    row += length;
  }
  make_folder_of("--output", path);
  save_npy(path, rows);
}

/// A vector of zeros, or with infinities or NaN, which --raw may return, has no direction and no cosine.
bool has_direction(const std::vector<float>& vector) {
  return std::all_of(vector.begin(), vector.end(), [](float x) { return std::isfinite(x); }) &&
         std::any_of(vector.begin(), vector.end(), [](float x) { return x != 0; });
}

/// Calls use(first, second, cosine) for each pair of images that have a cosine.
template <typename Use>
void for_each_pair(const std::vector<Embedded>& all, const Use& use) {
  for (std::size_t a = 0; a < all.size(); ++a) {
    for (std::size_t b = a + 1; b < all.size(); ++b) {
      if (!has_direction(all[a].vector) || !has_direction(all[b].vector)) continue;
      use(all[a].image, all[b].image, cosine_similarity(all[a].vector, all[b].vector));
    }
  }
}

Json pairs_json(const std::vector<Embedded>& all) {
  Json pairs = Json::array();
  for_each_pair(all, [&](const std::string& a, const std::string& b, float cosine) {
    pairs.push_back({{"first", a}, {"second", b}, {"cosine", cosine}});
  });
  return pairs;
}

void print_report_json(const EmbedOptions& options, const std::vector<Embedded>& all) {
  Json images = Json::array();
  for (const Embedded& one : all) {
    if (one.error) {
      images.push_back({{"image", one.image},
                        {"error", {{"code", to_string(one.error->code())}, {"message", one.error->what()}}}});
    } else {
      images.push_back({{"image", one.image}, {"vector", one.vector}});
    }
  }
  Json report = {{"images", images}};
  if (options.compare) report["pairs"] = pairs_json(all);
  print_json(report);
}

/// The first numbers of the vector.
std::string beginning_of(const std::vector<float>& vector) {
  constexpr std::size_t kShown = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(kShown, vector.size()); ++i) text += fixed(vector[i], 4) + ' ';
  return text + (vector.size() > kShown ? "..." : "");
}

void print_report(const EmbedOptions& options, const std::vector<Embedded>& all) {
  Table vectors;
  for (const Embedded& one : all) {
    if (one.error) continue;
    vectors.add({clean(one.image), std::to_string(one.vector.size()) + " numbers", beginning_of(one.vector)});
  }
  vectors.print(std::cout);
  if (!options.compare) return;
  Table pairs;
  for_each_pair(all, [&](const std::string& a, const std::string& b, float cosine) {
    pairs.add({fixed(cosine, 4), clean(a), clean(b)});
  });
  std::cout << "cosine\n";
  pairs.print(std::cout);
}

int run_embed(const EmbedOptions& options) {
  require_images("embed", options);
  const LoadOptions load = load_options(options);
  const FaceEmbedder embedder(load_model(options, load), embedder_options(options));
  print_warnings(embedder.warnings());
  const std::vector<Embedded> all = embed_all(options, embedder, load);
  if (!options.output.empty()) save_vectors(options.output, all);
  if (options.json) {
    print_report_json(options, all);
  } else {
    print_report(options, all);
  }
  return std::any_of(all.begin(), all.end(), [](const Embedded& one) { return one.error.has_value(); }) ? 1
                                                                                                        : 0;
}

}  // namespace

void add_embed(CLI::App& app, Run& run) {
  auto options = std::make_shared<EmbedOptions>();
  CLI::App* command =
      app.add_subcommand("embed", "Compute embeddings of images, such as aligned faces, and compare them");
  add_image_arguments(*command, *options);
  command
      ->add_option("-o,--output", options->output,
                   "Write the embeddings to this file, float32 (images, n), with rows of NaN for images that "
                   "cannot be read")
      ->type_name("FILE.npy");
  command->add_flag("--compare", options->compare,
                    "Print the cosine similarity of every pair of images, -1 to 1");
  command->add_flag("--raw", options->raw, "Do not scale embeddings to length 1");
  whole_number(
      command->add_option("-b,--batch-size", options->batch_size, "Number of images per batch (default 8)"),
      1, 65536)
      ->type_name("N");
  add_preprocess_options(*command, options->preprocess);
  add_general_options(*command, options->json);
  command->footer(
      "MODEL has one output, (batch, n); for a classifier, select an inner value with --layer. Faces must be "
      "cropped and aligned. If an image cannot be read, the command reports it, embeds the others, and exits "
      "with 1.\n\n"
      "Examples:\n"
      "  mxinfer embed models/digits examples/images/seven.jpg examples/images/nine.jpg --compare\n"
      "  mxinfer embed arcface photos --preset insightface --layer fc1_output --output faces.npy");
  command->callback([&run, options] { run = [options] { return run_embed(*options); }; });
}

}  // namespace mxinfer::cli
