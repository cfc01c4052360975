#include "ops/text/tokenizer_store.h"

#include <mutex>
#include <unordered_map>
#include <utility>

#include "base/text/keyed_hash.h"

namespace mxinfer::ops {
namespace {

class TokenizerStore {
 public:
  std::shared_ptr<const AppendIds> find(const std::string& key) {
    const std::lock_guard lock(mutex_);
    const auto found = made_.find(key);
    return found == made_.end() ? nullptr : found->second.lock();
  }

  /// The other thread's, if one has come first.
  std::shared_ptr<const AppendIds> add(const std::string& key, std::shared_ptr<const AppendIds> made) {
    const std::lock_guard lock(mutex_);
    std::weak_ptr<const AppendIds>& entry = made_[key];
    if (auto first = entry.lock()) return first;
    entry = made;
    return made;
  }

  void forget(const std::string& key) {
    const std::lock_guard lock(mutex_);
    const auto found = made_.find(key);
    // Another thread may have put a new one there meanwhile.
    if (found != made_.end() && found->second.expired()) made_.erase(found);
  }

  std::size_t size() {
    const std::lock_guard lock(mutex_);
    return made_.size();
  }

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, std::weak_ptr<const AppendIds>, KeyedHash> made_;
};

// Never destroyed: plans may live until the process ends.
TokenizerStore& tokenizer_store() {
  static TokenizerStore& store = *new TokenizerStore;
  return store;
}

}  // namespace

std::shared_ptr<const AppendIds> shared_tokenizer(const std::string& key,
                                                  const std::function<AppendIds()>& make) {
  if (auto known = tokenizer_store().find(key)) return known;
  // Outside of the lock: a large vocabulary takes its time.
  auto owned = std::make_unique<const AppendIds>(make());
  std::shared_ptr<const AppendIds> made(owned.release(), [key](const AppendIds* tokenizer) {
    delete tokenizer;
    tokenizer_store().forget(key);
  });
  return tokenizer_store().add(key, std::move(made));
}

std::size_t shared_tokenizers() {
  return tokenizer_store().size();
}

}  // namespace mxinfer::ops
