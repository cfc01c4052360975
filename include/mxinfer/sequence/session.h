// Session: a sequence that arrives in pieces. It keeps the states of a recurrent network between calls.
//
//   mxinfer::Session session = language_model.session();    // of a SequencePredictor
//   for (std::int32_t id : ids) std::vector<mxinfer::Tensor> outputs = session.step(id);
//   mxinfer::Session saved = session;       // a snapshot: continues from here by itself
//   session.reset();                        // the next step begins with zeros
//
// Pieces of any length give the same results as the whole sequence in one call. A session holds little but
// its states, so a program can have thousands. SequencePredictor::step advances many of them as one batch.
#pragma once

#include <mxinfer/export.h>
#include <mxinfer/named_views.h>
#include <mxinfer/signature.h>
#include <mxinfer/span.h>
#include <mxinfer/tensor.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

class SequencePredictor;

/// A sequence that arrives in pieces. Use a session from one thread at a time. Different sessions may run at
/// the same time, even if they share a predictor. A session keeps its predictor alive. If a step throws, the
/// states do not change.
class MXINFER_API Session {
 public:
  // A copy has its own states. You can assign to a moved-from session and destroy it; anything else throws
  // Error(invalid_argument).
  Session(const Session& other);
  Session& operator=(const Session& other);
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;
  ~Session();

  /// Runs the next piece, which is passed as to SequencePredictor::predict_sequence. Returns the outputs that
  /// are not states, in order and without a batch. Nothing is padded or cut.
  ///
  /// If the network takes only certain lengths, the length of a piece must be a sum of these (any length if 1
  /// is one of them). The network then runs several times. Outputs with a time axis are concatenated; of the
  /// others, the last is returned. Throws Error(invalid_argument) for other lengths, and as predict_sequence.
  std::vector<Tensor> step(Span<const std::int32_t> ids);
  std::vector<Tensor> step(const TensorView& sequence);
  std::vector<Tensor> step(const NamedViews<TensorView>& inputs);
  /// Runs a piece of one id.
  std::vector<Tensor> step(std::int32_t id);

  /// Sets all states to zeros.
  void reset() noexcept;
  /// Returns a copy of the states by the names of their inputs, each as a batch of one.
  [[nodiscard]] std::map<std::string, Tensor> states() const;
  /// Continues from states that states() of a session of the same model returned. Throws
  /// Error(invalid_argument) if a name is not a state, a state is missing, or a dtype or shape differs; the
  /// states then do not change.
  void set_states(const NamedViews<TensorView>& states);
  /// Returns the name, dtype and shape of each state.
  [[nodiscard]] const std::vector<DataDesc>& state_descs() const;

 private:
  friend class SequencePredictor;
  struct Impl;
  explicit Session(std::unique_ptr<Impl> impl) noexcept;
  Impl& impl() const;
  std::unique_ptr<Impl> impl_;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
