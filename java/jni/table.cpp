// Tables: structs of Arrow's C Data Interface, by their addresses.
#include <mxinfer/table/table_predictor.h>

#include <string>
#include <vector>

#include "c_api/sequence/handles.h"
#include "handles.h"
#include "org_mxinfer_Native.h"
#include "org_mxinfer_NativeSequence.h"
#include "support.h"
#include "values.h"
#include "vision/detect_options.h"

using namespace mxinfer::jni;
using mxinfer::TableOptions;
using mxinfer::TablePredictor;

namespace {

std::vector<mxinfer::InputColumns> columns_of(JNIEnv* env, jobjectArray inputs, jintArray counts,
                                              jobjectArray columns) {
  const std::vector<std::string> names = to_strings(env, inputs), all = to_strings(env, columns);
  std::vector<mxinfer::InputColumns> list;
  std::size_t next = 0;
  const std::vector<std::int32_t> numbers = to_ids(env, counts);
  for (std::size_t i = 0; i < names.size(); ++i) {
    list.push_back({names[i], {}});
    for (std::int32_t j = 0; j < numbers.at(i); ++j) list.back().columns.push_back(all.at(next++));
  }
  return list;
}

TablePredictor make(jint kind, jlong address, const TableOptions& options) {
  switch (kind) {
    case org_mxinfer_Native_CLASSIFIER:
      return TablePredictor(object<const mxinfer_classifier>(address)->classifier, options);
    case org_mxinfer_Native_IMAGE_CLASSIFIER:
      return TablePredictor(object<const mxinfer_image_classifier>(address)->classifier, options);
    case org_mxinfer_Native_OBJECT_DETECTOR:
      return TablePredictor(object<const mxinfer_object_detector>(address)->detector, options);
    case org_mxinfer_Native_TEXT_CLASSIFIER:
      return TablePredictor(object<const mxinfer_text_classifier>(address)->classifier, options);
    case org_mxinfer_Native_PREDICTOR:
      return TablePredictor(predictor_at(address), options);
    default:
      return TablePredictor(object<const Derived>(address)->base()->predictor, options);
  }
}

}  // namespace

jlong Java_org_mxinfer_NativeSequence_createTable(JNIEnv* env, jclass /*type*/, jint kind, jlong predictor,
                                                  jobjectArray inputs, jintArray counts, jobjectArray columns,
                                                  jint top_k, jfloat threshold, jint most,
                                                  jobjectArray classes, jobjectArray threshold_classes,
                                                  jfloatArray thresholds, jfloatArray nms, jboolean fail,
                                                  jint batch_rows) {
  return guard(env, [&] {
    TableOptions options;
    options.columns = columns_of(env, inputs, counts, columns);
    options.top_k = top_k;
    options.detect = Wanted(env, threshold, most, classes, threshold_classes, thresholds, nms).cpp_options();
    options.errors = fail == JNI_TRUE ? mxinfer::RowErrors::fail : mxinfer::RowErrors::column;
    options.batch_rows = batch_rows;
    return give(make(kind, predictor, options));
  });
}

void Java_org_mxinfer_NativeSequence_freeTable(JNIEnv* /*env*/, jclass /*type*/, jlong table) {
  delete object<TablePredictor>(table);
}

void Java_org_mxinfer_NativeSequence_tableSchema(JNIEnv* env, jclass /*type*/, jlong table, jlong schema,
                                                 jlong result) {
  guard(env, [&] {
    object<const TablePredictor>(table)->result_schema(*object<const ArrowSchema>(schema),
                                                       object<ArrowSchema>(result));
  });
}

void Java_org_mxinfer_NativeSequence_predictTable(JNIEnv* env, jclass /*type*/, jlong table, jlong schema,
                                                  jlong array, jlong result) {
  guard(env, [&] {
    object<const TablePredictor>(table)->predict(
        *object<const ArrowSchema>(schema), *object<const ArrowArray>(array), object<ArrowArray>(result));
  });
}
