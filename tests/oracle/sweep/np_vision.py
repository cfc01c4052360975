"""Networks of images written with mx.np and mx.npx, after their published architectures, in small."""
from mxnet.gluon import nn


def sequence(*layers):
    net = nn.HybridSequential()
    net.add(*layers)
    return net


def mlp():
    return sequence(nn.Flatten(), nn.Dense(64, activation="relu"), nn.Dropout(0.3), nn.Dense(32, activation="tanh"), nn.Dense(10))


class MlpByHand(nn.HybridBlock):
    """Dense layers as products, as a book writes them before it has layers."""

    def __init__(self):
        super().__init__()
        with self.name_scope():
            self.first_weight = self.params.get("first_weight", shape=(48, 20))
            self.first_bias = self.params.get("first_bias", shape=(20,))
            self.second_weight = self.params.get("second_weight", shape=(20, 10))
            self.second_bias = self.params.get("second_bias", shape=(10,))

    def hybrid_forward(self, F, x, first_weight, first_bias, second_weight, second_bias):
        hidden = F.np.maximum(F.np.dot(x.reshape((-1, 48)), first_weight) + first_bias, 0)
        scores = F.np.exp(F.np.dot(hidden, second_weight) + second_bias)
        return scores / scores.sum(axis=1, keepdims=True)


def lenet():
    return sequence(nn.Conv2D(6, 5, padding=2, activation="sigmoid"), nn.AvgPool2D(2, 2), nn.Conv2D(16, 5, activation="sigmoid"),
                    nn.AvgPool2D(2, 2), nn.Dense(120, activation="sigmoid"), nn.Dense(84, activation="sigmoid"), nn.Dense(10))


def vgg():
    layers = []
    for convolutions, channels in ((1, 8), (1, 16), (2, 32)):
        layers += [nn.Conv2D(channels, 3, padding=1, activation="relu") for _ in range(convolutions)] + [nn.MaxPool2D(2, 2)]
    return sequence(*layers, nn.Dense(64, activation="relu"), nn.Dropout(0.5), nn.Dense(10))


