// docs/reference/options.md against the list of options: `MXINFER_UPDATE_DOCS=1 mxinfer_tree_tests
// --gtest_filter=OptionsPage.*` writes it.
#include <gtest/gtest.h>
#include <mxinfer/settings.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace mxinfer {
namespace {

const char* title_of(SettingGroup group) {
  switch (group) {
    case SettingGroup::load:
      return "Loading a model";
    case SettingGroup::run:
      return "Running it";
    case SettingGroup::queue:
      return "The queue of asynchronous calls";
    case SettingGroup::image:
      return "Images, of classifiers of images and detectors";
    case SettingGroup::scores:
      return "Scores, of classifiers";
    case SettingGroup::detector:
      return "Detectors";
  }
  return "";
}

std::string page() {
  std::string text =
      "# Options by name\n\n"
      "Every option has a name, under which C (`mxinfer_options_set`), Python (keyword arguments), Java and "
      "Scala\n"
      "(`Options.set`) and `mxinfer::Settings` of C++ know it; it is that of the field in the C++ structs. "
      "Values that\n"
      "are written as text are decimal with a point, whatever the locale; a list is a JSON array. What a "
      "class does not\n"
      "take is an error, as is a name that there is not.\n"
      "\n"
      "A name may be spelled as other libraries do, in upper or lower case: `fp32`, `f32`, `float` and "
      "`single` are float32, `bf16`\n"
      "is bfloat16, `fp16`, `f16` and `half` are float16, as precisions and as dtypes; `fp64`, `f64` and "
      "`double` are float64, of\n"
      "dtypes. A device is `cpu` or `cpu:0`, `cuda`, `cuda:1` or `cuda(1)`, and `gpu` is another word for "
      "`cuda`. The letters of a\n"
      "layout may be small.\n";
  std::string title;
  for (const SettingInfo& info : settings_known()) {
    if (title != title_of(info.group)) {
      title = title_of(info.group);
      text += "\n## " + title + "\n\n| option | takes | default | what it does |\n|---|---|---|---|\n";
    }
    const std::string value = info.default_text;
    text += std::string("| `") + info.name + "` | " + info.value + " | " +
            (value == "18446744073709551615" ? "no limit" : value) + " | " + info.help + " |\n";
  }
  return text;
}

TEST(OptionsPage, IsWhatTheLibraryKnows) {
  const std::string path = MXINFER_SOURCE_DIR "/docs/reference/options.md";
  if (std::getenv("MXINFER_UPDATE_DOCS") != nullptr) std::ofstream(path) << page();
  std::ifstream file(path);
  const std::string stored{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(stored, page())
      << "docs/reference/options.md is not of this tree; MXINFER_UPDATE_DOCS=1 writes it";
}

}  // namespace
}  // namespace mxinfer
