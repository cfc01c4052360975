// Messages of the log, to a callback of Java. Threads of the library are unknown to the JVM: they are
// attached for each message, and detached, so that none of them ends while it is attached.
#include "org_mxinfer_Native.h"
#include "support.h"

using namespace mxinfer::jni;

namespace {

// Live as long as the library, which is never unloaded.
JavaVM* machine = nullptr;
jclass native_class = nullptr;
jmethodID logged = nullptr;
jobject callback = nullptr;  // what messages go to; Log.java sets it by one thread at a time

/// The JVM as this thread sees it.
class Attached {
 public:
  Attached() {
    if (machine->GetEnv(reinterpret_cast<void**>(&env_), JNI_VERSION_10) == JNI_OK) return;
    is_new_ = machine->AttachCurrentThreadAsDaemon(reinterpret_cast<void**>(&env_), nullptr) == JNI_OK;
    if (!is_new_) env_ = nullptr;
  }
  ~Attached() {
    if (is_new_) machine->DetachCurrentThread();
  }
  Attached(const Attached&) = delete;
  Attached& operator=(const Attached&) = delete;
  /// nullptr: the JVM ends, or has no memory for the thread.
  [[nodiscard]] JNIEnv* env() const { return env_; }

 private:
  JNIEnv* env_ = nullptr;
  bool is_new_ = false;
};

// Native.logged() throws nothing; what is left is that there is no memory for the message.
void log_to_java(std::int32_t level, const char* message, void* user) {
  const Attached attached;
  JNIEnv* const env = attached.env();
  if (env == nullptr || env->ExceptionCheck() == JNI_TRUE) return;
  try {
    const ScratchAside aside;
    const LocalRef<jbyteArray> text(env, to_bytes(env, message));
    env->CallStaticVoidMethod(native_class, logged, static_cast<jobject>(user), level, text.get());
  } catch (const JavaThrown&) {
  }
  env->ExceptionClear();
}

}  // namespace

bool mxinfer::jni::load_log(JavaVM* vm, JNIEnv* env) {
  machine = vm;
  jclass local = env->FindClass("org/mxinfer/Native");
  if (local == nullptr) return false;
  native_class = static_cast<jclass>(env->NewGlobalRef(local));
  env->DeleteLocalRef(local);
  if (native_class == nullptr) return false;
  logged = env->GetStaticMethodID(native_class, "logged", "(Ljava/lang/Object;I[B)V");
  return logged != nullptr;
}

void Java_org_mxinfer_Native_setLogCallback(JNIEnv* env, jclass /*type*/, jobject consumer, jint least) {
  guard(env, [&] {
    jobject const next = consumer == nullptr ? nullptr : env->NewGlobalRef(consumer);
    if (consumer != nullptr && next == nullptr) throw std::bad_alloc();
    check(env, mxinfer_set_log_callback(next == nullptr ? nullptr : log_to_java, next, least));
    // No message goes to the one before any more.
    if (callback != nullptr) env->DeleteGlobalRef(callback);
    callback = next;
  });
}
