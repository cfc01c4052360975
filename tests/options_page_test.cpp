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
      return "Running a model";
    case SettingGroup::queue:
      return "The queue of asynchronous calls";
    case SettingGroup::image:
      return "Images (all classes that take images)";
    case SettingGroup::scores:
      return "Scores (classifiers)";
    case SettingGroup::detector:
      return "Detectors";
  }
  return "";
}

std::string page() {
  std::string text =
      "# Options by name\n\n"
      "Set any option by name in C (`mxinfer_options_set`), Python (keyword arguments), Java and Scala "
      "(`Options.set`), and C++\n"
      "(`mxinfer::Settings`), and those of loading, running and the queue on the command line (`--set "
      "max_plans=4`,\n"
      "`--remote retries=0`). The name is that of the field in the C++ structs. In text values, write "
      "decimal "
      "numbers with a point in\n"
      "every locale, and lists as JSON arrays. An unknown name, or an option that a class does not accept, "
      "is "
      "an error.\n"
      "\n"
      "Other libraries' spellings of values are accepted too, in upper or lower case. `fp32`, `f32`, `float` "
      "and `single` are\n"
      "float32, `bf16` is bfloat16, and `fp16`, `f16` and `half` are float16, for precisions and dtypes. "
      "`fp64`, `f64` and `double`\n"
      "are float64, for dtypes. A device is `cpu` or `cpu:0`, `cuda`, `cuda:1` or `cuda(1)`; `gpu` is "
      "another name for `cuda`. Several\n"
      "GPUs have commas between them, `cuda:0,cuda:1`, and `cuda:all` is every GPU. The letters of a layout "
      "may be lower case.\n";
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
  EXPECT_EQ(stored, page()) << "docs/reference/options.md is not up to date; MXINFER_UPDATE_DOCS=1 writes it";
}

}  // namespace
}  // namespace mxinfer
