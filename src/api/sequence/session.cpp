#include <mxinfer/sequence/session.h>

#include <algorithm>
#include <set>
#include <utility>

#include "api/core/predictor_call.h"
#include "api/sequence/session_walks.h"
#include "base/fail.h"
#include "model/check_inputs.h"

namespace mxinfer {

using api::SequenceItem;
using Sequences = api::SequenceAccess::Sequences;

struct Session::Impl {
  SequencePredictor predictor;
  std::vector<Tensor> states;  ///< of SequenceLayout::states, each a batch of one; empty: zeros

  const Sequences& sequences() const { return api::SequenceAccess::sequences(predictor); }
};

namespace {

std::vector<Tensor> clones_of(const std::vector<Tensor>& tensors) {
  std::vector<Tensor> clones;
  for (const Tensor& tensor : tensors) clones.push_back(tensor.clone());
  return clones;
}

/// A function that converts the piece of session i to an item.
using MakePiece = FunctionRef<SequenceItem(std::size_t i, std::vector<Tensor>& owned)>;

std::vector<std::vector<Tensor>> step_all(const SequencePredictor& predictor,
                                          const std::vector<std::vector<Tensor>*>& states, MakePiece make,
                                          std::vector<ItemError>* errors) {
  const Sequences& sequences = api::SequenceAccess::sequences(predictor);
  return api::as_call(predictor, [&] {
    api::SessionWalks all(sequences, api::PredictorAccess::impl(predictor), states.size());
    std::vector<Tensor> owned;
    for (std::size_t i = 0; i < states.size(); ++i) {
      try {
        all.prepare(i, *states[i], make(i, owned));
      } catch (const Error&) {
        all.thrown[i] = std::current_exception();
      }
    }
    if (errors == nullptr) api::report(all.thrown, nullptr);
    all.run();
    api::report(all.thrown, errors);
    std::vector<std::vector<Tensor>> outputs(states.size());
    for (std::size_t i = 0; i < states.size(); ++i) {
      if (!all.thrown[i]) outputs[i] = all.outputs_of(i);
    }
    for (std::size_t i = 0; i < states.size(); ++i) {
      if (!all.thrown[i]) states[i]->swap(all.states_of(i));  // from here on nothing throws
    }
    return outputs;
  });
}

void check_count(std::size_t sessions, std::size_t pieces) {
  if (sessions == pieces) return;
  fail(ErrorCode::invalid_argument, sessions, " sessions and ", pieces,
       " pieces were given; expected one piece for each session");
}

}  // namespace

Session::Session(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
Session::Session(const Session& other) try
    : impl_(new Impl{other.impl().predictor, clones_of(other.impl().states)}) {
} catch (...) {
  throw_as_error();
}
Session& Session::operator=(const Session& other) {
  if (this != &other) *this = Session(other);
  return *this;
}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

Session::Impl& Session::impl() const {
  if (impl_ == nullptr)
    fail(ErrorCode::invalid_argument,
         "this Session was moved from; assign another one to it before you use it");
  return *impl_;
}

std::vector<Tensor> Session::step(Span<const std::int32_t> ids) try {
  Impl& of = impl();
  const auto make = [&](std::size_t, std::vector<Tensor>& owned) {
    return of.sequences().item_of(ids, owned);
  };
  return std::move(step_all(of.predictor, {&of.states}, make, nullptr)[0]);
} catch (...) {
  throw_as_error();
}

std::vector<Tensor> Session::step(const TensorView& sequence) try {
  Impl& of = impl();
  const auto make = [&](std::size_t, std::vector<Tensor>&) { return of.sequences().item_of(sequence); };
  return std::move(step_all(of.predictor, {&of.states}, make, nullptr)[0]);
} catch (...) {
  throw_as_error();
}

std::vector<Tensor> Session::step(const NamedViews<TensorView>& inputs) try {
  Impl& of = impl();
  const auto make = [&](std::size_t, std::vector<Tensor>&) { return of.sequences().item_of(inputs); };
  return std::move(step_all(of.predictor, {&of.states}, make, nullptr)[0]);
} catch (...) {
  throw_as_error();
}

std::vector<Tensor> Session::step(std::int32_t id) {
  return step(Span<const std::int32_t>(&id, 1));
}

void Session::reset() noexcept {
  if (impl_ != nullptr) impl_->states.clear();
}

std::map<std::string, Tensor> Session::states() const try {
  const Impl& of = impl();
  const auto& descs = of.sequences().state_descs;
  std::map<std::string, Tensor> states;
  for (std::size_t s = 0; s < descs.size(); ++s) {
    states.emplace(descs[s].name,
                   of.states.empty() ? Tensor(descs[s].dtype, descs[s].shape) : of.states[s].clone());
  }
  return states;
} catch (...) {
  throw_as_error();
}

void Session::set_states(const NamedViews<TensorView>& states) try {
  Impl& of = impl();
  const auto& descs = of.sequences().state_descs;
  std::vector<Tensor> given;
  for (const DataDesc& desc : descs) {
    const auto found = states.map().find(desc.name);
    if (found == states.map().end()) {
      fail(ErrorCode::invalid_argument, "state '", printable(desc.name), "' was not given; the states of ",
           of.sequences().name, " are ", api::names_of(descs));
    }
    const TensorView& view = found->second;
    if (view.dtype() != desc.dtype || view.shape() != desc.shape || view.raw() == nullptr) {
      fail(ErrorCode::invalid_argument, "state '", printable(desc.name), "' was given as ",
           to_string(view.dtype()), " ", to_string(view.shape()), "; ", of.sequences().name, " has ",
           to_string(desc.dtype), " ", to_string(desc.shape));
    }
    if (view.device().type != DeviceType::cpu) {
      fail(ErrorCode::invalid_argument, "state '", printable(desc.name), "' of ", of.sequences().name,
           " was given in GPU memory; expected CPU memory");
    }
    given.push_back(Tensor::copy_of(view));
  }
  for (const auto& [name, view] : states.map()) {
    const auto is_it = [&wanted = name](const DataDesc& desc) { return desc.name == wanted; };
    if (std::any_of(descs.begin(), descs.end(), is_it)) continue;
    fail(ErrorCode::invalid_argument, "no state of ", of.sequences().name, " is called '", printable(name),
         "'; its states are ", api::names_of(descs));
  }
  of.states = std::move(given);
} catch (...) {
  throw_as_error();
}

const std::vector<DataDesc>& Session::state_descs() const try {
  return impl().sequences().state_descs;
} catch (...) {
  throw_as_error();
}

Session SequencePredictor::session() const try {
  if (sequences_->layout.states.empty()) {
    fail(ErrorCode::unsupported, sequences_->name,
         " has no states that are both inputs and outputs, so nothing can be kept between calls; export it "
         "with its states, and if they are not found, name them in SequenceOptions::states");
  }
  return Session(std::unique_ptr<Session::Impl>(new Session::Impl{*this, {}}));
} catch (...) {
  throw_as_error();
}

std::vector<std::vector<Tensor>*> SequencePredictor::states_of(Span<Session* const> sessions) const {
  std::vector<std::vector<Tensor>*> states;
  std::set<const Session*> seen;
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    if (sessions[i] == nullptr) fail(ErrorCode::invalid_argument, "session ", i, " is a null pointer");
    if (!seen.insert(sessions[i]).second)
      fail(ErrorCode::invalid_argument, "session ", i,
           " is given twice; a session takes one piece at a time");
    if (sessions[i]->impl().predictor.sequences_ != sequences_) {
      fail(ErrorCode::invalid_argument, "session ", i,
           " belongs to another predictor; SequencePredictor::step takes only sessions of its own session()");
    }
    states.push_back(&sessions[i]->impl().states);
  }
  return states;
}

std::vector<std::vector<Tensor>> SequencePredictor::step(Span<Session* const> sessions,
                                                         Span<const std::vector<std::int32_t>> pieces,
                                                         std::vector<ItemError>* errors) const try {
  check_count(sessions.size(), pieces.size());
  const auto make = [&](std::size_t i, std::vector<Tensor>& owned) {
    return sequences_->item_of(Span<const std::int32_t>(pieces[i]), owned);
  };
  return step_all(*this, states_of(sessions), make, errors);
} catch (...) {
  throw_as_error();
}

std::vector<std::vector<Tensor>> SequencePredictor::step(Span<Session* const> sessions,
                                                         const TensorViews& pieces,
                                                         std::vector<ItemError>* errors) const try {
  check_count(sessions.size(), pieces.size());
  const auto make = [&](std::size_t i, std::vector<Tensor>&) { return sequences_->item_of(pieces[i]); };
  return step_all(*this, states_of(sessions), make, errors);
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
