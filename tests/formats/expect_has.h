// Expects a part in a text, and shows the text otherwise.
#pragma once

#include <gtest/gtest.h>

#include <string>

#define EXPECT_HAS(text, part) EXPECT_NE(std::string(text).find(part), std::string::npos) << (text)
