// The subcommands of mxinfer. Each adds itself, its options and its help to the command line, and says
// through `run` what is to be done once the whole line has been read:
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

/// Does what the command line asks for and returns the exit code. Throws Error for what the user can mend
/// (exit code 1) and UsageError for a command line that makes no sense (exit code 2).
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
void add_help(CLI::App& app, Run& run);

}  // namespace mxinfer::cli
