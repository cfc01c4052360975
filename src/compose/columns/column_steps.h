// The steps that only columns of a table have.
#pragma once

#include "compose/build_transforms.h"
#include "graph/attrs.h"

namespace mxinfer::api {

std::vector<graph::AttrSpec> fill_null_attrs();
void fill_null(const graph::Attrs& attrs, Chain& chain);

std::vector<graph::AttrSpec> lookup_attrs();
void lookup(const graph::Attrs& attrs, Chain& chain);

/// (x - mean) / std by plain arithmetic. Precondition: std has no 0.
void normalize_column(const graph::Attrs& attrs, Chain& chain);

/// Whether a column's steps handle nulls. Throws Error(invalid_argument) if they do so for text but a lookup
/// then rejects the empty text.
bool takes_nulls(const ColumnTransform& column);

}  // namespace mxinfer::api
