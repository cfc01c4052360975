#include "support/kernel_label.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace mxinfer::test {
namespace {

using kernels::Target;

/// How the names of steps that may run vector code begin; all others are plain code.
constexpr std::string_view kVectorised[] = {
    "add_n_",
    "binary_",
    "box_decode_float32",
    "box_nms_",
    "cast_bfloat16_to_float32",
    "cast_float32_to_bfloat16",
    "conv",
    "deconv_",
    "deformable_",
    "elementwise_chain_",
    "gemm_",
    "int8_",
    "l2_normalize",
    "lrn_rows_",
    "multibox_detection_",
    "pool_nd_",
    "proposal_",
    "reduce_",
    "resize_",
    "rnn_",
    "roi_align_",
    "row_norm_rows_",
    "scale_shift_",
    "separable",
    "softmax_",
    "unary_",
    "CropMirror",
    "FastResize",
    "ResizeCrop",
    "product",
};

/// Steps that run other steps, or nothing at all.
constexpr std::string_view kWithoutCode[] = {"alias",
                                             "constant",
                                             "copy_nothing",
                                             "cond",
                                             "empty",
                                             "foreach, ",
                                             "nothing to compute",
                                             "one operator after another",
                                             "one sample after another",
                                             "while_loop, ",
                                             "part_with_boxes",
                                             "random_resized_crop"};

bool begins_with_any(const std::string& label, const auto& beginnings) {
  return std::any_of(std::begin(beginnings), std::end(beginnings),
                     [&](std::string_view begin) { return label.starts_with(begin); });
}

}  // namespace

std::string instructions_of(const std::string& label) {
  const std::size_t at = label.rfind(" [");
  return label.empty() || label.back() != ']' || at == std::string::npos
             ? std::string()
             : label.substr(at + 2, label.size() - at - 3);
}

std::string label_fault(const std::string& label, Target asked) {
  const std::string instructions = instructions_of(label);
  if (instructions.empty()) {
    return begins_with_any(label, kWithoutCode) ? "" : "it does not say whose instructions its code uses";
  }
  // OpenBLAS chooses its instructions itself.
  if (instructions == to_string(Target::ref) || instructions == "openblas") return "";
  if (asked == Target::ref) return "the reference was requested";
  if (instructions != to_string(asked)) return "it names instructions that were not asked for";
  if (label.find("_ref_") != std::string::npos) return "a reference is plain code";
  return begins_with_any(label, kVectorised) ? "" : "plain code names no instruction set";
}

}  // namespace mxinfer::test
