// org.mxinfer.tests.ArrowFloats: a table of one column of float32, as structs of Arrow's C Data Interface.
#include <jni.h>
#include <mxinfer/table/arrow.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace {

template <typename T>
T* pointer(jlong address) {
  return reinterpret_cast<T*>(address);  // NOLINT(performance-no-int-to-ptr): Java has no pointers
}

/// A struct of one column, and what it points to.
struct Table {
  explicit Table(std::vector<float> values) : floats(std::move(values)) {
    column_schema.format = "f";
    column_schema.name = "x";
    schema.format = "+s";
    schema.name = "";
    schema.n_children = 1;
    schema.children = &schema_children;
    const auto rows = static_cast<std::int64_t>(floats.size());
    column_buffers[1] = floats.data();
    column.length = rows;
    column.n_buffers = 2;
    column.buffers = column_buffers;
    array.length = rows;
    array.n_buffers = 1;
    array.buffers = struct_buffers;
    array.n_children = 1;
    array.children = &array_children;
    for (ArrowSchema* each : {&schema, &column_schema}) each->release = [](ArrowSchema*) {};
    for (ArrowArray* each : {&array, &column}) each->release = [](ArrowArray*) {};
  }
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  std::vector<float> floats;
  const void* column_buffers[2] = {};
  const void* struct_buffers[1] = {};
  ArrowSchema schema{}, column_schema{};
  ArrowSchema* schema_children = &column_schema;
  ArrowArray array{}, column{};
  ArrowArray* array_children = &column;
};

struct Results {
  ArrowSchema schema{};
  ArrowArray array{};
};

}  // namespace

extern "C" {

JNIEXPORT jlong JNICALL Java_org_mxinfer_tests_ArrowFloats_make(JNIEnv* env, jclass /*type*/,
                                                                jfloatArray values) {
  std::vector<float> floats(static_cast<std::size_t>(env->GetArrayLength(values)));
  env->GetFloatArrayRegion(values, 0, static_cast<jsize>(floats.size()), floats.data());
  return reinterpret_cast<jlong>(new Table(std::move(floats)));
}

JNIEXPORT jlong JNICALL Java_org_mxinfer_tests_ArrowFloats_schema(JNIEnv* /*env*/, jclass /*type*/,
                                                                  jlong table) {
  return reinterpret_cast<jlong>(&pointer<Table>(table)->schema);
}

JNIEXPORT jlong JNICALL Java_org_mxinfer_tests_ArrowFloats_array(JNIEnv* /*env*/, jclass /*type*/,
                                                                 jlong table) {
  return reinterpret_cast<jlong>(&pointer<Table>(table)->array);
}

JNIEXPORT void JNICALL Java_org_mxinfer_tests_ArrowFloats_free(JNIEnv* /*env*/, jclass /*type*/,
                                                               jlong table) {
  delete pointer<Table>(table);
}

JNIEXPORT jlong JNICALL Java_org_mxinfer_tests_ArrowFloats_makeResults(JNIEnv* /*env*/, jclass /*type*/) {
  return reinterpret_cast<jlong>(new Results);
}

JNIEXPORT jlong JNICALL Java_org_mxinfer_tests_ArrowFloats_resultSchema(JNIEnv* /*env*/, jclass /*type*/,
                                                                        jlong results) {
  return reinterpret_cast<jlong>(&pointer<Results>(results)->schema);
}

JNIEXPORT jlong JNICALL Java_org_mxinfer_tests_ArrowFloats_resultArray(JNIEnv* /*env*/, jclass /*type*/,
                                                                       jlong results) {
  return reinterpret_cast<jlong>(&pointer<Results>(results)->array);
}

/// The names and formats of the columns.
JNIEXPORT jstring JNICALL Java_org_mxinfer_tests_ArrowFloats_describe(JNIEnv* env, jclass /*type*/,
                                                                      jlong results) {
  const ArrowSchema& schema = pointer<Results>(results)->schema;
  std::string text;
  for (std::int64_t i = 0; i < schema.n_children; ++i)
    text += (i == 0 ? "" : ", ") + std::string(schema.children[i]->name) + " " + schema.children[i]->format;
  return env->NewStringUTF(text.c_str());
}

/// The first column, of float32.
JNIEXPORT jfloatArray JNICALL Java_org_mxinfer_tests_ArrowFloats_floats(JNIEnv* env, jclass /*type*/,
                                                                        jlong results) {
  const ArrowArray& column = *pointer<Results>(results)->array.children[0];
  jfloatArray floats = env->NewFloatArray(static_cast<jsize>(column.length));
  env->SetFloatArrayRegion(floats, 0, static_cast<jsize>(column.length),
                           static_cast<const jfloat*>(column.buffers[1]) + column.offset);
  return floats;
}

JNIEXPORT void JNICALL Java_org_mxinfer_tests_ArrowFloats_freeResults(JNIEnv* /*env*/, jclass /*type*/,
                                                                      jlong address) {
  auto* const results = pointer<Results>(address);
  if (results->schema.release != nullptr) results->schema.release(&results->schema);
  if (results->array.release != nullptr) results->array.release(&results->array);
  delete results;
}

}  // extern "C"
