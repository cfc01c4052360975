"""Which networks there are, how each is built without a download, and what it is given.

    networks()["resnet18_v1b"].build()              # the Gluon block, without weights
    networks()["resnet18_v1b"].inputs(random)       # its inputs, as arrays

GluonCV's list is GluonCV's own; a rule below says what shapes its networks take. Shapes are smaller than those of
practice where the network allows, so that all of them run in an hour.
"""
import contextlib
import dataclasses
import fnmatch
from typing import Callable

import numpy as np

from sweep import numpy_networks

QUANTISED = "quantized: quantized_sweep.py compares it (docs/how-to/quantized-models.md)"

# Some that have little in common, and take little time.
CI = ["mobilenetv3_small", "shufflenet_v2", "resnest14", "cifar_residualattentionnet56", "ssd_300_mobilenet0.25_voc",
      "yolo3_mobilenet0.25_voc", "center_net_resnet18_v1b_dcnv2_voc", "faster_rcnn_resnet50_v1b_voc",
      "mask_rcnn_fpn_resnet18_v1b_coco", "fastscnn_citys", "mobile_pose_mobilenet1.0", "r2plus1d_resnet18_kinetics400",
      "bert_small", "standard_lstm_lm_200", "np_transformer", "np_ssd"]


@dataclasses.dataclass
class Network:
    name: str
    family: str
    build: Callable
    shapes: list = dataclasses.field(default_factory=list)  # lists of input shapes; the first that MXNet takes is used
    make: Callable = None  # makes an input from (index, shape, random), if it is not an image
    skip: str = ""  # why it is not run
    numpy: bool = False  # one of numpy_networks.py, in mx.np


@dataclasses.dataclass
class Rule:
    pattern: str
    family: str
    shapes: list
    arguments: dict = dataclasses.field(default_factory=dict)
    crop: bool = False  # the network is built for one size


def one(*shape):
    """Alternatives with one input."""
    return [[shape]]


IMAGE = [[(2, 3, 96, 96)], [(2, 3, 224, 224)]]
VIDEO = [[(1, 3, 16, 64, 64)], [(1, 3, 32, 64, 64)], [(1, 3, 16, 112, 112)], [(1, 3, 32, 224, 224)]]
# Frames of the fast way, and behind them those of the slow one.
SLOWFAST = [[(1, 3, 36, 64, 64)], [(1, 3, 40, 64, 64)], [(1, 3, 80, 64, 64)]]
# The first rule that fits a name.
RULES = [
    Rule("slowfast_*_custom", "video", SLOWFAST, {"use_kinetics_pretrain": False}),
    Rule("slowfast_*", "video", SLOWFAST),
    Rule("i3d_*_custom|i3d_*_hmdb51|i3d_*_ucf101", "video", VIDEO, {"use_kinetics_pretrain": False}),
    Rule("resnet*_v1b_custom", "video", IMAGE, {"use_kinetics_pretrain": False}),
    Rule("i3d_*|p3d_*|r2plus1d_*", "video", VIDEO),
    Rule("c3d_*", "video", one(1, 3, 16, 112, 112)),
    Rule("inceptionv3_*", "video", [[(1, 3, 299, 299)]]),
    Rule("*_kinetics400|*_ucf101|*_hmdb51|*_sthsthv2", "video", [[(1, 3, 96, 96)], [(1, 3, 224, 224)]]),
    Rule("ssd_300_*", "detection", one(1, 3, 300, 300)),
    Rule("ssd_512_*", "detection", one(1, 3, 256, 256)),
    Rule("yolo3_*", "detection", one(2, 3, 128, 128)),
    Rule("center_net_*", "detection", one(2, 3, 128, 128)),
    Rule("*rcnn*", "detection", one(1, 3, 160, 192)),
    Rule("fcn_*|psp_*|deeplab_*|danet_*", "segmentation", one(1, 3, 96, 96), crop=True),
    Rule("icnet_*|fastscnn_*", "segmentation", one(1, 3, 192, 192), crop=True),
    Rule("hrnet_*_s", "segmentation", one(1, 3, 96, 96)),
    Rule("simple_pose_*|alpha_pose_*|mobile_pose_*", "pose", one(2, 3, 128, 96)),
    Rule("monodepth2_*_posenet_*", "depth", one(1, 6, 64, 160)),
    Rule("monodepth2_*", "depth", one(1, 3, 64, 160)),
    Rule("siamrpn_*", "tracking", [[(1, 3, 127, 127), (1, 3, 287, 287)]]),
    Rule("cifar_*", "classification", one(2, 3, 32, 32)),
    Rule("inceptionv3", "classification", one(1, 3, 299, 299)),
    Rule("*", "classification", IMAGE),
]


@contextlib.contextmanager
def without_downloads():
    """Some of GluonCV's constructors load weights whatever they are told: here they get none."""
    import gluoncv.model_zoo.model_store as store
    from mxnet.gluon import Block, Parameter
    kept = store.get_model_file, Block.load_parameters, Parameter.reset_ctx
    store.get_model_file = lambda *_, **__: None
    Block.load_parameters = lambda *_, **__: None
    Parameter.reset_ctx = lambda *_, **__: None
    try:
        yield
    finally:
        store.get_model_file, Block.load_parameters, Parameter.reset_ctx = kept


