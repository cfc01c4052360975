#include "soak/report.h"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/output/output.h"

namespace mxinfer::soak {
namespace {

double megabytes(std::int64_t bytes) {
  return static_cast<double>(bytes) / (1 << 20);
}

std::string count_text(std::uint64_t count) {
  return cli::with_commas(static_cast<std::int64_t>(count));
}

void print_tallies(const std::vector<Tally>& tallies) {
  cli::Table table;
  std::vector<std::string> head{"operation"};
  head.insert(head.end(), kEndings.begin(), kEndings.end());
  table.add(std::move(head));
  for (std::size_t i = 0; i < tallies.size(); ++i) {
    std::vector<std::string> row{operations()[i].name};
    for (std::size_t e = 0; e < kEndings.size(); ++e) row.push_back(count_text(tallies[i].of(Ending(e))));
    table.add(std::move(row));
  }
  std::cout << '\n';
  table.print(std::cout);
}

cli::Json to_json(const Sample& sample) {
  return {{"phase", to_string(sample.phase)},
          {"seconds", sample.seconds},
          {"calls", sample.calls},
          {"resident_bytes", sample.memory.resident},
          {"anonymous_bytes", sample.memory.anonymous},
          {"heap_bytes", sample.memory.heap.bytes},
          {"heap_blocks", sample.memory.heap.blocks},
          {"idle_bytes", sample.memory.idle}};
}

cli::Json to_json(const Bar& bar) {
  return {{"what", bar.what},
          {"growth", bar.growth},
          {"limit", bar.limit},
          {"unit", bar.unit},
          {"kept", bar.is_kept()}};
}

cli::Json to_json(const Tally& tally) {
  cli::Json json = cli::Json::object();
  for (std::size_t e = 0; e < kEndings.size(); ++e) json[std::string(kEndings[e])] = tally.of(Ending(e));
  return json;
}

template <typename List>
cli::Json list_json(const List& list) {
  cli::Json json = cli::Json::array();
  for (const auto& item : list) json.push_back(to_json(item));
  return json;
}

}  // namespace

std::vector<std::string> Result::failures() const {
  std::vector<std::string> found;
  for (const Bar& bar : bars) {
    if (!bar.is_kept()) found.push_back(describe(bar));
  }
  for (std::size_t i = 0; i < tallies.size(); ++i) {
    if (tallies[i].all() == 0) found.push_back(std::string("no call of ") + operations()[i].name);
  }
  if (surprises.count() > 0) {
    found.push_back(count_text(surprises.count()) +
                    " calls ended as they must not; the first: " + surprises.first());
  }
  return found;
}

void print_header() {
  std::printf("%-8s %8s %12s %12s %12s %12s %12s %12s\n", "phase", "seconds", "calls", "resident MB",
              "of no file", "heap MB", "heap blocks", "malloc idle");
}

void print_row(const Sample& sample) {
  const Memory& memory = sample.memory;
  std::printf("%-8s %8.1f %12llu %12.2f %12.2f %12.3f %12lld %12.2f\n", to_string(sample.phase),
              sample.seconds, static_cast<unsigned long long>(sample.calls), megabytes(memory.resident),
              megabytes(memory.anonymous), megabytes(memory.heap.bytes),
              static_cast<long long>(memory.heap.blocks), megabytes(memory.idle));
  std::fflush(stdout);
}

void print_end(const Result& result) {
  print_tallies(result.tallies);
  std::cout << '\n';
  for (const Bar& bar : result.bars) {
    std::cout << (bar.is_kept() ? "kept: " : "MISSED: ") << describe(bar) << '\n';
  }
  if (result.bars.empty()) std::cout << "memory was not judged: a sanitizer keeps what is freed\n";
}

void print_json(const Result& result) {
  cli::Json counts = cli::Json::object();
  for (std::size_t i = 0; i < result.tallies.size(); ++i)
    counts[operations()[i].name] = to_json(result.tallies[i]);
  const SoakOptions& options = result.options;
  cli::print_json({{"seconds", options.seconds},
                   {"threads", options.threads},
                   {"seed", options.seed},
                   {"samples", list_json(result.samples.list())},
                   {"operations", counts},
                   {"bars", list_json(result.bars)},
                   {"failures", result.failures()},
                   {"passed", result.failures().empty()}});
}

}  // namespace mxinfer::soak
