// What operators say of what they cannot run.
#pragma once

#include <gtest/gtest.h>
#include <mxinfer/error.h>

#include <map>
#include <string>
#include <vector>

#include "support/run_op.h"

namespace mxinfer::test {

/// The message of the Error that the operator throws; empty if it throws none.
inline std::string message_of(const std::string& op, const std::map<std::string, std::string>& attrs,
                              const std::vector<const Tensor*>& inputs) {
  try {
    run_op(op, attrs, inputs);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

/// Expects an Error with a code and with a part in its message.
inline void expect_op_error(const std::string& op, const std::map<std::string, std::string>& attrs,
                            const std::vector<const Tensor*>& inputs, ErrorCode code,
                            const std::string& part) {
  try {
    run_op(op, attrs, inputs);
    ADD_FAILURE() << op << " threw nothing";
  } catch (const Error& e) {
    EXPECT_STREQ(to_string(e.code()), to_string(code)) << e.what();
    EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
  }
}

}  // namespace mxinfer::test
