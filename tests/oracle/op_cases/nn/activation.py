"""Activations with attributes, and the operators that hand on their input."""
from op_case import case, ints, rand

X = rand((2, 3, 5, 7), low=-6, high=6)
ROW = rand((1, 37), 1, low=-30, high=30)

CASES = [case(f"activation_{a}", "Activation", {"act_type": a}, [X])
         for a in ("relu", "sigmoid", "tanh", "softrelu", "softsign")]
CASES += [case(f"activation_{a}_wide", "Activation", {"act_type": a}, [ROW]) for a in ("sigmoid", "tanh", "softrelu")]
CASES += [case(f"activation_{a}_{t}", "Activation", {"act_type": a}, [rand((3, 19), 2, -4, 4, t)])
          for a in ("relu", "sigmoid", "tanh", "softrelu", "softsign") for t in ("float64", "float16")]
CASES += [
    case("leaky_default", "LeakyReLU", {}, [X]),
    case("leaky_slope", "LeakyReLU", {"act_type": "leaky", "slope": 0.1}, [X]),
    case("elu", "LeakyReLU", {"act_type": "elu", "slope": 0.7}, [X]),
    case("selu", "LeakyReLU", {"act_type": "selu"}, [X]),
    case("gelu", "LeakyReLU", {"act_type": "gelu"}, [X]),
    case("gelu_float64", "LeakyReLU", {"act_type": "gelu"}, [rand((3, 19), 2, -4, 4, "float64")], tol=1e-7),
    case("elu_float64", "LeakyReLU", {"act_type": "elu", "slope": 0.7}, [rand((3, 19), 2, -4, 4, "float64")], tol=1e-7),
    case("rrelu", "LeakyReLU", {"act_type": "rrelu"}, [X], outputs=[0]),
    case("rrelu_bounds", "LeakyReLU", {"act_type": "rrelu", "lower_bound": 0.3, "upper_bound": 0.5}, [X], outputs=[0]),
    case("prelu_channels", "LeakyReLU", {"act_type": "prelu"}, [X, rand((3,), 3)], parameters=[1]),
    case("prelu_one", "LeakyReLU", {"act_type": "prelu"}, [X, rand((1,), 3)], parameters=[1]),
    case("prelu_two_dimensions", "LeakyReLU", {"act_type": "prelu"}, [rand((4, 11)), rand((11,), 3)], parameters=[1]),
    case("prelu_one_dimension", "LeakyReLU", {"act_type": "prelu"}, [rand((11,)), rand((11,), 3)], parameters=[1]),
    # gamma's sizes are matched from the last one, with channels and then samples.
    *(case(f"prelu_{name}", "LeakyReLU", {"act_type": "prelu"}, [rand(data, 2), rand(gamma, 3)], parameters=[1])
      for name, data, gamma in (("samples", (3, 4), (3,)), ("samples_column", (3, 4), (3, 1)), ("square", (3, 3), (3,)), ("row", (3, 4), (1, 4)),
                                ("each", (3, 4), (3, 4)), ("each_of_planes", (3, 4, 4, 5), (3, 4)), ("samples_of_planes", (2, 4, 3, 5), (2,)),
                                ("one_by_one", (2, 4, 3), (1, 1)))),
    case("clip", "clip", {"a_min": -1.5, "a_max": 2.25}, [X]),
    case("clip_int32", "clip", {"a_min": -3, "a_max": 5}, [ints((3, 9), 20, low=-20, dtype="int32")]),
    case("clip_uint8", "clip", {"a_min": -1.5, "a_max": 7}, [ints((3, 9), 20, dtype="uint8")]),
    case("hard_sigmoid", "hard_sigmoid", {}, [X]),
    case("hard_sigmoid_attributes", "hard_sigmoid", {"alpha": 0.4, "beta": 0.25}, [X]),
    case("smooth_l1", "smooth_l1", {"scalar": 1.0}, [X]),
    case("smooth_l1_scalar", "smooth_l1", {"scalar": 2.5}, [X]),
    case("dropout", "Dropout", {"p": 0.5}, [X], outputs=[0]),
    case("block_grad", "BlockGrad", {}, [X]),
    case("identity", "identity", {}, [ints((3, 4), 9, dtype="int64")]),
    case("make_loss", "MakeLoss", {"grad_scale": 2.0}, [rand((2, 3))]),
    case("make_loss_plain", "make_loss", {}, [rand((2, 3))]),
]
