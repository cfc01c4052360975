"""Scores as a trained detector gives them: most places are background, some hundred pass the network's threshold, a few are
likely. Of plain random weights every place has every class a little, and all of an NMS would be spent on them. Needs MXNet."""
import mxnet as mx

# How many times further scores spread, and how far the background lies above them.
SPREAD = {"ssd": (2, 12), "yolo": (3, 12), "rcnn": (2, 4)}


def spread(layer, factor):
    for parameter in (layer.weight, layer.bias):
        parameter.set_data(parameter.data() * factor)


def shift(layer, group, column, amount):
    """Adds to one of each `group` biases."""
    bias = layer.bias.data().asnumpy().reshape(-1, group)
    bias[:, column] += amount
    layer.bias.set_data(mx.nd.array(bias.reshape(-1)))


def make_likely(net, transforms):
    factor, background = SPREAD[transforms]
    if transforms == "ssd":
        for predictor in net.class_predictors:
            spread(predictor.predictor, factor)
            shift(predictor.predictor, len(net.classes) + 1, 0, background)
    elif transforms == "yolo":
        for output in net.yolo_outputs:  # of an anchor: box, whether it is an object, classes
            spread_objectness(output.prediction, 5 + len(net.classes), factor)
            shift(output.prediction, 5 + len(net.classes), 4, -background)
    else:
        spread(net.class_predictor, factor)
        shift(net.class_predictor, len(net.classes) + 1, 0, background)


def spread_objectness(layer, group, factor):
    """The boxes stay as they are: their sides are exponentials."""
    for parameter in (layer.weight, layer.bias):
        array = parameter.data().asnumpy()
        rows = array.reshape(-1, group, *array.shape[1:])
        rows[:, 4:] *= factor
        parameter.set_data(mx.nd.array(rows.reshape(array.shape)))
