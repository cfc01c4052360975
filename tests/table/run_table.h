// Tables through predictors, as programs that have a table do it.
#pragma once

#include <gtest/gtest.h>
#include <mxinfer/table/table_predictor.h>

#include "support/files/arrow_table.h"

namespace mxinfer::test {

/// `result` gets the schema, then the rows: as many as the table has.
inline void run(const TablePredictor& predictor, ArrowTable& table, ArrowResult& result) {
  predictor.result_schema(table.schema(), &result.schema);
  predictor.predict(table.schema(), table.array(), &result.array);
  ASSERT_EQ(result.array.n_children, result.schema.n_children);
  ASSERT_EQ(result.array.length, table.array().length);
}

}  // namespace mxinfer::test
