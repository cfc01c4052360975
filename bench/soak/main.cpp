// mxinfer_soak: shows that memory stays flat while many threads call models in every way.
//
//   mxinfer_soak                         a minute of work
//   mxinfer_soak --seconds 36000         ten hours
//   mxinfer_soak --seconds 10 --json
#include <algorithm>
#include <chrono>
#include <exception>
#include <iostream>

#include "soak/crew.h"
#include "soak/malloc_settings.h"
#include "soak/operations/model_operations.h"
#include "soak/options.h"
#include "soak/progress.h"
#include "soak/report.h"
#include "soak/samples.h"
#include "soak/stage.h"
#include "soak/steady.h"

namespace mxinfer::soak {
namespace {

/// About what the steady phase takes; for the progress bar.
constexpr double kSteadySeconds = 5;
constexpr int kMostPeriods = 3;

class Soak {
 public:
  explicit Soak(const SoakOptions& options)
      : options_(options),
        samples_(static_cast<std::size_t>(kMostPeriods * total_seconds() / options.interval_seconds()) + 100),
        progress_(total_seconds() + kSteadySeconds),
        crew_(stage_, options.threads, options.seed, surprises_) {}

  /// What is wrong.
  std::vector<std::string> run() {
    if (!options_.json) print_header();
    make_predictors_at_once(stage_, options_.threads);
    run_crew(Phase::rush, options_.warm_up_seconds() / 2);
    run_crew(Phase::warm_up, options_.warm_up_seconds() / 2);
    work_until_level();
    run_steady();
    progress_.hide();
    const Result result{options_, samples_, bars(), crew_.tallies(), surprises_};
    options_.json ? print_json(result) : print_end(result);
    return result.failures();
  }

 private:
  double total_seconds() const { return options_.warm_up_seconds() + options_.seconds; }

  double elapsed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

  /// The rush comes first: malloc's heap has holes up to where it once reached, and chance alone would bring
  /// as many models and plans together only now and then, and raise it each time.
  void run_crew(Phase phase, double seconds) {
    const double end = elapsed() + seconds;
    do {
      progress_.show(to_string(phase), crew_.calls());
      crew_.work_for(options_.interval_seconds(), phase == Phase::rush);
      stage_.settle();
      sample(phase, crew_.calls());
    } while (elapsed() < end);
  }

  /// What malloc keeps between blocks grows where chance brings more together than ever before, rarer each
  /// time; a leak grows in every period. So work that raised the memory is the warm-up of the next.
  void work_until_level() {
    for (int period = 1;; ++period) {
      run_crew(Phase::work, options_.seconds);
      const std::vector<Bar> bars = this->bars();
      const bool is_level =
          std::all_of(bars.begin(), bars.end(), [](const Bar& bar) { return bar.is_kept(); });
      if (is_level || period == kMostPeriods) return;
      samples_.begin_anew();
    }
  }

  void run_steady() {
    constexpr std::uint64_t kParts = 5;
    Steady steady(stage_, options_.threads, surprises_);
    steady.call(kSteadyCalls / kParts);  // its own warm-up
    sample(Phase::steady, 0);
    for (std::uint64_t part = 1; part <= kParts; ++part) {
      progress_.show(to_string(Phase::steady), part * kSteadyCalls / kParts);
      steady.call(kSteadyCalls / kParts);
      sample(Phase::steady, part * kSteadyCalls / kParts);
    }
  }

  void sample(Phase phase, std::uint64_t calls) {
    samples_.add({phase, elapsed(), calls, memory_now()});
    progress_.hide();
    if (!options_.json) print_row(samples_.list().back());
  }

  std::vector<Bar> bars() const {
    if (!kMemoryIsTelling) return {};
    std::vector<Bar> all;
    for (const auto& bars : {samples_.bars_of_work(), samples_.bars_of_steady()}) {
      // The first one is of resident memory.
      all.insert(all.end(), bars.begin() + (options_.default_malloc ? 1 : 0), bars.end());
    }
    return all;
  }

  const SoakOptions options_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  Samples samples_;
  Progress progress_;
  Surprises surprises_{};
  Stage stage_{};
  Crew crew_;
};

int run(int argc, const char* const* argv) {
  const SoakOptions options = parse_options(argc, argv);
  if (options.help) {
    std::cout << help_text();
    return 0;
  }
  if (!options.default_malloc) set_malloc();
  const std::vector<std::string> failures = Soak(options).run();
  for (const std::string& failure : failures) std::cerr << "mxinfer_soak: " << failure << '\n';
  return failures.empty() ? 0 : 1;
}

}  // namespace
}  // namespace mxinfer::soak

int main(int argc, char** argv) {
  try {
    return mxinfer::soak::run(argc, argv);
  } catch (const mxinfer::soak::UsageError& error) {
    std::cerr << "mxinfer_soak: " << error.what() << '\n';
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "mxinfer_soak: " << error.what() << '\n';
    return 1;
  }
}
