"""A few operators that show each thing a case can say."""
from op_case import case, ints, rand

CASES = [
    case("flatten", "Flatten", {}, [rand((2, 3, 4))]),
    case("flatten_int32", "Flatten", {}, [ints((2, 3, 4), 100, low=-100, dtype="int32")]),
    case("add", "elemwise_add", {}, [rand((3, 5)), rand((3, 5), 1)]),
    case("fully_connected", "FullyConnected", {"num_hidden": 5},
         [rand((3, 7)), rand((5, 7), 1), rand((5,), 2)], parameters=[1, 2]),
    case("split_two_outputs", "SliceChannel", {"num_outputs": 2, "axis": 1}, [rand((2, 6, 3))]),
    case("softmax_output", "SoftmaxOutput", {}, [rand((3, 5)), ints((3,), 5)], training=[1]),
    case("batch_norm", "BatchNorm", {"fix_gamma": False},
         [rand((2, 3, 4, 4)), rand((3,), 1), rand((3,), 2), rand((3,), 3), rand((3,), 4, 0.5, 2)],
         parameters=[1, 2, 3, 4]),
]
