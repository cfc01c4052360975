#include <mxinfer_c/predictor.h>

#include "c_api/call.h"
#include "c_api/handles.h"
#include "c_api/views.h"

using namespace mxinfer;
using namespace mxinfer::c_api;

namespace {

mxinfer_tensors* new_tensors(const Predictor& predictor) {
  return new mxinfer_tensors{predictor.model()};
}

}  // namespace

mxinfer_status mxinfer_predictor_create(const mxinfer_model* model, const mxinfer_options* options,
                                        mxinfer_predictor** out) {
  return call([&] {
    mxinfer_predictor*& predictor = need(out, "out");
    predictor = new mxinfer_predictor{Predictor(need(model, "model").model, settings_of(options).options())};
  });
}

mxinfer_status mxinfer_predictor_open(const char* uri, const mxinfer_options* options,
                                      mxinfer_predictor** out) {
  return call([&] {
    mxinfer_predictor*& predictor = need(out, "out");
    const Settings& settings = settings_of(options);
    predictor =
        new mxinfer_predictor{Predictor(need_text(uri, "uri"), settings.options(), settings.load_options())};
  });
}

mxinfer_status mxinfer_predictor_share(const mxinfer_predictor* predictor, mxinfer_predictor** out) {
  return call([&] {
    mxinfer_predictor*& copy = need(out, "out");
    copy = new mxinfer_predictor(need(predictor, "predictor"));
  });
}

void mxinfer_predictor_free(mxinfer_predictor* predictor) {
  delete predictor;
}

mxinfer_status mxinfer_predictor_model(const mxinfer_predictor* predictor, mxinfer_model** out) {
  return call([&] {
    mxinfer_model*& model = need(out, "out");
    model = new mxinfer_model(need(predictor, "predictor").predictor.model());
  });
}

mxinfer_status mxinfer_predictor_predict(const mxinfer_predictor* predictor, const mxinfer_tensor* inputs,
                                         size_t input_count, mxinfer_tensors** out) {
  return call([&] {
    const Predictor& self = need(predictor, "predictor").predictor;
    mxinfer_tensors*& outputs = need(out, "out");
    std::unique_ptr<mxinfer_tensors> made(new_tensors(self));
    made->list = self.predict(input_views(self, inputs, input_count).span());
    outputs = made.release();
  });
}

mxinfer_status mxinfer_predictor_predict_into(const mxinfer_predictor* predictor,
                                              const mxinfer_tensor* inputs, size_t input_count,
                                              const mxinfer_tensor* outputs, size_t output_count) {
  return call([&] {
    const Predictor& self = need(predictor, "predictor").predictor;
    const Views<TensorView> from = input_views(self, inputs, input_count);
    const Views<MutableTensorView> to = output_views(self, outputs, output_count);
    self.predict_into(from.span(), to.span());
  });
}

mxinfer_status mxinfer_predictor_predict_on_device(const mxinfer_predictor* predictor,
                                                   const mxinfer_tensor* inputs, size_t input_count,
                                                   const mxinfer_tensor* outputs, size_t output_count,
                                                   void* stream) {
  return call([&] {
    const Predictor& self = need(predictor, "predictor").predictor;
    const Views<TensorView> from = device_input_views(self, inputs, input_count);
    const Views<MutableTensorView> to = device_output_views(self, outputs, output_count);
    self.predict_on_device(from.span(), to.span(), stream);
  });
}

mxinfer_status mxinfer_predictor_predict_flat(const mxinfer_predictor* predictor,
                                              const mxinfer_tensor* inputs, size_t input_count,
                                              mxinfer_tensors** out) {
  return call([&] {
    const Predictor& self = need(predictor, "predictor").predictor;
    mxinfer_tensors*& outputs = need(out, "out");
    std::unique_ptr<mxinfer_tensors> made(new_tensors(self));
    const Views<TensorView> arrays = input_views(self, inputs, input_count);
    made->list = self.predict(shape_flat(self, arrays.span()));
    outputs = made.release();
  });
}

mxinfer_status mxinfer_predictor_predict_list(const mxinfer_predictor* predictor, const mxinfer_tensor* items,
                                              size_t item_count, int collect_errors, mxinfer_tensors** out) {
  return call([&] {
    const Predictor& self = need(predictor, "predictor").predictor;
    mxinfer_tensors*& outputs = need(out, "out");
    std::unique_ptr<mxinfer_tensors> made(new_tensors(self));
    const Views<TensorView> views = item_views(items, item_count);
    made->list = self.predict_list(views.span(), collect_errors != 0 ? &made->errors : nullptr);
    outputs = made.release();
  });
}
