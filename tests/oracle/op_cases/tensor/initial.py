from op_case import case, rand


def made(name, op, attrs):
    return case(name, op, attrs, [])


DTYPES = ("float64", "float16", "int8", "uint8", "int32", "int64")

CASES = [
    made("zeros", "_zeros", {"shape": (2, 3)}),
    made("ones", "_ones", {"shape": (3,), "ctx": "cpu(0)"}),
    *(made(f"ones_{dtype}", "_ones", {"shape": (3,), "dtype": dtype}) for dtype in (*DTYPES, "bool")),
    made("full", "_full", {"shape": (2, 2), "value": 2.7}),
    made("full_int32", "_full", {"shape": (2, 2), "value": -2.7, "dtype": "int32"}),
    made("arange", "_arange", {"start": 5}),
    made("arange_stop", "_arange", {"start": 1, "stop": 3, "step": 0.5, "repeat": 2}),
    made("arange_down", "_arange", {"start": 5, "stop": 1, "step": -1.5}),
    made("arange_tenths", "_arange", {"start": 0, "stop": 1, "step": 0.1}),
    made("arange_tenths_float64", "_arange", {"start": 0, "stop": 1, "step": 0.1, "dtype": "float64"}),
    made("arange_int32", "_arange", {"start": 0.5, "stop": 4, "dtype": "int32"}),
    made("arange_int32_steps", "_arange", {"start": 1.5, "stop": 6, "step": 1.5, "dtype": "int32"}),
    *(made(f"arange_{dtype}", "_arange", {"start": 2, "stop": 9, "step": 2, "dtype": dtype})
      for dtype in ("int8", "uint8", "int64")),
    made("linspace", "_linspace", {"start": 0, "stop": 1, "num": 7}),
    made("linspace_open", "_linspace", {"start": 1, "stop": -2, "num": 5, "endpoint": False}),
    made("linspace_one", "_linspace", {"start": 3, "stop": 4, "num": 1}),
    made("linspace_int32", "_linspace", {"start": 0, "stop": 10, "num": 4, "dtype": "int32"}),
    made("eye", "_eye", {"N": 3}),
    made("eye_k", "_eye", {"N": 3, "M": 5, "k": 1, "dtype": "int32"}),
    made("eye_below", "_eye", {"N": 4, "M": 2, "k": -2}),
    case("shape_array", "shape_array", {}, [rand((2, 3, 4))]),
    case("size_array", "size_array", {}, [rand((2, 3, 4))]),
]
