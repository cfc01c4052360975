// The pieces of several sessions, each run as parts of lengths that the network takes.
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

  /// The piece of session `i`, which goes on from `states`, of SequenceLayout::states or empty: zeros. They
  /// must outlive run(). Error(invalid_argument) for a piece that the network does not take, or that has
  /// states.
  void prepare(std::size_t i, const std::vector<Tensor>& states, SequenceItem item);
  /// All parts of all pieces, those with the same number in one batch. What fails is in `thrown`.
  void run();

  /// The outputs of all parts as one. Precondition, here and below: nothing was thrown.
  std::vector<Tensor> outputs_of(std::size_t i);
  std::vector<Tensor>& states_of(std::size_t i) { return walks_[i].states; }

  std::vector<std::exception_ptr> thrown;  ///< by session; one that has something there is passed over

 private:
  /// One session's way through its piece.
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
