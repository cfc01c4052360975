// Samples: the memory over time, and whether it stayed flat.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "soak/memory.h"

namespace mxinfer::soak {

enum class Phase { rush, warm_up, work, steady };
/// "rush", "warm-up", "work", "steady".
[[nodiscard]] const char* to_string(Phase phase) noexcept;

struct Sample {
  Phase phase = Phase::warm_up;
  double seconds = 0;  ///< from the start of the program
  std::uint64_t calls = 0;
  Memory memory{};
};

/// What may grow by so much from one phase to the next.
struct Bar {
  std::string what;
  std::int64_t growth = 0;
  std::int64_t limit = 0;
  std::string unit = "bytes";
  [[nodiscard]] bool is_kept() const noexcept { return growth <= limit; }
};

/// Its own memory is taken at once, so that it is part of no growth.
class Samples {
 public:
  explicit Samples(std::size_t most) { list_.reserve(most); }
  void add(const Sample& sample) { list_.push_back(sample); }
  [[nodiscard]] const std::vector<Sample>& list() const noexcept { return list_; }

  /// What was work until now was warm-up.
  void begin_anew();

  /// The most of the work beside the most of the warm-up: what a phase has at most is what a machine must
  /// have, and does not depend on when the last sample was taken.
  [[nodiscard]] std::vector<Bar> bars_of_work() const;
  /// The last sample of the steady phase beside its first. Blocks are exact; how many bytes malloc gives for
  /// the same request differs by a few, with what was free.
  [[nodiscard]] std::vector<Bar> bars_of_steady() const;

 private:
  std::vector<Sample> list_{};
};

/// "resident memory after the warm-up grew by 3,200,000 bytes, and may by 1,048,576".
[[nodiscard]] std::string describe(const Bar& bar);

}  // namespace mxinfer::soak
