from op_case import case, rand

import numpy as np


def ctc(name, labels, lengths=(), attrs=(), data=None, op="CTCLoss", dtype="float32"):
    data = rand((6, 3, 5), 0, -2, 2) if data is None else data
    return case(name, op, dict(attrs), [data, np.array(labels, dtype),
                                        *(np.array(length, "float32") for length in lengths)])


def with_value(value):
    data = rand((6, 3, 5), 0, -2, 2)
    data[2, 1, 3] = value
    return data


LABELS = [[1, 2, 0], [3, 3, 0], [4, 0, 0]]

CASES = [
    ctc("blank_first", LABELS),
    ctc("blank_last", [[0, 1, -1], [3, 3, -1], [2, -1, -1]], attrs={"blank_label": "last"}),
    *(ctc(f"alias{i}", LABELS, op=op) for i, op in enumerate(("ctc_loss", "_contrib_CTCLoss", "_contrib_ctc_loss"))),
    ctc("int_labels", LABELS, dtype="int32"),
    ctc("cut_labels", [[1.7, 2, 0], [3, 3.5, 0], [4, 0.5, 0]]),
    ctc("empty_labels", [[0, 0, 0], [3, 3, 0], [0, 0, 0]]),
    ctc("padding_inside", [[1, 0, 2], [0, 3, 0], [4, 0, 1]]),
    ctc("padding_inside_last", [[1, -1, 2], [-1, 3, -1], [2, -1, 1]], attrs={"blank_label": "last"}),
    ctc("label_lengths", [[1, 2, 2], [3, 3, 3], [4, 1, 2]], ([2, 3, 0],), {"use_label_lengths": True}),
    ctc("label_lengths_with_blanks", [[1, 0, 2], [3, 3, 0], [4, 1, 2]], ([3, 3, 1],), {"use_label_lengths": True}),
    ctc("data_lengths", LABELS, ([4, 6, 2],), {"use_data_lengths": True}),
    ctc("both_lengths", [[1, 2, 2], [3, 3, 3], [4, 1, 2]], ([4, 5, 1], [2, 1, 1]),
        {"use_data_lengths": True, "use_label_lengths": True}),
    ctc("both_lengths_last", [[1, 2, 2], [3, 0, 3], [0, 1, 2]], ([4, 5, 1], [2, 3, 1]),
        {"use_data_lengths": True, "use_label_lengths": True, "blank_label": "last"}),
    ctc("impossible", [[1, 1, 2], [3, 3, 3], [4, 1, 0]], data=rand((3, 3, 5), 0, -2, 2)),
    ctc("impossible_lengths", LABELS, ([2, 2, 1],), {"use_data_lengths": True}),
    ctc("no_data", LABELS, ([0, 1, 6],), {"use_data_lengths": True}),
    ctc("one", [[1]], data=rand((1, 1, 2))),
    ctc("long", [[*range(1, 21)], [*range(1, 11), *[0] * 10]], data=rand((50, 2, 30), 0, -8, 8)),
    ctc("sure", LABELS, data=rand((6, 3, 5), 0, -90, 90)),
    ctc("nan", LABELS, data=with_value(np.nan)),
    ctc("minus_infinity", LABELS, data=with_value(-np.inf)),
]
