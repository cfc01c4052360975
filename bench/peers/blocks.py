"""Networks that no zoo for MXNet 1.9 builds, as Gluon blocks: BUILDERS by name. Layers and attributes are those of what
people run; weights come from make_network.py."""
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


BUILDERS = {"efficientnet_b0": efficientnet_b0}
