// Runs the pieces of several sessions, each as parts whose lengths the network accepts.
//
//   SessionWalks all(sequences, impl, sessions.size());
//   all.prepare(i, states, piece);           // of each session
//   all.run();                               // parts of different sessions side by side
//   all.outputs_of(i), all.states_of(i)      // unless all.thrown[i]
#pragma once

#include <mxinfer/tensor.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <vector>

#include "api/sequence/sequences.h"

namespace mxinfer::api {

class SessionWalks {
 public:
  using Sequences = SequenceAccess::Sequences;
  SessionWalks(const Sequences& sequences, PredictorAccess::Impl& impl, std::size_t count);

  /// Sets the piece of session `i`, which continues from `states` (SequenceLayout::states; empty means
  /// zeros). They must outlive run(). Throws Error(invalid_argument) for a piece that the network rejects, or
  /// that contains states.
  void prepare(std::size_t i, const std::vector<Tensor>& states, SequenceItem item);
  /// Runs all parts of all pieces; parts with the same index run in one batch. Stores exceptions in `thrown`.
  void run();

  /// The concatenated outputs of all parts. Precondition, here and below: nothing was thrown.
  std::vector<Tensor> outputs_of(std::size_t i);
  std::vector<Tensor>& states_of(std::size_t i) { return walks_[i].states; }

  std::vector<std::exception_ptr> thrown;  ///< by session; sessions with an exception are skipped

 private:
  /// One session's progress through its piece.
  struct Walk {
    SequenceItem whole;
    std::vector<std::int64_t> lengths;  ///< of the parts that it runs as
    std::int64_t done = 0;              ///< of the sequence
    const std::vector<Tensor>* begin = nullptr;
    std::vector<Tensor> states;                ///< after the last part; empty: `begin`
    std::vector<std::vector<Tensor>> outputs;  ///< of each part, but for states
  };
  bool is_state(std::size_t output) const;
  void run_part(std::size_t part, const std::vector<std::size_t>& members);
  SequenceItem part_of(const Walk& walk, std::size_t part, std::vector<Tensor>& owned) const;
  void advance(Walk& walk, std::int64_t length, const std::vector<Tensor>& batch, std::int64_t row) const;

  const Sequences& sequences_;
  PredictorAccess::Impl& impl_;
  std::vector<Walk> walks_;
};

}  // namespace mxinfer::api
