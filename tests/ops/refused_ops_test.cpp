// Operators that are known and do not run.

#include <gtest/gtest.h>

#include "ops/registry.h"

namespace mxinfer::ops {
namespace {

struct Known {
  const char* op;
  const char* part;  // of what is said
};

TEST(RefusedOps, SayWhatTheyAreAndWhatToDo) {
  for (const Known& known :
       {Known{"sgd_mom_update", "optimizer"}, Known{"_contrib_group_adagrad_update", "optimizer"},
        Known{"lamb_update_phase1", "optimizer"}, Known{"_backward_Convolution", "gradient"},
        Known{"Custom", "written in Python"}, Known{"_sg_mkldnn_selfatt_qk", "MXNET_SUBGRAPH_BACKEND=NONE"},
        Known{"_contrib_quantized_rnn", "int8"}, Known{"_contrib_dgl_subgraph", "DGL"},
        Known{"_sample_unique_zipfian", "random numbers"}, Known{"_npi_laplace", "random numbers"},
        Known{"WarpDrive", "not known here"}}) {
    EXPECT_EQ(find_op(known.op), nullptr) << known.op;
    EXPECT_NE(why_refused(known.op).find(known.part), std::string::npos) << why_refused(known.op);
  }
}

TEST(RefusedOps, AreNoneOfThoseThatRun) {
  for (const RefusedOps& kind : refused_ops()) {
    for (const std::string& name : kind.names) EXPECT_EQ(find_op(name), nullptr) << name;
  }
}

TEST(RefusedOps, MatchWholeNames) {
  EXPECT_EQ(find_refused("multi_larsen"), nullptr);
  EXPECT_EQ(find_refused(""), nullptr);
  EXPECT_EQ(find_refused("update"), nullptr);
  EXPECT_NE(find_refused("_update"), nullptr);
}

}  // namespace
}  // namespace mxinfer::ops
