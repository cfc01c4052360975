#include <mxinfer/sequence/bucketed_model.h>

#include <algorithm>

#include "api/core/model_memory.h"
#include "base/fail.h"
#include "load/load_buckets.h"
#include "model/check_inputs.h"
#include "model/model_data.h"

namespace mxinfer {

struct BucketedModel::Impl {
  std::string name;
  std::vector<std::int64_t> keys;
  std::vector<Model> models;
};

namespace {

using Buckets = std::vector<std::pair<std::int64_t, Model>>;

void require_same_names(const std::vector<DataDesc>& a, const std::vector<DataDesc>& b, const char* what,
                        std::int64_t key_a, std::int64_t key_b) {
  const auto same_name = [](const DataDesc& x, const DataDesc& y) { return x.name == y.name; };
  if (std::equal(a.begin(), a.end(), b.begin(), b.end(), same_name)) return;
  fail(ErrorCode::invalid_argument, "the networks of buckets ", key_a, " and ", key_b, " have different ",
       what, ": ", api::names_of(a), " and ", api::names_of(b),
       "; they must have the same, in the same order");
}

// Outputs are matched by their order: their names come from nodes, which a network of another length may
// number differently.
void check_networks(const Buckets& buckets) {
  if (buckets.empty())
    fail(ErrorCode::invalid_argument, "no buckets were given; a bucketed model needs at least one");
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    const auto& [key, model] = buckets[i];
    if (key < 1)
      fail(ErrorCode::invalid_argument, "the key of a bucket is ", key, "; expected a length, 1 or more");
    if (i == 0) continue;
    const auto& [before, other] = buckets[i - 1];
    if (key == before) fail(ErrorCode::invalid_argument, "the key ", key, " of a bucket is given twice");
    require_same_names(other.signature().inputs, model.signature().inputs, "inputs", before, key);
    const std::size_t outputs = model.signature().outputs.size();
    if (outputs == other.signature().outputs.size()) continue;
    fail(ErrorCode::invalid_argument, "the networks of buckets ", before, " and ", key, " have ",
         other.signature().outputs.size(), " and ", outputs, " outputs; they must have the same number");
  }
}

}  // namespace

BucketedModel::BucketedModel(std::vector<std::pair<std::int64_t, Model>> buckets) try {
  std::sort(buckets.begin(), buckets.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  check_networks(buckets);
  auto impl = std::make_shared<Impl>();
  for (const auto& [key, model] : buckets) {
    impl->keys.push_back(key);
    impl->models.push_back(model);
  }
  impl->name = impl->models.back().name();
  impl_ = std::move(impl);
} catch (...) {
  throw_as_error();
}

BucketedModel BucketedModel::load(const std::string& uri, const LoadOptions& options) try {
  const api::LoadedBuckets loaded = api::load_buckets(uri, options);
  Buckets buckets;
  for (const auto& [key, data] : loaded.networks) buckets.emplace_back(key, api::ModelAccess::make(data));
  BucketedModel model(std::move(buckets));
  auto named = std::make_shared<Impl>(*model.impl_);
  named->name = loaded.name;
  model.impl_ = std::move(named);
  return model;
} catch (...) {
  throw_as_error();
}

BucketedModel::BucketedModel(const BucketedModel&) noexcept = default;
BucketedModel& BucketedModel::operator=(const BucketedModel&) noexcept = default;
BucketedModel::~BucketedModel() = default;

const std::vector<std::int64_t>& BucketedModel::keys() const noexcept {
  return impl_->keys;
}

const Model& BucketedModel::model(std::int64_t key) const try {
  const auto found = std::lower_bound(impl_->keys.begin(), impl_->keys.end(), key);
  if (found == impl_->keys.end() || *found != key)
    fail(ErrorCode::invalid_argument, "the bucketed model '", printable(impl_->name),
         "' has no bucket of key ", key);
  return impl_->models[static_cast<std::size_t>(found - impl_->keys.begin())];
} catch (...) {
  throw_as_error();
}

const Model& BucketedModel::largest() const noexcept {
  return impl_->models.back();
}

const std::string& BucketedModel::name() const noexcept {
  return impl_->name;
}

ModelMemory BucketedModel::memory() const try {
  api::MemoryCount count;
  for (const Model& model : impl_->models) count.add(api::data_of(model));
  return count.memory();
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
