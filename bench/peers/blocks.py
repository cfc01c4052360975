"""Networks that no zoo for MXNet 1.9 builds, as Gluon blocks: BUILDERS by name. Layers and attributes are those of what
people run; weights come from make_network.py."""
import mxnet as mx
from mxnet.gluon import HybridBlock, nn


def convolution(filters, kernel, stride=1, groups=1, bias=False, channels=0):
    return nn.Conv2D(filters, kernel, stride, kernel // 2, groups=groups, use_bias=bias, in_channels=channels)


class Swish(HybridBlock):
    def hybrid_forward(self, F, x):
        return x * F.sigmoid(x)


class Excitation(HybridBlock):
    """Squeeze and excitation: each channel is multiplied by a number that all of the image decides."""

    def __init__(self, channels, reduced):
        super().__init__()
        with self.name_scope():
            self.gate = nn.HybridSequential()
            self.gate.add(nn.GlobalAvgPool2D(), convolution(reduced, 1, bias=True), Swish(), convolution(channels, 1, bias=True),
                          nn.Activation("sigmoid"))

    def hybrid_forward(self, F, x):
        return F.broadcast_mul(x, self.gate(x))


class InvertedBottleneck(HybridBlock):
    def __init__(self, channels, expansion, filters, kernel, stride):
        super().__init__()
        self.adds = stride == 1 and channels == filters
        wide = channels * expansion
        with self.name_scope():
            self.body = nn.HybridSequential()
            if expansion > 1:
                self.body.add(convolution(wide, 1), nn.BatchNorm(epsilon=1e-3), Swish())
            self.body.add(convolution(wide, kernel, stride, wide, channels=wide), nn.BatchNorm(epsilon=1e-3), Swish(),
                          Excitation(wide, channels // 4), convolution(filters, 1), nn.BatchNorm(epsilon=1e-3))

    def hybrid_forward(self, F, x):
        y = self.body(x)
        return y + x if self.adds else y


def efficientnet_b0():
    """Padding is even on both sides, as in PyTorch; TensorFlow's differs where the stride is 2."""
    net = nn.HybridSequential()
    net.add(convolution(32, 3, 2), nn.BatchNorm(epsilon=1e-3), Swish())
    channels = 32
    for expansion, filters, repeats, first_stride, kernel in ((1, 16, 1, 1, 3), (6, 24, 2, 2, 3), (6, 40, 2, 2, 5), (6, 80, 3, 2, 3),
                                                              (6, 112, 3, 1, 5), (6, 192, 4, 2, 5), (6, 320, 1, 1, 3)):
        for number in range(repeats):
            net.add(InvertedBottleneck(channels, expansion, filters, kernel, 1 if number else first_stride))
            channels = filters
    net.add(convolution(1280, 1), nn.BatchNorm(epsilon=1e-3), Swish(), nn.GlobalAvgPool2D(), nn.Flatten(), nn.Dense(1000))
    return net


def prelu(channels):
    return nn.PReLU(mx.init.Uniform(0.4), in_channels=channels)


class ImprovedResidual(HybridBlock):
    """InsightFace's residual_unit_v3: a BatchNorm in front of both convolutions."""

    def __init__(self, channels, filters, stride):
        super().__init__()
        with self.name_scope():
            self.body = nn.HybridSequential()
            self.body.add(nn.BatchNorm(epsilon=2e-5), convolution(filters, 3), nn.BatchNorm(epsilon=2e-5), prelu(filters),
                          convolution(filters, 3, stride), nn.BatchNorm(epsilon=2e-5))
            self.shortcut = None
            if stride > 1 or channels != filters:
                self.shortcut = nn.HybridSequential()
                self.shortcut.add(nn.Conv2D(filters, 1, stride, use_bias=False), nn.BatchNorm(epsilon=2e-5))

    def hybrid_forward(self, F, x):
        return self.body(x) + (self.shortcut(x) if self.shortcut else x)


class FromPixels(HybridBlock):
    """Values of bytes become -1 to 1, as the first nodes of InsightFace's recognisers have it."""

    def hybrid_forward(self, F, x):
        return (x - 127.5) * 0.0078125


def arcface_r100():
    """InsightFace's LResNet100E-IR."""
    net = nn.HybridSequential()
    net.add(FromPixels(), convolution(64, 3), nn.BatchNorm(epsilon=2e-5), prelu(64))
    channels = 64
    for filters, repeats in ((64, 3), (128, 13), (256, 30), (512, 3)):
        for number in range(repeats):
            net.add(ImprovedResidual(channels, filters, 1 if number else 2))
            channels = filters
    net.add(nn.BatchNorm(epsilon=2e-5), nn.Dropout(0.4), nn.Dense(512), nn.BatchNorm(scale=False, epsilon=2e-5))
    return net


def normed(filters, kernel, activation=True):
    block = nn.HybridSequential()
    block.add(convolution(filters, kernel, bias=True), nn.BatchNorm(epsilon=2e-5))
    if activation:
        block.add(nn.Activation("relu"))
    return block


class FaceHead(HybridBlock):
    """SSH's context, and behind it scores, boxes and landmarks of two anchors at each place."""

    def __init__(self, filters):
        super().__init__()
        with self.name_scope():
            self.near, self.context = normed(filters // 2, 3, False), normed(filters // 4, 3)
            self.middle = normed(filters // 4, 3, False)
            self.far = nn.HybridSequential()
            self.far.add(normed(filters // 4, 3), normed(filters // 4, 3, False))
            self.scores, self.boxes, self.landmarks = [convolution(count, 1, bias=True) for count in (4, 8, 20)]

    def hybrid_forward(self, F, x):
        context = self.context(x)
        x = F.relu(F.concat(self.near(x), self.middle(context), self.far(context), dim=1))
        scores = F.SoftmaxActivation(F.reshape(self.scores(x), shape=(0, 2, -1, 0)), mode="channel")
        return F.reshape(scores, shape=(0, 4, -1, 0)), self.boxes(x), self.landmarks(x)


class RetinaFace(HybridBlock):
    """InsightFace's detector on features at strides of 8, 16 and 32, coarsest first."""

    def __init__(self, stages, filters):
        super().__init__()
        with self.name_scope():
            self.first, self.second, self.third = stages
            self.laterals, self.blends, self.heads = [nn.HybridSequential() for _ in range(3)]
            self.laterals.add(*[normed(filters, 1) for _ in range(3)])
            self.blends.add(*[normed(filters, 3) for _ in range(2)])
            self.heads.add(*[FaceHead(filters) for _ in range(3)])

    def hybrid_forward(self, F, x):
        features = [self.first(x)]
        features.append(self.second(features[-1]))
        features.append(self.third(features[-1]))
        y = self.laterals[2](features[2])
        outputs = list(self.heads[2](y))
        for i in (1, 0):
            y = F.UpSampling(y, scale=2, sample_type="nearest", num_args=1) + self.laterals[i](features[i])
            y = self.blends[i](y)
            outputs += self.heads[i](y)
        return outputs


def stages_of(layers, ends):
    stages = [nn.HybridSequential() for _ in ends]
    for stage, begin, end in zip(stages, [0, *ends], ends):
        stage.add(*layers[begin:end])
    return stages


def retinaface_r50():
    """Layers 0 to 3 are ResNet's stem, 4 to 7 its stages."""
    backbone = mx.gluon.model_zoo.vision.get_model("resnet50_v1", pretrained=False)
    return RetinaFace(stages_of(backbone.features, (6, 7, 8)), 256)


def retinaface_mnet025():
    """MobileNet's stride becomes 16 in layer 33 and 32 in layer 69; what follows layer 80 classifies."""
    backbone = mx.gluon.model_zoo.vision.get_model("mobilenet0.25", pretrained=False)
    return RetinaFace(stages_of(backbone.features, (33, 69, 81)), 64)


class Attention(HybridBlock):
    """Of one position over those before it, or over a memory: keys and values are (N * heads, positions, width of a head)."""

    def __init__(self, units, heads):
        super().__init__()
        self.width = units // heads
        with self.name_scope():
            self.query, self.output = nn.Dense(units, in_units=units), nn.Dense(units, in_units=units)

    def hybrid_forward(self, F, x, keys, values):
        query = F.reshape(self.query(x), shape=(-1, 1, self.width)) / self.width ** 0.5
        weights = F.softmax(F.batch_dot(query, keys, transpose_b=True), axis=-1)
        return self.output(F.reshape(F.batch_dot(weights, values), shape=(-1, self.output._units)))


class DecoderLayer(HybridBlock):
    def __init__(self, units, heads, hidden, before, memory):
        super().__init__()
        self.width, self.before, self.memory = units // heads, before, memory
        with self.name_scope():
            self.key, self.value = nn.Dense(units, in_units=units), nn.Dense(units, in_units=units)
            self.own, self.cross = Attention(units, heads), Attention(units, heads)
            self.feed = nn.HybridSequential()
            self.feed.add(nn.Dense(hidden, activation="relu", in_units=units), nn.Dense(units, in_units=hidden))
            self.norms = nn.HybridSequential()
            self.norms.add(*[nn.LayerNorm(in_channels=units) for _ in range(3)])

    def hybrid_forward(self, F, x, keys, values, memory_keys, memory_values):
        key, value = [F.reshape(dense(x), shape=(-1, 1, self.width)) for dense in (self.key, self.value)]
        # With numbers, as the exporter to ONNX knows no -3.
        keys, values = [F.reshape(array, shape=(-1, self.before, self.width)) for array in (keys, values)]
        memory_keys, memory_values = [F.reshape(array, shape=(-1, self.memory, self.width))
                                      for array in (memory_keys, memory_values)]
        own = self.own(x, F.concat(keys, key, dim=1), F.concat(values, value, dim=1))
        x = self.norms[0](x + own)
        x = self.norms[1](x + self.cross(x, memory_keys, memory_values))
        return self.norms[2](x + self.feed(x)), key, value


class DecoderStep(HybridBlock):
    """One position of a Transformer's decoder. Behind its embedding come, for each layer, the keys and values of the positions
    before it and of the memory, (N, heads, positions, width of a head). It outputs what the next position's word is decided
    from, and its own keys and values, which the caller appends to those before."""

    def __init__(self, layers, units, heads, hidden, before, memory):
        super().__init__()
        with self.name_scope():
            self.layers = nn.HybridSequential()
            self.layers.add(*[DecoderLayer(units, heads, hidden, before, memory) for _ in range(layers)])

    def hybrid_forward(self, F, x, *states):
        outputs = []
        for i, layer in enumerate(self.layers):
            x, *new = layer(x, *states[4 * i:4 * i + 4])
            outputs += new
        return [x, *outputs]


def transformer_step():
    return DecoderStep(6, 512, 8, 2048, before=32, memory=64)


BUILDERS = {"efficientnet_b0": efficientnet_b0, "arcface_r100": arcface_r100, "retinaface_r50": retinaface_r50,
            "retinaface_mnet025": retinaface_mnet025, "transformer_step_6x512": transformer_step}