def make_smaller(net):
    if hasattr(net, "rpn"):
        net.rpn._test_post_nms = net._rpn_test_post_nms = 40  # regions that are looked at; 300 or 1000 would take minutes
    if hasattr(net, "_rcnn_max_dets"):
        net._rcnn_max_dets = 100  # detections that get a mask, not 1000
    return net


def build_gluoncv(name, rule):
    """A network with the settings of its name."""
    from gluoncv import model_zoo
    arguments = dict(rule.arguments)
    if "custom" in name and rule.family == "detection":
        arguments["classes"] = ["cat", "dog", "bird"]
    if rule.crop:
        arguments["crop_size"] = rule.shapes[0][0][-1]
    with without_downloads():
        try:
            return model_zoo.get_model(name, pretrained=False, pretrained_base=False, **arguments)
        except (TypeError, Warning):  # those made of one piece do not take pretrained_base
            return model_zoo.get_model(name, pretrained=False, **arguments)


def gluoncv_networks():
    from gluoncv import model_zoo
    for name in sorted(model_zoo.get_model_list()):
        rule = next(rule for rule in RULES
                    if any(fnmatch.fnmatchcase(name, pattern) for pattern in rule.pattern.split("|")))
        network = Network(name, rule.family, lambda name=name, rule=rule: make_smaller(build_gluoncv(name, rule)),
                          rule.shapes)
        if name.endswith("_int8"):
            network.skip = QUANTISED
        yield network


def vocabulary(size=1000):
    import gluonnlp
    return gluonnlp.vocab.BERTVocab(gluonnlp.data.count_tokens([f"word{i}" for i in range(size)]))


def small_bert():
    from gluonnlp.model import BERTEncoder, BERTModel
    encoder = BERTEncoder(num_layers=2, units=64, hidden_size=128, max_length=32, num_heads=4,
                          dropout=0.1)
    return BERTModel(encoder, vocab_size=500, token_type_vocab_size=2, units=64, embed_size=64)


def language(name, **arguments):
    import gluonnlp
    return gluonnlp.model.get_model(name, dataset_name=None, vocab=vocabulary(), pretrained=False, **arguments)[0]


def bert_input(index, shape, random):
    """Words, token types, valid lengths, masked positions."""
    if index == 2:
        return np.array([5 + 4 * i for i in range(shape[0])], np.float32)
    return random.integers(0, (400, 2, 1, 5)[index], shape).astype(np.float32)


def roberta_input(index, shape, random):
    """Words, valid lengths."""
    return bert_input((0, 2)[index], shape, random)


def words(_, shape, random):
    return random.integers(0, 400, shape).astype(np.float32)


def normal(_, shape, random):
    return random.normal(0, 1, shape).astype(np.float32)


def transformer_encoder():
    from gluonnlp.model.transformer import TransformerEncoder
    return TransformerEncoder(attention_cell="multi_head", num_layers=2, units=64, hidden_size=128, max_length=32,
                              num_heads=4)


def recurrent(kind, **arguments):
    from mxnet.gluon import nn, rnn
    net = nn.HybridSequential()
    net.add(getattr(rnn, kind)(24, **arguments))
    return net


def language_networks():
    bert = [[(2, 16), (2, 16), (2,), (2, 3)]]
    yield Network("bert_small", "language", small_bert, bert, bert_input)
    yield Network("bert_12_768_12", "language", lambda: language("bert_12_768_12"), bert, bert_input)
    yield Network("bert_24_1024_16", "language", lambda: language("bert_24_1024_16"), bert, bert_input)
    yield Network("roberta_12_768_12", "language", lambda: language("roberta_12_768_12", use_decoder=False),
                  [[(2, 16), (2,)]], roberta_input)
    yield Network("distilbert_6_768_12", "language", lambda: language("distilbert_6_768_12"), [[(2, 16), (2,)]],
                  roberta_input)
    yield Network("ernie_12_768_12", "language", lambda: language("ernie_12_768_12", use_decoder=False),
                  [[(2, 16), (2, 16), (2,)]], bert_input)
    yield Network("transformer_encoder", "language", transformer_encoder, one(2, 12, 64), normal)
    yield Network("standard_lstm_lm_200", "language", lambda: language("standard_lstm_lm_200", dropout=0), one(9, 2),
                  words)
    yield Network("standard_lstm_lm_650", "language", lambda: language("standard_lstm_lm_650", dropout=0), one(9, 2),
                  words)
    yield Network("awd_lstm_lm_600", "language", lambda: language("awd_lstm_lm_600"), one(9, 2), words)
    yield Network("gluon_lstm", "language", lambda: recurrent("LSTM", num_layers=2, bidirectional=True, input_size=16),
                  one(7, 2, 16), normal)
    yield Network("gluon_gru", "language", lambda: recurrent("GRU", num_layers=2, layout="NTC", input_size=16),
                  one(2, 7, 16), normal)
    yield Network("gluon_rnn", "language", lambda: recurrent("RNN", activation="tanh", input_size=16), one(7, 2, 16),
                  normal)


def numpy_networks_of_this_folder():
    for name in numpy_networks.BUILDERS:
        yield Network(name, "numpy", None, numpy=True)


def networks():
    """Every network by its name, in the order of the table."""
    order = ["classification", "detection", "segmentation", "pose", "video", "depth", "tracking", "language", "numpy"]
    found = list(gluoncv_networks()) + list(language_networks()) + list(numpy_networks_of_this_folder())
    found.sort(key=lambda network: order.index(network.family))
    return {network.name: network for network in found}
