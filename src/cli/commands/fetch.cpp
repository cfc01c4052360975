// mxinfer fetch: downloads a model's files into the folder of copies and prints their checksums.
#include <mxinfer/log.h>
#include <mxinfer/tools/remote_files.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/options/options.h"
#include "cli/output/output.h"
#include "cli/output/transfer_bar.h"
#include "sources/address.h"

namespace mxinfer::cli {
namespace {

/// The model's address with the checksums of its files, which you can use in its place.
std::string pinned(const std::string& model, const std::vector<FetchedFile>& files) {
  std::string address =
      sources::has_scheme(model)
          ? sources::shown(model)
          : "file://" +
                sources::percent_encoded(std::filesystem::absolute(model).lexically_normal().string(), "/");
  for (std::size_t i = 0; i < files.size(); ++i) address += (i == 0 ? "#sha256=" : ",") + files[i].sha256;
  return address;
}

void print_text(const std::vector<FetchedFile>& files, const std::string& pinned_address) {
  Table table;
  for (const FetchedFile& file : files) {
    const std::string name = file.address.substr(file.address.rfind('/') + 1);
    table.add({clean(name), bytes_text(static_cast<double>(file.size)), file.sha256,
               file.path.empty() ? "(no copy)" : clean(file.path)});
  }
  table.print(std::cout);
  std::cout << '\n' << clean(pinned_address) << '\n';
}

int run_fetch(const ModelOptions& options) {
  set_log_callback([](LogLevel, std::string_view message) { print_warnings({std::string(message)}); },
                   LogLevel::warning);
  const std::vector<FetchedFile> files = fetch_model(options.model, load_options(options));
  hide_transfers();
  const std::string address = pinned(options.model, files);
  if (!options.json) {
    print_text(files, address);
    return 0;
  }
  Json report = Json::array();
  for (const FetchedFile& file : files) {
    report.push_back(
        {{"address", file.address}, {"size", file.size}, {"sha256", file.sha256}, {"path", file.path}});
  }
  print_json({{"files", report}, {"pinned", address}});
  return 0;
}

}  // namespace

void add_fetch(CLI::App& app, Run& run) {
  auto options = std::make_shared<ModelOptions>();
  CLI::App* command = app.add_subcommand("fetch", "Download a model ahead of time and print its checksums");
  add_model_argument(*command, *options);
  add_epoch_option(*command, options->epoch, kLoadingGroup);
  add_address_options(*command, *options);
  add_general_options(*command, options->json);
  command->footer(
      "Prints the name, size, SHA-256 checksum and local path of each file of the model, then an address "
      "with these checksums. Pass that address as MODEL to accept only these files. Files are not parsed, "
      "and files that are up to date are not downloaded again. Afterwards, --cache offline needs no "
      "network.\n\n"
      "Examples:\n"
      "  mxinfer fetch https://models.example/digits\n"
      "  mxinfer inspect https://models.example/digits --cache offline\n"
      "  mxinfer fetch https://models.example/digits.mxz --remote connections=8 --json");
  command->callback([&run, options] { run = [options] { return run_fetch(*options); }; });
}

}  // namespace mxinfer::cli