class Inception(nn.HybridBlock):
    """Four ways beside each other, joined along channels."""

    def __init__(self, one, three, five, pooled):
        super().__init__()
        self.one = nn.Conv2D(one, 1, activation="relu")
        self.three = sequence(nn.Conv2D(three // 2, 1, activation="relu"), nn.Conv2D(three, 3, padding=1, activation="relu"))
        self.five = sequence(nn.Conv2D(five // 2, 1, activation="relu"), nn.Conv2D(five, 5, padding=2, activation="relu"))
        self.pooled = sequence(nn.MaxPool2D(3, 1, 1), nn.Conv2D(pooled, 1, activation="relu"))

    def hybrid_forward(self, F, x):
        return F.np.concatenate((self.one(x), self.three(x), self.five(x), self.pooled(x)), axis=1)


def googlenet():
    return sequence(nn.Conv2D(16, 7, 2, 3, activation="relu"), nn.MaxPool2D(3, 2, 1), Inception(8, 16, 4, 4), Inception(16, 24, 8, 8),
                    nn.MaxPool2D(3, 2, 1), Inception(16, 24, 8, 8), nn.GlobalAvgPool2D(), nn.Dense(10))


class Residual(nn.HybridBlock):
    def __init__(self, channels, stride=1):
        super().__init__()
        self.body = sequence(nn.Conv2D(channels, 3, stride, 1, use_bias=False), nn.BatchNorm(), nn.Activation("relu"),
                             nn.Conv2D(channels, 3, 1, 1, use_bias=False), nn.BatchNorm())
        self.shortcut = nn.Conv2D(channels, 1, stride) if stride > 1 else None

    def hybrid_forward(self, F, x):
        return F.npx.relu(self.body(x) + (self.shortcut(x) if self.shortcut else x))


def resnet():
    return sequence(nn.Conv2D(16, 3, 1, 1), nn.BatchNorm(), nn.Activation("relu"), Residual(16), Residual(32, 2), Residual(32),
                    Residual(64, 2), nn.GlobalAvgPool2D(), nn.Dense(10))


class DenseBlock(nn.HybridBlock):
    def __init__(self, count, growth):
        super().__init__()
        self.count = count
        for i in range(count):
            setattr(self, f"layer{i}", sequence(nn.BatchNorm(), nn.Activation("relu"), nn.Conv2D(growth, 3, padding=1)))

    def hybrid_forward(self, F, x):
        for i in range(self.count):
            x = F.np.concatenate([x, getattr(self, f"layer{i}")(x)], axis=1)
        return x


def densenet():
    def transition(channels):
        return sequence(nn.BatchNorm(), nn.Activation("relu"), nn.Conv2D(channels, 1), nn.AvgPool2D(2, 2))
    return sequence(nn.Conv2D(16, 3, padding=1), DenseBlock(3, 8), transition(20), DenseBlock(3, 8), nn.BatchNorm(), nn.Activation("relu"),
                    nn.GlobalAvgPool2D(), nn.Dense(10))


class SqueezeExcite(nn.HybridBlock):
    """Channels weighed by what all of an image's pixels say, with a mean and einsum in place of layers."""

    def __init__(self, channels):
        super().__init__()
        self.convolution = nn.Conv2D(channels, 3, padding=1, activation="relu")
        self.squeeze, self.excite = nn.Dense(4, activation="relu"), nn.Dense(channels, activation="sigmoid")
        self.scores = nn.Dense(10)

    def hybrid_forward(self, F, x):
        x = self.convolution(x)
        weights = self.excite(self.squeeze(x.mean(axis=(2, 3))))
        return self.scores(F.np.einsum("nchw,nc->nchw", x, weights))


class Normalised(nn.HybridBlock):
    """Images normalised by their own statistics, cut in patches, and mixed."""

    def __init__(self):
        super().__init__()
        self.mix, self.scores = nn.Dense(24, flatten=False), nn.Dense(10)

    def hybrid_forward(self, F, x):
        x = (x - F.np.mean(x, axis=(1, 2, 3), keepdims=True)) / F.np.sqrt(F.np.var(x, axis=(1, 2, 3), keepdims=True) + 1e-5)
        patches = F.npx.reshape(x, (-2, -2, -6, 4, 4, -6, 4, 4))
        patches = F.np.transpose(patches, (0, 2, 4, 1, 3, 5))
        patches = F.npx.reshape(patches, (-2, -5, -1))
        return self.scores(F.npx.leaky_relu(self.mix(patches), act_type="gelu").mean(axis=1))


class Fcn(nn.HybridBlock):
    def __init__(self, classes=5):
        super().__init__()
        self.body = sequence(nn.Conv2D(16, 3, 2, 1, activation="relu"), nn.Conv2D(32, 3, 2, 1, activation="relu"))
        self.score = nn.Conv2D(classes, 1)
        self.up = nn.Conv2DTranspose(classes, 8, 4, 2)

    def hybrid_forward(self, F, x):
        logits = self.up(self.score(self.body(x)))
        return F.npx.softmax(logits, axis=1), F.np.argmax(logits, axis=1)


class Ssd(nn.HybridBlock):
    """Two scales of anchors, with classes and offsets for each: the network of a detector and its decoding."""

    def __init__(self, classes=3, anchors=4):
        super().__init__()
        self.classes = classes
        self.first = sequence(nn.Conv2D(16, 3, 2, 1), nn.BatchNorm(), nn.Activation("relu"), nn.Conv2D(16, 3, 2, 1), nn.Activation("relu"))
        self.second = sequence(nn.Conv2D(32, 3, 2, 1), nn.BatchNorm(), nn.Activation("relu"))
        self.class_heads = [nn.Conv2D(anchors * (classes + 1), 3, padding=1) for _ in range(2)]
        self.box_heads = [nn.Conv2D(anchors * 4, 3, padding=1) for _ in range(2)]
        for i in range(2):
            self.register_child(self.class_heads[i])
            self.register_child(self.box_heads[i])

    def hybrid_forward(self, F, x):
        first = self.first(x)
        scales = first, self.second(first)
        flat = lambda y: F.npx.batch_flatten(F.np.transpose(y, (0, 2, 3, 1)))
        anchors = F.np.concatenate([F.npx.multibox_prior(y, sizes=s, ratios=(1, 2, 0.5)) for y, s in zip(scales, ((0.2, 0.3), (0.5, 0.6)))], axis=1)
        scores = F.np.concatenate([flat(head(y)) for head, y in zip(self.class_heads, scales)], axis=1)
        boxes = F.np.concatenate([flat(head(y)) for head, y in zip(self.box_heads, scales)], axis=1)
        scores = F.npx.softmax(F.npx.reshape(scores, (-2, -1, self.classes + 1)), axis=-1)
        return F.npx.multibox_detection(F.np.transpose(scores, (0, 2, 1)), boxes, anchors, nms_threshold=0.5)


NETWORKS = {"np_mlp": (mlp, (2, 3, 4, 4)), "np_mlp_by_hand": (MlpByHand, (2, 3, 4, 4)), "np_lenet": (lenet, (2, 1, 28, 28)),
            "np_vgg": (vgg, (2, 3, 32, 32)), "np_googlenet": (googlenet, (2, 3, 64, 64)), "np_resnet": (resnet, (2, 3, 32, 32)),
            "np_densenet": (densenet, (2, 3, 16, 16)), "np_squeeze_excite": (lambda: SqueezeExcite(16), (2, 3, 16, 16)),
            "np_patch_mixer": (Normalised, (2, 3, 16, 16)), "np_fcn": (Fcn, (2, 3, 32, 32)), "np_ssd": (Ssd, (2, 3, 32, 32))}
