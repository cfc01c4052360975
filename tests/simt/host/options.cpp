#include "simt/host/options.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mutex>

namespace mxinfer::simt {
namespace {

bool parse_number(const std::string& text, unsigned long long* number) {
  char* end = nullptr;
  *number = std::strtoull(text.c_str(), &end, 10);
  return !text.empty() && *end == '\0' && text[0] != '-';
}

bool parse_order(const std::string& value, Options* options) {
  if (value == "forward") options->order = Order::forward;
  if (value == "reverse") options->order = Order::reverse;
  if (value == "random") options->order = Order::random;
  return value == "forward" || value == "reverse" || value == "random";
}

bool parse_arch(const std::string& value, Options* options) {
  return std::sscanf(value.c_str(), "%d.%d", &options->major, &options->minor) == 2;
}

bool parse_one(const std::string& key, const std::string& value, Options* options) {
  if (key == "order") return parse_order(value, options);
  if (key == "arch") return parse_arch(value, options);
  unsigned long long number = 0;
  if (!parse_number(value, &number)) return false;
  const int small = static_cast<int>(number);
  if (key == "late")
    options->async_late = number != 0;
  else if (key == "multiply_late")
    options->multiply_late = number != 0;
  else if (key == "seed")
    options->seed = static_cast<unsigned>(number);
  else if (key == "threads")
    options->os_threads = small;
  else if (key == "queue")
    options->queue = number != 0;
  else if (key == "ready")
    options->not_ready = small;
  else if (key == "devices")
    options->devices = small;
  else if (key == "lost")
    options->lost = number;
  else if (key == "memory")
    options->memory = static_cast<std::size_t>(number);
  else if (key == "driver")
    options->driver = small;
  else if (key == "multiprocessors")
    options->multiprocessors = small;
  else
    return false;
  return true;
}

/// A text that is wrong must not pass for a test of the options that it means.
void parse_or_exit(const std::string& text, Options* options) {
  std::string complaint;
  if (parse_options(text, options, &complaint)) return;
  std::fprintf(stderr, "SIMT emulator: %s\n", complaint.c_str());
  std::exit(2);
}

Options of_environment() {
  Options options;
  const struct {
    const char *variable, *key;
  } variables[] = {{"MXINFER_SIMT", ""},
                   {"MXINFER_SIMT_DEVICES", "devices="},
                   {"MXINFER_SIMT_MEMORY", "memory="},
                   {"MXINFER_SIMT_ARCH", "arch="},
                   {"MXINFER_SIMT_DRIVER", "driver="}};
  for (const auto& [variable, key] : variables) {
    if (const char* value = std::getenv(variable)) parse_or_exit(std::string(key) + value, &options);
  }
  return options;
}

struct Chosen {
  std::mutex mutex;
  Options options = of_environment();
};

Chosen& chosen() {
  static Chosen& all = *new Chosen;
  return all;
}

}  // namespace

bool parse_options(const std::string& text, Options* options, std::string* complaint) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string part = text.substr(at, end - at);
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos || !parse_one(part.substr(0, equals), part.substr(equals + 1), options)) {
      *complaint = "option '" + part +
                   "' cannot be read; expected order=forward|reverse|random, arch=MAJOR.MINOR, or one of "
                   "late, multiply_late, seed, threads, queue, ready, devices, lost, memory, driver and "
                   "multiprocessors with a number";
      return false;
    }
    at = end + 1;
  }
  return true;
}

Options options() {
  Chosen& all = chosen();
  const std::lock_guard lock(all.mutex);
  return all.options;
}

void set_options(const Options& options) {
  Chosen& all = chosen();
  const std::lock_guard lock(all.mutex);
  all.options = options;
}

}  // namespace mxinfer::simt

void mxinfer_simt_set_options(const char* text) {
  mxinfer::simt::Options options = mxinfer::simt::options();
  mxinfer::simt::parse_or_exit(text, &options);
  mxinfer::simt::set_options(options);
}
