#include "soak/options.h"

#include <algorithm>
#include <string_view>

#include "soak/memory.h"

namespace mxinfer::soak {

double SoakOptions::warm_up_seconds() const {
  if (!kMemoryIsTelling) return 1;
  // What malloc keeps, and how many threads have come together at most, has settled by then.
  return std::clamp(seconds, 15.0, 600.0);
}

double SoakOptions::interval_seconds() const {
  return std::clamp(seconds / 40, 0.25, 60.0);
}

SoakOptions parse_options(int argc, const char* const* argv) {
  SoakOptions options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view option = argv[i];
    const auto value = [&]() -> std::string_view {
      if (++i == argc) throw UsageError(std::string(option) + " needs a value");
      return argv[i];
    };
    if (option == "--seconds") {
      options.seconds = bench::number(option, value(), 1.0, 1e7);
    } else if (option == "--threads") {
      options.threads = bench::number(option, value(), 1, 1024);
    } else if (option == "--seed") {
      options.seed = bench::number<std::uint64_t>(option, value(), 0, ~std::uint64_t{0});
    } else if (option == "--default-malloc") {
      options.default_malloc = true;
    } else if (option == "--json") {
      options.json = true;
    } else if (option == "--help" || option == "-h") {
      options.help = true;
    } else {
      throw UsageError("unknown option '" + std::string(option) + "'; see --help");
    }
  }
  return options;
}

const char* help_text() {
  return R"(Usage: mxinfer_soak [--seconds S] [--threads N] [--seed N] [--default-malloc] [--json]

Shows that the memory of a process stays flat while many threads call models in every way: shapes that vary
so that plans come and go, synchronous and asynchronous calls, cancelled and late ones, full queues, errors,
models and predictors that are made, replaced and destroyed with work in flight.

  --seconds S   how long to work after the warm-up, which takes as long, but 15 seconds at least and
                ten minutes at most, and begins with a rush of new models and plans [60]
  --threads N   threads that call [16]
  --seed N      of the choices that the threads make [1]
  --default-malloc
                leave malloc as it is: glibc's then keeps forty MB of what was freed, now more, now less,
                so that resident memory is shown, and not judged
  --json        one JSON document instead of tables
  --help        this text

A sample is taken while all threads are at rest. The exit code is 1 if
  - resident memory grows by more than 1 MB after the warm-up,
  - the live heap, which is what was allocated and not freed, grows by more than 64 KB,
  - 100,000 predictions of one small model, the last phase, leave one block on the heap, or resident memory
    grows by more than two pages,
  - a call ends in a way that it must not.
The exit code is 2 for a command line that makes no sense.
)";
}

}  // namespace mxinfer::soak
