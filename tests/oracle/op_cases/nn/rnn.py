"""RNN: every mode, layers, directions, projection and states. (sequence_length and the clip of the cell's state exist on
GPUs only; tests/ops/rnn_test.cpp holds them to runs of the samples one by one.)"""
from op_case import case, rand

GATES = {"lstm": 4, "gru": 3, "rnn_tanh": 1, "rnn_relu": 1}


def rnn(name, mode, steps=4, batch=3, size=5, hidden=6, layers=1, bidirectional=False, projection=None, states=True,
        dtype="float32", zero_states=False, parameter=True):
    gates, directions, out = GATES[mode], 2 if bidirectional else 1, projection or hidden
    elements = 0
    for layer in range(layers):
        depth = size if layer == 0 else out * directions
        cell = gates * hidden * (depth + out + 2) + (projection * hidden if projection else 0)
        elements += directions * cell
    attrs = {"mode": mode, "state_size": hidden, "num_layers": layers}
    if bidirectional:
        attrs["bidirectional"] = True
    if projection:
        attrs["projection_size"] = projection
    if states:
        attrs["state_outputs"] = True
    scale = 0.0 if zero_states else 1.0
    inputs = [rand((steps, batch, size), 1, dtype=dtype), rand((elements,), 2, low=-0.7, high=0.7, dtype=dtype),
              rand((layers * directions, batch, out), 3, dtype=dtype) * scale]
    if mode == "lstm":
        inputs.append(rand((layers * directions, batch, hidden), 4, dtype=dtype) * scale)
    inputs = [i.astype(dtype) for i in inputs]
    return case(name, "RNN", attrs, inputs, parameters=[1] if parameter else [])


CASES = []
for mode in GATES:
    CASES += [
        rnn(f"{mode}", mode),
        rnn(f"{mode}_no_states", mode, states=False, zero_states=True),
        rnn(f"{mode}_2_layers", mode, layers=2, hidden=9, batch=1),
        rnn(f"{mode}_bidirectional", mode, bidirectional=True, hidden=17),
        rnn(f"{mode}_3_layers_bidirectional", mode, layers=3, bidirectional=True, steps=5, batch=2),
        rnn(f"{mode}_one_of_each", mode, steps=1, batch=1, size=1, hidden=1),
        rnn(f"{mode}_computed_parameters", mode, parameter=False, steps=7, batch=2),
    ]
    if mode != "rnn_relu":  # MXNet's relu cell rounds float64 to float32
        CASES.append(rnn(f"{mode}_f64", mode, layers=2, bidirectional=True, dtype="float64", steps=2, batch=2))
CASES += [
    rnn("lstm_projection", "lstm", projection=3),
    rnn("lstm_projection_2_layers", "lstm", projection=4, layers=2, bidirectional=True),
    rnn("lstm_wide", "lstm", hidden=40, size=33, batch=5, steps=9),
]
