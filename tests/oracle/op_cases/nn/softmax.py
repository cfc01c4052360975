"""softmax and its relatives."""
import numpy as np

from op_case import case, ints, rand

X = rand((2, 3, 4, 5), low=-3, high=3)
ROWS = rand((3, 37), 1, -9, 9)
CASES = []
for op in ("softmax", "log_softmax", "softmin"):
    CASES += [
        case(f"{op}_rows", op, {}, [ROWS]),
        case(f"{op}_one_dimension", op, {}, [ROWS[0]]),
        case(f"{op}_axis_1", op, {"axis": 1}, [X]),
        case(f"{op}_axis_0", op, {"axis": 0}, [rand((5, 19), 2, -5, 5)]),
        case(f"{op}_axis_minus_2", op, {"axis": -2}, [X]),
        case(f"{op}_temperature", op, {"temperature": 2.5}, [ROWS]),
        case(f"{op}_temperature_axis", op, {"temperature": 0.5, "axis": 1}, [X]),
        case(f"{op}_to_float64", op, {"dtype": "float64"}, [ROWS], tol=1e-6),
        case(f"{op}_float64", op, {}, [rand((2, 9), dtype="float64")], tol=1e-7),
        case(f"{op}_float16", op, {"axis": 0}, [rand((4, 9), dtype="float16")], tol=3e-3),
        case(f"{op}_large", op, {}, [rand((2, 9), 0, -1000, 1000)]),
    ]
CASES += [
    case("softmax_length", "softmax", {"axis": 1, "use_length": True},
         [rand((2, 3, 4)), np.array([[1, 2, 3, 0], [3, 3, 1, 2]], "int32")]),
    case("softmax_length_rows", "softmax", {"axis": -1, "use_length": True},
         [rand((2, 3, 19), low=-4, high=4), np.array([[1, 12, 19], [0, 8, 9]], "int32")]),
    case("softmax_length_int64", "softmax", {"use_length": True}, [rand((3, 11)), np.array([5, 11, 1], "int64")]),
    case("activation_instance", "SoftmaxActivation", {}, [rand((3, 11))]),
    case("activation_instance_4d", "SoftmaxActivation", {}, [X]),
    case("activation_channel", "SoftmaxActivation", {"mode": "channel"}, [X]),
]
