// Executor: a plan and an arena of its own. One call at a time; the pool hands executors to threads.
#pragma once

#include <memory>
#include <vector>

#include "base/aligned_memory.h"
#include "base/thread_arena.h"
#include "plan/plan.h"

namespace mxinfer::exec {

class Executor {
 public:
  /// Allocates the arena and resolves every address that does not change from run to run.
  explicit Executor(std::shared_ptr<const plan::Plan> plan);

  const plan::Plan& plan() const { return *plan_; }

  /// Runs the plan inside `threads`. inputs and outputs have the plan's types, in the network's order;
  /// outputs must not overlap inputs. Allocates nothing.
  void run(const void* const* inputs, void* const* outputs, ThreadArena& threads);

 private:
  // An operand that is the caller's memory, to be filled in at each run.
  struct Patch {
    std::size_t operand;
    std::size_t argument;
    bool is_output;
  };
  const void* resolve(const plan::Location& location, std::vector<Patch>& patches, std::size_t operand) const;

  std::shared_ptr<const plan::Plan> plan_;
  AlignedBuffer arena_;
  AlignedBuffer scratch_;
  AlignedBuffer thread_scratch_;
  std::vector<const void*> sources_;  ///< the input addresses of all steps, one after another
  std::vector<void*> destinations_;   ///< the output addresses of all steps
  std::vector<Patch> source_patches_;
  std::vector<Patch> destination_patches_;
};

}  // namespace mxinfer::exec
