// Texts in front of a network on a GPU, or on its emulator: they become ids on the CPU, and the network runs
// on the device.
#include <gtest/gtest.h>
#include <mxinfer/predictor.h>
#include <mxinfer/tools/model_builder.h>

#include <string>
#include <vector>

#include "support/expect_error.h"
#include "support/files/text_rows.h"
#include "support/networks/text_network.h"

namespace mxinfer {
namespace {

namespace t = mxinfer::transforms;
using test::text_tensor;

Model of_texts() {
  const std::string json = test::text_network_json();
  const auto params = test::text_network_params();
  VocabularyOptions options;
  options.unknown = "?";
  TextTransform text;
  text.inputs = {"text", "text_pair"};
  text.steps = {t::basic_tokenize(), t::wordpiece(Vocabulary({"-", "?", "<", ">", "un", "##able"}, options))};
  text.begin = "<";
  text.end = ">";
  text.max_length = 12;
  text.ids = "data0";
  text.segments = "data1";
  text.length = "data2";
  return ModelBuilder::from_memory(Span<const char>(json), Span<const std::byte>(params)).texts(text).build();
}

TEST(Texts, OnADeviceAsOnTheCpu) {
  const Model model = of_texts();
  Options options;
  options.device = "cuda:0";
  const Predictor on_device(model, options), on_cpu(model);
  const Tensor first = text_tensor({"Unable un", "", "un"}, 16), second = text_tensor({"un x", "un", ""}, 16);
  const Tensor given = std::move(on_device.predict({first, second})[0]);
  const Tensor expected = std::move(on_cpu.predict({first, second})[0]);
  ASSERT_EQ(given.shape(), (Shape{3, 4}));
  // < un ##able un > un ? >: a length of 8, and three of them of the second text
  EXPECT_EQ(expected.data<float>()[3], 8);
  for (std::int64_t i = 0; i < 12; ++i) EXPECT_EQ(given.data<float>()[i], expected.data<float>()[i]) << i;
  EXPECT_MXINFER_ERROR(on_device.predict({text_tensor({"un", "\xFF"}, 4), text_tensor({"", ""}, 4)}),
                       ErrorCode::invalid_argument, {"row 1"});
}

}  // namespace
}  // namespace mxinfer
