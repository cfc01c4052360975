// What every native function does around the C interface and the C++ one: errors become exceptions of Java,
// texts go as bytes of UTF-8 (JNI's own texts have another encoding), and no C++ exception leaves.
#pragma once

#include <jni.h>
#include <mxinfer/error.h>
#include <mxinfer_c.h>

#include <cstddef>
#include <memory>
#include <new>
#include <string>
#include <vector>

namespace mxinfer::jni {

/// Thrown where an exception waits in the JVM.
struct JavaThrown {};

/// Finds the class whose exceptions are thrown. False: an exception waits.
bool load_exceptions(JNIEnv* env);
/// Finds what messages of the log are given to. False: an exception waits.
bool load_log(JavaVM* vm, JNIEnv* env);

/// Makes an exception of a status wait.
void throw_status(JNIEnv* env, mxinfer_status status, const char* message) noexcept;

/// The status that stands for a code.
inline mxinfer_status status_of(mxinfer::ErrorCode code) noexcept {
  static_assert(static_cast<int>(mxinfer::ErrorCode::internal) + 1 == MXINFER_INTERNAL);
  return static_cast<mxinfer_status>(static_cast<int>(code) + 1);
}

/// Throws, with the library's message, what is not MXINFER_OK.
void check(JNIEnv* env, mxinfer_status status);

/// Throws if an exception waits.
inline void check_java(JNIEnv* env) {
  if (env->ExceptionCheck() == JNI_TRUE) throw JavaThrown{};
}

/// The body of a native function; if it throws, an exception waits and the result counts for nothing.
template <typename Body>
auto guard(JNIEnv* env, Body body) noexcept -> decltype(body()) {
  try {
    return body();
  } catch (const JavaThrown&) {
  } catch (const mxinfer::Error& e) {
    throw_status(env, status_of(e.code()), e.what());
  } catch (const std::bad_alloc&) {
    throw_status(env, MXINFER_OUT_OF_MEMORY, "the memory for a call was refused");
  } catch (...) {
    throw_status(env, MXINFER_INTERNAL, "an exception that is none of mxinfer's was thrown");
  }
  return decltype(body())();
}

/// An object of the library by the address that Java has.
template <typename T>
T* object(jlong address) {
  return reinterpret_cast<T*>(address);  // NOLINT(performance-no-int-to-ptr): Java has no pointers
}

inline jlong address_of(const void* pointer) {
  return reinterpret_cast<jlong>(pointer);
}

/// A reference that goes before the function returns, for loops.
template <typename T>
class LocalRef {
 public:
  LocalRef(JNIEnv* env, jobject object) : env_(env), object_(static_cast<T>(object)) { check_java(env); }
  ~LocalRef() {
    if (object_ != nullptr) env_->DeleteLocalRef(object_);
  }
  LocalRef(const LocalRef&) = delete;
  LocalRef& operator=(const LocalRef&) = delete;
  [[nodiscard]] T get() const { return object_; }

 private:
  JNIEnv* env_;
  T object_;
};

/// The bytes of an array of bytes; "" of null.
std::string to_string(JNIEnv* env, jbyteArray bytes);
std::vector<std::string> to_strings(JNIEnv* env, jobjectArray texts);

/// "" of NULL.
jbyteArray to_bytes(JNIEnv* env, const char* text);
jbyteArray to_bytes(JNIEnv* env, const std::string& text);
/// Frees the text.
jbyteArray take_text(JNIEnv* env, char* text);
jobjectArray new_byte_arrays(JNIEnv* env, const std::vector<const char*>& texts);
jintArray to_ints(JNIEnv* env, const std::vector<jint>& numbers);
jlongArray to_longs(JNIEnv* env, const std::vector<jlong>& numbers);

/// Memory for copies of arrays, one piece for each thread; a piece that is not larger than a limit is kept
/// for its next call. Valid until the next call of this on the thread.
std::byte* scratch(std::size_t bytes);
/// Frees it if it is larger than the limit.
void end_scratch() noexcept;

/// Puts the thread's scratch aside while Java runs in the middle of a call: what it calls in turn has scratch
/// of its own.
class ScratchAside {
 public:
  ScratchAside() noexcept;
  ~ScratchAside();
  ScratchAside(const ScratchAside&) = delete;
  ScratchAside& operator=(const ScratchAside&) = delete;

 private:
  std::unique_ptr<std::byte[]> memory_;
  std::size_t bytes_;
};

/// Frees the thread's scratch, if it is large, when a call ends.
class ScratchUse {
 public:
  ScratchUse() = default;
  ~ScratchUse() { end_scratch(); }
  ScratchUse(const ScratchUse&) = delete;
  ScratchUse& operator=(const ScratchUse&) = delete;
};

/// Copies the elements of an array of a primitive type. The JVM moves no object meanwhile, so that nothing
/// else may happen here.
void copy_array(JNIEnv* env, jarray from, void* to, std::size_t bytes);

/// Options of names and values in turn, freed at the end.
class Options {
 public:
  Options(JNIEnv* env, jobjectArray texts);
  ~Options() { mxinfer_options_free(options_); }
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;
  [[nodiscard]] const mxinfer_options* get() const { return options_; }

 private:
  mxinfer_options* options_ = nullptr;
};

}  // namespace mxinfer::jni
