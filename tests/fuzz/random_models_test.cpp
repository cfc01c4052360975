// Random models (random_model.h) for as long as it is told, each made of the number that is its seed:
//
//   MXINFER_FUZZ_SECONDS=3600 MXINFER_FUZZ_SEED=1000000 mxinfer_fuzz_tests --gtest_filter='RandomModels.*'
//
// A crash prints the seed it happened at; with MXINFER_FUZZ_SECONDS=0 that one alone is run, and with
// MXINFER_FUZZ_PRINT=1 its symbol is printed.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <random>
#include <vector>

#include "fuzz/fuzz_targets.h"
#include "support/refuse_large_memory.h"

#if defined(__SANITIZE_ADDRESS__)
extern "C" void __sanitizer_set_death_callback(void (*callback)());
#endif

namespace mxinfer::test {
namespace {

volatile std::uint32_t current_seed = 0;

void print_seed() {
  char text[64];
  const int length = std::snprintf(text, sizeof text, "\nMXINFER_FUZZ_SEED=%u\n", current_seed);
  (void)!::write(STDERR_FILENO, text, static_cast<std::size_t>(length));
}

void on_signal(int signal) {
  print_seed();
  ::raise(signal);
}

void print_seed_at(std::initializer_list<int> signals) {
  for (const int signal : signals) {
    struct sigaction action = {};
    action.sa_handler = on_signal;
    action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_NODEFER;
    ::sigaction(signal, &action, nullptr);
  }
}

void print_seed_at_death() {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_set_death_callback(print_seed);
  print_seed_at({SIGALRM, SIGPROF});
#else
  print_seed_at({SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM, SIGPROF});
  const rlimit memory{rlim_t{2} << 30, rlim_t{2} << 30};
  ::setrlimit(RLIMIT_AS, &memory);
#endif
}

// A model may take 30 seconds of the processors' time, so that a busy machine is no hang, and five minutes by
// the clock, so that threads that wait for each other are one.
void limit_time(int processor_seconds, unsigned clock_seconds) {
  itimerval timer = {};
  timer.it_value.tv_sec = processor_seconds;
  ::setitimer(ITIMER_PROF, &timer, nullptr);
  ::alarm(clock_seconds);
}

long number_from(const char* variable, long otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtol(text, nullptr, 10);
}

std::vector<std::uint8_t> bytes_of(std::uint32_t seed) {
  std::mt19937 engine(seed);
  std::vector<std::uint8_t> bytes(64 + engine() % 448);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(engine());
  return bytes;
}

TEST(RandomModels, GiveResultsOrErrors) {
  print_seed_at_death();
  auto seed = static_cast<std::uint32_t>(number_from("MXINFER_FUZZ_SEED", 1));
  const auto end =
      std::chrono::steady_clock::now() + std::chrono::seconds(number_from("MXINFER_FUZZ_SECONDS", 5));
  std::size_t runs = 0;
  do {
    current_seed = seed;
    limit_time(30, 300);
    const auto bytes = bytes_of(seed++);
    fuzz_model({bytes.data(), bytes.size()});
    ++runs;
  } while (std::chrono::steady_clock::now() < end);
  limit_time(0, 0);
  std::printf("%zu models\n", runs);
}

}  // namespace
}  // namespace mxinfer::test
