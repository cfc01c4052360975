#include <mxinfer/classifier.h>
#include <mxinfer/vision/image_classifier.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings.h"
#include "core/arrays.h"
#include "core/calls.h"
#include "core/handles.h"
#include "core/records.h"
#include "core/submitted.h"
#include "vision/images.h"

namespace nb = nanobind;

namespace mxinfer::python {
namespace {

using TopK = std::optional<int>;
using Classes = std::vector<Classification>;

ClassifierHandle make_classifier(const ModelHandle& model, const SettingPairs& settings) {
  const ClassifierOptions options = settings_of(settings).classifier_options();
  const WithoutGil released;
  return ClassifierHandle(std::make_unique<Classifier>(*model, options));
}

ImageClassifierHandle make_image_classifier(const ModelHandle& model, const SettingPairs& settings) {
  const ImageOptions options = settings_of(settings).image_options();
  const WithoutGil released;
  return ImageClassifierHandle(std::make_unique<ImageClassifier>(*model, options));
}

HeldArray sample_of(const nb::object& sample, const Classifier& classifier) {
  const std::vector<DataDesc>& inputs = classifier.model().signature().inputs;
  return {sample, {"sample", "", inputs.empty() ? DType::float32 : inputs[0].dtype}};
}

Span<const float> floats_of(const HeldArray& array) {
  const TensorView& view = array.view();
  if (view.dtype() != DType::float32) {
    throw Error(
        ErrorCode::invalid_argument,
        std::string("sample: its dtype is ") + to_string(view.dtype()) +
            "; classify takes float32: convert it, as in array.astype(numpy.float32), or give a batch of the "
            "network's dtype to classify_batch");
  }
  return {view.data<float>(), static_cast<std::size_t>(view.shape().elements())};
}

nb::object classify(const ClassifierHandle& self, const nb::object& sample, TopK top_k) {
  const Classifier& classifier = self.as<Classifier>();
  const HeldArray array = sample_of(sample, classifier);
  const Span<const float> floats = floats_of(array);
  Classes classes;
  {
    const WithoutGil released;
    classes = classifier.classify(floats, top_k);
  }
  return to_python(classes);
}

nb::object classify_batch(const ClassifierHandle& self, const nb::object& batch, TopK top_k) {
  const Classifier& classifier = self.as<Classifier>();
  const HeldArray array = sample_of(batch, classifier);
  std::vector<Classes> classes;
  {
    const WithoutGil released;
    classes = classifier.classify_batch(array.view(), top_k);
  }
  return to_python(classes);
}

Submitted classify_async(const ClassifierHandle& self, const nb::object& future, const nb::object& sample,
                         TopK top_k, const nb::object& deadline, const std::string& priority) {
  const Classifier& classifier = self.as<Classifier>();
  const SubmitOptions options = submit_options(deadline, priority);
  return submit<Classes>(future, sample_of(sample, classifier), [&](const HeldArray& held) {
    return classifier.classify_async(floats_of(held), top_k, options);
  });
}

Submitted classify_batch_async(const ClassifierHandle& self, const nb::object& future,
                               const nb::object& batch, TopK top_k, const nb::object& deadline,
                               const std::string& priority) {
  const Classifier& classifier = self.as<Classifier>();
  const SubmitOptions options = submit_options(deadline, priority);
  return submit<std::vector<Classes>>(future, sample_of(batch, classifier), [&](const HeldArray& held) {
    return classifier.classify_batch_async(held.view(), top_k, options);
  });
}

nb::object classify_image(const ImageClassifierHandle& self, const std::string& kind, const nb::object& image,
                          TopK top_k) {
  const ImageClassifier& classifier = self.as<ImageClassifier>();
  const ImageArgument argument(kind, image);
  Classes classes;
  {
    const WithoutGil released;
    classes = argument.visit([&](const std::string& path) { return classifier.classify_file(path, top_k); },
                             [&](ByteSpan encoded) { return classifier.classify_bytes(encoded, top_k); },
                             [&](const Image& pixels) { return classifier.classify(pixels, top_k); });
  }
  return to_python(classes);
}

Submitted classify_image_async(const ImageClassifierHandle& self, const nb::object& future,
                               const std::string& kind, const nb::object& image, TopK top_k,
                               const nb::object& deadline, const std::string& priority) {
  const ImageClassifier& classifier = self.as<ImageClassifier>();
  const SubmitOptions options = submit_options(deadline, priority);
  return submit<Classes>(future, ImageArgument(kind, image), [&](const ImageArgument& held) {
    return held.visit(
        [&](const std::string& path) { return classifier.classify_file_async(path, top_k, options); },
        [&](ByteSpan encoded) { return classifier.classify_bytes_async(encoded, top_k, options); },
        [&](const Image& pixels) { return classifier.classify_async(pixels, top_k, options); });
  });
}

nb::object classify_images(const ImageClassifierHandle& self, const std::string& kind, const nb::list& images,
                           TopK top_k, bool collect) {
  const ImageClassifier& classifier = self.as<ImageClassifier>();
  const ImageArguments arguments(kind, images);
  std::vector<ItemError> errors;
  std::vector<ItemError>* const to = collect ? &errors : nullptr;
  std::vector<Classes> classes;
  {
    const WithoutGil released;
    classes = arguments.visit(
        [&](const std::vector<std::string>& paths) { return classifier.classify_files(paths, top_k, to); },
        [&](const std::vector<ByteSpan>& encoded) {
          return classifier.classify_bytes_list(encoded, top_k, to);
        },
        [&](const std::vector<Image>& pixels) { return classifier.classify_batch(pixels, top_k, to); });
  }
  return nb::make_tuple(to_python(classes), to_python(errors));
}

nb::object preprocess(const ImageClassifierHandle& self, const nb::list& images) {
  const ImageClassifier& classifier = self.as<ImageClassifier>();
  const ImageArguments arguments("pixels", images);
  Tensor tensor;
  {
    const WithoutGil released;
    tensor = classifier.preprocess(arguments.pixels());
  }
  return to_numpy(std::move(tensor));
}

}  // namespace

void bind_classifiers(nb::module_& module) {
  nb::class_<ClassifierHandle, PredictorHandle>(module, "Classifier")
      .def_static("make", make_classifier)
      .def("classify", classify, nb::arg("sample").none(), nb::arg("top_k").none())
      .def("classify_batch", classify_batch, nb::arg("batch").none(), nb::arg("top_k").none())
      .def("classify_async", classify_async, nb::arg("future"), nb::arg("sample").none(),
           nb::arg("top_k").none(), nb::arg("deadline").none(), nb::arg("priority"))
      .def("classify_batch_async", classify_batch_async, nb::arg("future"), nb::arg("batch").none(),
           nb::arg("top_k").none(), nb::arg("deadline").none(), nb::arg("priority"));
  nb::class_<ImageClassifierHandle, ClassifierHandle>(module, "ImageClassifier")
      .def_static("make", make_image_classifier)
      .def("classify_image", classify_image, nb::arg("kind"), nb::arg("image"), nb::arg("top_k").none())
      .def("classify_image_async", classify_image_async, nb::arg("future"), nb::arg("kind"), nb::arg("image"),
           nb::arg("top_k").none(), nb::arg("deadline").none(), nb::arg("priority"))
      .def("classify_images", classify_images, nb::arg("kind"), nb::arg("images"), nb::arg("top_k").none(),
           nb::arg("collect"))
      .def("preprocess", preprocess);
}

}  // namespace mxinfer::python
