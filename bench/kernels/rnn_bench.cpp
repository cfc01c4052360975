// The element-wise part of one step of LSTM and GRU, on one thread.
#include "bench.h"
#include "cases/rnn_cases.h"
#include "kernels/rnn/rnn_cell.h"

namespace mxinfer::bench {
namespace {

void run_lstm(benchmark::State& state, const cases::RnnCell& c, Target target) {
  const std::int64_t count = c.batch * c.hidden;
  Array<float> gates(4 * count), cell(count), out(count);
  kernels::LstmCellArgs<float> args;
  args.hidden = c.hidden;
  args.gates = gates.data();
  args.cell = cell.data();
  args.out = out.data();
  const auto run = kernels::select_lstm_cell_f32(target);
  for (auto _ : state) {
    run(args, 0, c.batch);
    benchmark::ClobberMemory();
  }
  report(state, {.items = static_cast<double>(count)});
}

void run_gru(benchmark::State& state, const cases::RnnCell& c, Target target) {
  const std::int64_t count = c.batch * c.hidden;
  Array<float> from_input(3 * count), from_state(3 * count), before(count), out(count);
  kernels::GruCellArgs<float> args;
  args.hidden = c.hidden;
  args.from_input = from_input.data();
  args.from_state = from_state.data();
  args.state = before.data();
  args.out = out.data();
  const auto run = kernels::select_gru_cell_f32(target);
  for (auto _ : state) {
    run(args, 0, c.batch);
    benchmark::ClobberMemory();
  }
  report(state, {.items = static_cast<double>(count)});
}

const Family cells([] {
  for (const cases::RnnCell& c : cases::kRnnCell) {
    measure("lstm_cell", c.label,
            [&c](benchmark::State& state, Target target) { run_lstm(state, c, target); });
    measure("gru_cell", c.label, [&c](benchmark::State& state, Target target) { run_gru(state, c, target); });
  }
});

}  // namespace
}  // namespace mxinfer::bench
