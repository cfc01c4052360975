// Makes a model of a few random operators, with its inputs, of a fuzzer's bytes: any operator of the
// registry, attributes that its AttrSpec allows and some that it does not, inputs and parameters of every
// dtype, empty tensors, NaN and infinities, loops and branches, several outputs, transforms in front.
#pragma once

#include <mxinfer/tensor.h>
#include <mxinfer/tools/model_builder.h>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "fuzz/byte_choices.h"

namespace mxinfer::test {

struct RandomModel {
  std::string symbol;             ///< the text of a -symbol.json
  std::vector<std::byte> params;  ///< the bytes of a .params file
  std::map<std::string, Tensor> inputs;
  std::vector<Transform> transforms;  ///< for ModelBuilder; mostly empty
};

RandomModel random_model(ByteChoices& choices);

}  // namespace mxinfer::test
