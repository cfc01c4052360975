// What a test chooses of the emulator, in the process or by the environment:
//
//   mxinfer_simt_set_options("order=reverse,late=1,seed=7");
//   MXINFER_SIMT=order=random,late=1 MXINFER_SIMT_ARCH=7.5 ./mxinfer_cuda_tests
#pragma once

#include <cstddef>
#include <string>

namespace mxinfer::simt {

/// In which order threads go on that a barrier has held up, and blocks start.
enum class Order { forward, reverse, random };

struct Options {
  Order order = Order::forward;  ///< order=forward, reverse or random
  bool async_late = true;        ///< late=1: cp_async copies when it is waited for, not at once
  bool multiply_late = false;    ///< multiply_late=1: group_mma_*() multiplies when its group is waited for
  unsigned seed = 1;             ///< seed=7, of order=random
  int os_threads = 1;            ///< threads=2: as many blocks run at once
  bool queue = true;             ///< queue=1: streams work when they are waited for; 0: at once
  int not_ready = 2;             ///< ready=0: so many queries of an event say that it has not happened

  int devices = 1;                            ///< devices=2, or MXINFER_SIMT_DEVICES
  unsigned long long lost = 0;                ///< lost=5: devices 0 and 2 (bits 0 and 2), until they are not
  std::size_t memory = std::size_t{8} << 30;  ///< memory=BYTES of each device, or MXINFER_SIMT_MEMORY
  int major = 9, minor = 0;                   ///< arch=7.5, or MXINFER_SIMT_ARCH
  int multiprocessors = 16;                   ///< multiprocessors=132
  int driver = 13000;                         ///< driver=12040, or MXINFER_SIMT_DRIVER; 0: there is none

  bool is_lost(int device) const { return device < 64 && (lost >> device & 1) != 0; }
  bool is_ampere_or_later() const { return major >= 8; }
};

/// Those of the environment, until they are set. Thread-safe.
Options options();
void set_options(const Options& options);

/// Changes what the text names: "key=value,...". False, with the complaint, if it cannot be read.
bool parse_options(const std::string& text, Options* options, std::string* complaint);

}  // namespace mxinfer::simt

/// How many graphs were launched so far, replays of recordings. Found with dlsym.
extern "C" __attribute__((visibility("default"))) unsigned long long mxinfer_simt_graph_launches();

/// Changes what the text names; a text that cannot be read ends the process. Found with dlsym.
extern "C" __attribute__((visibility("default"))) void mxinfer_simt_set_options(const char* text);
