// Session: a sequence that comes bit by bit. The states of the recurrent network are kept between calls.
//
//   mxinfer::Session session = language_model.session();    // of a SequencePredictor
//   for (std::int32_t id : ids) std::vector<mxinfer::Tensor> outputs = session.step(id);
//   mxinfer::Session saved = session;       // a snapshot: goes on from here on its own
//   session.reset();                        // the next step begins with zeros
//
// Pieces of any length give what the whole sequence gives in one call. A session holds its states and nothing
// else of size, so there may be thousands; SequencePredictor::step takes many a step further as one batch.
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

/// For one thread at a time; different sessions, of one predictor too, may be used side by side. It keeps its
/// predictor alive. After a step that throws the states are as before.
class MXINFER_API Session {
 public:
  // A copy has states of its own. A session that was moved from can be assigned to and destroyed; everything
  // else is Error(invalid_argument).
  Session(const Session& other);
  Session& operator=(const Session& other);
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;
  ~Session();

  /// The next piece, as SequencePredictor::predict_sequence takes sequences. Gives the outputs that are no
  /// states, in order and without a batch. Nothing is padded or cut off: a network of certain lengths takes
  /// pieces that can be made of these (with 1 among them: any), and runs several times then; outputs with an
  /// axis of time are put together, of the others the last is given. Error(invalid_argument) for other
  /// lengths, and as predict_sequence.
  std::vector<Tensor> step(Span<const std::int32_t> ids);
  std::vector<Tensor> step(const TensorView& sequence);
  std::vector<Tensor> step(const NamedViews<TensorView>& inputs);
  /// One id.
  std::vector<Tensor> step(std::int32_t id);

  /// States are zeros again.
  void reset() noexcept;
  /// A copy of the states by the names of their inputs, each as a batch of one.
  [[nodiscard]] std::map<std::string, Tensor> states() const;
  /// Goes on from these, which states() of a session of the same model gave. Errors (invalid_argument): a
  /// name that no state has, a state that is missing, another dtype or shape; nothing is changed then.
  void set_states(const NamedViews<TensorView>& states);
  /// Name, dtype and shape of each state.
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
