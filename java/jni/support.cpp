#include "support.h"

#include <cstring>
#include <memory>
#include <utility>

namespace mxinfer::jni {
namespace {

/// What a thread keeps for its next call: the pixels of a large photo, not those of a batch of them.
constexpr std::size_t kKeptBytes = std::size_t{4} << 20;

struct Scratch {
  std::unique_ptr<std::byte[]> memory;
  std::size_t bytes = 0;
};

Scratch& own_scratch() noexcept {
  static thread_local Scratch scratch;
  return scratch;
}

// Live as long as the library, which is never unloaded.
jclass exception_class = nullptr;
jmethodID make_exception = nullptr;

}  // namespace

bool load_exceptions(JNIEnv* env) {
  jclass local = env->FindClass("org/mxinfer/MxinferException");
  if (local == nullptr) return false;
  exception_class = static_cast<jclass>(env->NewGlobalRef(local));
  env->DeleteLocalRef(local);
  if (exception_class == nullptr) return false;
  make_exception = env->GetStaticMethodID(exception_class, "of", "(I[B)Lorg/mxinfer/MxinferException;");
  return make_exception != nullptr;
}

void throw_status(JNIEnv* env, mxinfer_status status, const char* message) noexcept {
  const std::size_t length = std::strlen(message);
  jbyteArray text = env->NewByteArray(static_cast<jsize>(length));
  if (text == nullptr) return;  // OutOfMemoryError waits
  env->SetByteArrayRegion(text, 0, static_cast<jsize>(length), reinterpret_cast<const jbyte*>(message));
  jobject error = env->CallStaticObjectMethod(exception_class, make_exception, status, text);
  if (error != nullptr && env->ExceptionCheck() == JNI_FALSE) env->Throw(static_cast<jthrowable>(error));
}

void check(JNIEnv* env, mxinfer_status status) {
  if (status == MXINFER_OK) return;
  throw_status(env, status, mxinfer_last_error());
  throw JavaThrown{};
}

std::string to_string(JNIEnv* env, jbyteArray bytes) {
  if (bytes == nullptr) return {};
  std::string text(static_cast<std::size_t>(env->GetArrayLength(bytes)), '\0');
  env->GetByteArrayRegion(bytes, 0, static_cast<jsize>(text.size()), reinterpret_cast<jbyte*>(text.data()));
  check_java(env);
  return text;
}

std::vector<std::string> to_strings(JNIEnv* env, jobjectArray texts) {
  std::vector<std::string> list;
  const jsize count = texts == nullptr ? 0 : env->GetArrayLength(texts);
  for (jsize i = 0; i < count; ++i) {
    const LocalRef<jbyteArray> text(env, env->GetObjectArrayElement(texts, i));
    list.push_back(to_string(env, text.get()));
  }
  return list;
}

jbyteArray to_bytes(JNIEnv* env, const char* text) {
  const auto length = static_cast<jsize>(text == nullptr ? 0 : std::strlen(text));
  jbyteArray bytes = env->NewByteArray(length);
  check_java(env);
  env->SetByteArrayRegion(bytes, 0, length, reinterpret_cast<const jbyte*>(text));
  return bytes;
}

jbyteArray to_bytes(JNIEnv* env, const std::string& text) {
  const auto length = static_cast<jsize>(text.size());
  jbyteArray bytes = env->NewByteArray(length);
  check_java(env);
  env->SetByteArrayRegion(bytes, 0, length, reinterpret_cast<const jbyte*>(text.data()));
  return bytes;
}

jbyteArray take_text(JNIEnv* env, char* text) {
  const std::unique_ptr<char, void (*)(char*)> owned(text, mxinfer_text_free);
  return to_bytes(env, text);
}

jobjectArray new_byte_arrays(JNIEnv* env, const std::vector<const char*>& texts) {
  const LocalRef<jclass> type(env, env->FindClass("[B"));
  jobjectArray arrays = env->NewObjectArray(static_cast<jsize>(texts.size()), type.get(), nullptr);
  check_java(env);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const LocalRef<jbyteArray> text(env, to_bytes(env, texts[i]));
    env->SetObjectArrayElement(arrays, static_cast<jsize>(i), text.get());
  }
  return arrays;
}

jintArray to_ints(JNIEnv* env, const std::vector<jint>& numbers) {
  jintArray array = env->NewIntArray(static_cast<jsize>(numbers.size()));
  check_java(env);
  env->SetIntArrayRegion(array, 0, static_cast<jsize>(numbers.size()), numbers.data());
  return array;
}

jlongArray to_longs(JNIEnv* env, const std::vector<jlong>& numbers) {
  jlongArray array = env->NewLongArray(static_cast<jsize>(numbers.size()));
  check_java(env);
  env->SetLongArrayRegion(array, 0, static_cast<jsize>(numbers.size()), numbers.data());
  return array;
}

std::byte* scratch(std::size_t bytes) {
  Scratch& own = own_scratch();
  if (own.bytes < bytes) {
    own.bytes = 0;
    own.memory.reset();
    own.memory.reset(new std::byte[bytes]);  // not set to 0, as make_unique would
    own.bytes = bytes;
  }
  return own.memory.get();
}

void end_scratch() noexcept {
  Scratch& own = own_scratch();
  if (own.bytes <= kKeptBytes) return;
  own.bytes = 0;
  own.memory.reset();
}

ScratchAside::ScratchAside() noexcept
    : memory_(std::move(own_scratch().memory)), bytes_(std::exchange(own_scratch().bytes, 0)) {}

ScratchAside::~ScratchAside() {
  own_scratch().memory = std::move(memory_);
  own_scratch().bytes = bytes_;
}

void copy_array(JNIEnv* env, jarray from, void* to, std::size_t bytes) {
  if (bytes == 0) return;
  void* elements = env->GetPrimitiveArrayCritical(from, nullptr);
  if (elements == nullptr) {
    check_java(env);
    throw std::bad_alloc();
  }
  std::memcpy(to, elements, bytes);
  env->ReleasePrimitiveArrayCritical(from, elements, JNI_ABORT);
}

Options::Options(JNIEnv* env, jobjectArray texts) {
  const std::vector<std::string> list = to_strings(env, texts);
  if (list.empty()) return;
  check(env, mxinfer_options_create(&options_));
  for (std::size_t i = 0; i + 1 < list.size(); i += 2) {
    const mxinfer_status status = mxinfer_options_set(options_, list[i].c_str(), list[i + 1].c_str());
    if (status == MXINFER_OK) continue;
    mxinfer_options_free(options_);  // this object was not made: nobody destroys it
    check(env, status);
  }
}

}  // namespace mxinfer::jni
