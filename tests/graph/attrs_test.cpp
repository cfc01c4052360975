#include "graph/attrs.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/expect_error.h"

namespace mxinfer::graph {
namespace {

const std::vector<AttrSpec>& specs() {
  static const std::vector<AttrSpec> all = {
      tuple_attr("kernel"),
      tuple_attr("pad", "()"),
      tuple_attr("axis", "None"),
      integer_attr("num_filter", 1).at_least(1),
      number_attr("eps", 0.001),
      flag_attr("no_bias", false),
      choice_attr("act_type", {"relu", "tanh"}, "relu"),
      integer_attr("top").optional_none(),
      number_tuple_attr("mean", "(0.5, 1)"),
  };
  return all;
}

Attrs parse(std::map<std::string, std::string> raw) {
  raw.emplace("kernel", "(3, 3)");
  return parse_attrs(specs(), raw);
}

TEST(Attrs, DefaultsAreFilledIn) {
  const Attrs attrs = parse({});
  EXPECT_EQ(attrs.tuple("kernel"), (std::vector<std::int64_t>{3, 3}));
  EXPECT_TRUE(attrs.tuple("pad").empty());
  EXPECT_FALSE(attrs.has("axis"));
  EXPECT_FALSE(attrs.has("top"));
  EXPECT_FALSE(attrs.has("no_attribute_of_this_operator"));
  EXPECT_EQ(attrs.integer("num_filter"), 1);
  EXPECT_EQ(attrs.number("eps"), 0.001);
  EXPECT_EQ(attrs.choice("act_type"), "relu");
  EXPECT_EQ(attrs.number_tuple("mean"), (std::vector<double>{0.5, 1}));
  EXPECT_TRUE(attrs.given("kernel"));
  EXPECT_FALSE(attrs.given("eps"));
}

TEST(Attrs, NanIsNotWithinLimits) {
  const std::vector<AttrSpec> limited = {number_attr("scale", 0.5).at_least(0).at_most(1),
                                         number_attr("least", 1).at_least(0),
                                         number_attr("most", 1).at_most(2), number_attr("any", 0)};
  for (const char* name : {"scale", "least", "most"}) {
    for (const char* text : {"nan", "-nan", "NaN"}) {
      EXPECT_MXINFER_ERROR(parse_attrs(limited, {{name, text}}), ErrorCode::malformed, {name, text});
    }
  }
  EXPECT_TRUE(std::isnan(parse_attrs(limited, {{"any", "nan"}}).number("any")));
  EXPECT_TRUE(std::isinf(parse_attrs(limited, {{"least", "inf"}}).number("least")));
}

TEST(Attrs, EverySpellingOfATuple) {
  const std::vector<std::int64_t> expected{2, -1};
  for (const char* text : {"(2, -1)", "(2,-1)", "[2,-1]", "[2L, -1L]", " ( 2 , -1 ) ", "(2,-1,)", "2,-1"}) {
    EXPECT_EQ(parse({{"kernel", text}}).tuple("kernel"), expected) << text;
  }
  EXPECT_EQ(parse({{"kernel", "3"}}).tuple("kernel"), std::vector<std::int64_t>{3});
  EXPECT_EQ(parse({{"kernel", "(3,)"}}).tuple("kernel"), std::vector<std::int64_t>{3});
  const IntTuple none = parse({{"kernel", "(None, 2)"}}).optional_tuple("kernel");
  EXPECT_FALSE(none[0]);
  EXPECT_EQ(none[1], 2);
}

TEST(Attrs, EverySpellingOfScalars) {
  for (const char* text : {"True", "true", "1"}) EXPECT_TRUE(parse({{"no_bias", text}}).flag("no_bias"));
  for (const char* text : {"False", "false", "0"}) EXPECT_FALSE(parse({{"no_bias", text}}).flag("no_bias"));
  EXPECT_EQ(parse({{"eps", "1e-05"}}).number("eps"), 1e-5);
  EXPECT_TRUE(std::isinf(parse({{"eps", "-inf"}}).number("eps")));
  EXPECT_TRUE(std::isnan(parse({{"eps", "nan"}}).number("eps")));
  EXPECT_EQ(parse({{"num_filter", "64L"}}).integer("num_filter"), 64);
  EXPECT_EQ(parse({{"top", "7"}}).integer("top"), 7);
}

TEST(Attrs, AnnotationsArePassedOver) {
  EXPECT_NO_THROW(parse({{"__lr_mult__", "2.0"}}));
}

TEST(Attrs, WhatDoesNotFitIsNamed) {
  struct Bad {
    const char* name;
    const char* text;
    const char* expected;
  };
  for (const Bad& bad :
       {Bad{"kernel", "(3,", "expected a tuple"}, Bad{"kernel", "(a, 3)", "(3, 3)"},
        Bad{"kernel", "(1.5, 3)", "tuple of integers"}, Bad{"num_filter", "0", "at least 1"},
        Bad{"num_filter", "many", "an integer"}, Bad{"num_filter", "99999999999999999999", "an integer"},
        Bad{"eps", "", "a number"}, Bad{"no_bias", "yes", "True or False"},
        Bad{"act_type", "gelu", "one of relu tanh"}, Bad{"num_filter", "None", "an integer"},
        Bad{"mean", "(0.5, x)", "tuple of numbers"}}) {
    EXPECT_MXINFER_ERROR(parse({{bad.name, bad.text}}), ErrorCode::malformed,
                         {std::string(bad.name) + "=\"" + bad.text + "\"", bad.expected});
  }
  EXPECT_MXINFER_ERROR(parse_attrs(specs(), {}), ErrorCode::malformed, {"kernel", "required", "missing"});
  EXPECT_MXINFER_ERROR(parse({{"strude", "1"}}), ErrorCode::malformed, {"strude"});
}

TEST(Attrs, OperatorsWithoutAttributesIgnoreAny) {
  EXPECT_NO_THROW(parse_attrs({}, {{"dtype", "int64"}}));  // zeros_like of exported detectors
}

}  // namespace
}  // namespace mxinfer::graph
