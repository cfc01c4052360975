// Runs the sequences of sequences.py and writes what they give:
//
//   mxinfer_run_sequences MODEL FOLDER predict COUNT              FOLDER/0.npy, ... as one list
//   mxinfer_run_sequences MODEL FOLDER pieces COUNT LENGTH...     each through a session, in pieces of these lengths
//   mxinfer_run_sequences MODEL FOLDER sessions COUNT LENGTH...   the same with three sessions of each side by side
//
// The outputs are FOLDER/<sequence>_<output>.npy, and FOLDER/counts.json says how many there are of each.
// Pieces are put together along their first axis.
#include <mxinfer/mxinfer.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "tensor/npy.h"

namespace {

using mxinfer::Tensor;
using Ids = std::vector<std::int32_t>;

Tensor join_rows(const std::vector<std::vector<Tensor>>& parts, std::size_t output) {
  mxinfer::Shape shape = parts[0][output].shape();
  shape[0] = 0;
  for (const auto& part : parts) shape[0] += part[output].shape()[0];
  Tensor joined(parts[0][output].dtype(), shape);
  auto* to = static_cast<char*>(joined.raw());
  for (const auto& part : parts) {
    std::memcpy(to, part[output].raw(), part[output].bytes());
    to += part[output].bytes();
  }
  return joined;
}

std::vector<Tensor> joined(const std::vector<std::vector<Tensor>>& parts) {
  std::vector<Tensor> outputs;
  for (std::size_t o = 0; o < parts[0].size(); ++o) outputs.push_back(join_rows(parts, o));
  return outputs;
}

std::vector<Tensor> in_pieces(const mxinfer::SequencePredictor& predictor, const Ids& ids,
                              const std::vector<std::size_t>& lengths, std::size_t copies) {
  std::vector<mxinfer::Session> sessions;
  for (std::size_t i = 0; i < copies; ++i) sessions.push_back(predictor.session());
  std::vector<mxinfer::Session*> pointers;
  for (mxinfer::Session& session : sessions) pointers.push_back(&session);
  std::vector<std::vector<Tensor>> parts;
  auto at = ids.begin();
  for (const std::size_t length : lengths) {
    const Ids piece(at, at + static_cast<std::ptrdiff_t>(length));
    at += static_cast<std::ptrdiff_t>(length);
    if (copies == 1) {
      parts.push_back(sessions[0].step(piece));
    } else {
      parts.push_back(std::move(predictor.step(pointers, std::vector<Ids>(copies, piece))[copies - 1]));
    }
  }
  return joined(parts);
}

void run(const std::vector<std::string>& arguments) {
  const std::string &folder = arguments[1], &mode = arguments[2];
  const mxinfer::SequencePredictor predictor(arguments[0]);
  std::vector<Ids> sequences;
  for (std::size_t i = 0; i < std::stoul(arguments[3]); ++i) {
    const Tensor array = mxinfer::load_npy(folder + "/" + std::to_string(i) + ".npy");
    const auto ids = array.span<std::int32_t>();
    sequences.emplace_back(ids.begin(), ids.end());
  }
  std::vector<std::size_t> lengths;
  for (std::size_t i = 4; i < arguments.size(); ++i) lengths.push_back(std::stoul(arguments[i]));
  std::vector<std::vector<Tensor>> outputs;
  if (mode == "predict") {
    outputs = predictor.predict_sequences(sequences);
  } else {
    for (const Ids& ids : sequences)
      outputs.push_back(in_pieces(predictor, ids, lengths, mode == "sessions" ? 3 : 1));
  }
  std::ofstream counts(folder + "/counts.json");
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    counts << (i == 0 ? "[" : ", ") << outputs[i].size();
    for (std::size_t o = 0; o < outputs[i].size(); ++o)
      mxinfer::save_npy(folder + "/" + std::to_string(i) + "_" + std::to_string(o) + ".npy", outputs[i][o]);
  }
  counts << "]\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    std::cerr << "usage: mxinfer_run_sequences MODEL FOLDER predict|pieces|sessions COUNT [LENGTH...]\n";
    return 2;
  }
  try {
    run({argv + 1, argv + argc});
    return 0;
  } catch (const std::exception& e) {
    std::cerr << "mxinfer_run_sequences: " << e.what() << '\n';
    return 1;
  }
}
