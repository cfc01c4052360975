// The handles of sequences, texts and words.
#pragma once

#include <mxinfer/item_error.h>
#include <mxinfer/sequence/bucketed_model.h>
#include <mxinfer/sequence/ctc.h>
#include <mxinfer/sequence/generator.h>
#include <mxinfer/sequence/sequence_predictor.h>
#include <mxinfer/sequence/session.h>
#include <mxinfer/sequence/text_classifier.h>
#include <mxinfer/sequence/tokenizer.h>
#include <mxinfer/sequence/vocabulary.h>
#include <mxinfer/sequence/word_vectors.h>
#include <mxinfer_c.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "c_api/handles.h"

struct mxinfer_ids {
  std::vector<std::int32_t> list;
};

struct mxinfer_texts {
  std::vector<std::string> list;
};

struct mxinfer_vocabulary {
  mxinfer::Vocabulary vocabulary;
};

struct mxinfer_tokenizer {
  explicit mxinfer_tokenizer(const mxinfer::Tokenizer& t) : tokenizer(t), vocabulary{t.vocabulary()} {}
  mxinfer::Tokenizer tokenizer;
  mxinfer_vocabulary vocabulary;  ///< lent
};

struct mxinfer_word_vectors {
  explicit mxinfer_word_vectors(const mxinfer::WordVectors& v)
      : vectors(v), vocabulary{v.vocabulary()}, matrix(v.matrix()) {}
  mxinfer::WordVectors vectors;
  mxinfer_vocabulary vocabulary;  ///< lent
  mxinfer::TensorView matrix;     ///< whose shape is lent
};

struct mxinfer_near_words {
  std::vector<mxinfer::NearWord> list;
};

struct mxinfer_bucketed_model {
  mxinfer::BucketedModel model;
};

struct mxinfer_sequence_outputs {
  std::vector<mxinfer_tensors> list{};
  std::vector<mxinfer::ItemError> errors{};
};

struct mxinfer_session {
  explicit mxinfer_session(mxinfer::Session s) : session(std::move(s)), states{session.state_descs()} {}
  mxinfer::Session session;
  mxinfer_descs states;  ///< lent
};

struct mxinfer_sequence_predictor {
  explicit mxinfer_sequence_predictor(const mxinfer::SequencePredictor& p) : predictor(p), base{p} {}
  mxinfer::SequencePredictor predictor;
  mxinfer_predictor base;
};

struct mxinfer_text_classifier {
  explicit mxinfer_text_classifier(const mxinfer::TextClassifier& c) : classifier(c), base(c) {}
  mxinfer::TextClassifier classifier;
  mxinfer_sequence_predictor base;
};

struct mxinfer_generated {
  std::vector<std::vector<mxinfer::Generated>> prompts;
};

struct mxinfer_generation {
  mxinfer::Generation generation;
};

/// It lends what mxinfer_generator_options points to.
struct mxinfer_sequence_generator {
  explicit mxinfer_sequence_generator(const mxinfer::SequenceGenerator& g);
  mxinfer_sequence_generator(const mxinfer_sequence_generator&) = delete;
  mxinfer_sequence_generator& operator=(const mxinfer_sequence_generator&) = delete;
  ~mxinfer_sequence_generator() = default;

  mxinfer::SequenceGenerator generator;
  mxinfer_predictor base;
  mxinfer_vocabulary vocabulary;
  std::optional<mxinfer_tokenizer> tokenizer{};
  std::vector<const char*> state_inputs{};
  std::vector<const char*> state_outputs{};
  std::int32_t begin_id = -1;
  std::int32_t end_id = -1;
};

struct mxinfer_ctc_sequences {
  std::vector<std::vector<mxinfer::CtcSequence>> list{};
};
