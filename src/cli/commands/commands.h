// The subcommands of mxinfer. Each adds itself, its options and its help to the command line. Parsing a line
// sets `run` to what the line asks for:
//
//   Run run;
//   add_inspect(app, run);
//   app.parse(argc, argv);
//   return run();             // the exit code
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace mxinfer::cli {

/// Runs the command and returns its exit code. Throws Error on failure (exit code 1) and UsageError if the
/// command line is invalid (exit code 2).
using Run = std::function<int()>;

void add_inspect(CLI::App& app, Run& run);
void add_pack(CLI::App& app, Run& run);
void add_unpack(CLI::App& app, Run& run);
void add_fetch(CLI::App& app, Run& run);
void add_cache(CLI::App& app, Run& run);
void add_predict(CLI::App& app, Run& run);
void add_classify(CLI::App& app, Run& run);
void add_classify_text(CLI::App& app, Run& run);
void add_detect(CLI::App& app, Run& run);
void add_segment(CLI::App& app, Run& run);
void add_embed(CLI::App& app, Run& run);
void add_words(CLI::App& app, Run& run);
void add_generate(CLI::App& app, Run& run);
void add_explain(CLI::App& app, Run& run);
void add_bench(CLI::App& app, Run& run);
void add_sign(CLI::App& app, Run& run);
void add_fuse(CLI::App& app, Run& run);
void add_verify(CLI::App& app, Run& run);
void add_diff(CLI::App& app, Run& run);
void add_tune(CLI::App& app, Run& run);
void add_quantize(CLI::App& app, Run& run);
void add_help(CLI::App& app, Run& run);

}  // namespace mxinfer::cli
