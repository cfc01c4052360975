// Attributes and inputs that mxinfer's own operators on 8-bit values share. A value q of 8 bits is the number
// q * step; steps follow from attributes and parameters, and there is no zero point.
#pragma once

#include "ops/op_def.h"

namespace mxinfer::ops {

/// A number attribute as float32. Fails unless it is finite, and for `positive_attr` above 0.
float finite_attr(const Attrs& attrs, const char* name);
float positive_attr(const Attrs& attrs, const char* name);

/// Appends the attributes of activation_of(attrs, prefix); by default there is no activation.
void add_activation_attrs(std::vector<AttrSpec>& attrs, const std::string& prefix);

/// The names data, weight, scale and, unless no_bias, bias.
PortNames int8_product_ports(const Attrs& attrs);
/// Fails unless data is of 8 bits, and the others have these shapes and int8, float32 and int32.
void expect_int8_product(const InferContext& context, const Shape& weight);

}  // namespace mxinfer::ops
