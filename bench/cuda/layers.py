"""The layers of three networks as the kernels of a GPU see them: batch normalisation is in the weights; bias, activation and
residual are part of the kernel that they follow. The sizes follow from how the networks are defined."""
import dataclasses

FLOAT = 4


@dataclasses.dataclass(frozen=True)
class Layer:
    """One kernel. rows x columns x depth is a matrix product, of `matrices` pairs; without depth it moves `values`."""
    name: str
    kind: str  # convolution, product, depthwise, other
    rows: int = 0
    columns: int = 0
    depth: int = 0
    matrices: int = 1
    weights: int = 0  # numbers
    values: int = 0  # numbers that are read and written, but for weights

    @property
    def flops(self):
        return 2 * self.matrices * self.rows * self.columns * self.depth

    def bytes(self, of_weight=FLOAT):
        return self.values * FLOAT + self.weights * of_weight


def convolution(batch, size, channels, filters, kernel, stride=1, residual=False):
    """`size`: of the sides of the output. An image is read once."""
    rows = batch * size * size
    read = batch * (size * stride) ** 2 * channels
    return Layer(f"{kernel}x{kernel} of {channels}, {size}x{size}x{filters}", "convolution", rows, filters,
                 channels * kernel * kernel, weights=filters * channels * kernel * kernel,
                 values=read + rows * filters * (2 if residual else 1))


def depthwise(batch, size, channels, stride):
    rows = batch * size * size
    return Layer(f"depthwise 3x3, {size}x{size}x{channels}", "depthwise", rows, channels, 9, weights=channels * 9,
                 values=batch * (size * stride) ** 2 * channels + rows * channels)


def dense(name, rows, columns, depth, residual=False):
    return Layer(name, "product", rows, columns, depth, weights=columns * depth,
                 values=rows * (depth + columns * (2 if residual else 1)))


def moved(name, read, written):
    return Layer(name, "other", values=read + written)


def resnet50(batch):
    """ResNet-50 v1: the first 1x1 of a stage has the stride."""
    layers = [convolution(batch, 112, 3, 64, 7, 2),
              moved("max pooling 3x3, 56x56x64", batch * 112 * 112 * 64, batch * 56 * 56 * 64)]
    channels = 64
    for stage, blocks in enumerate((3, 4, 6, 3)):
        size, width = 56 >> stage, 64 << stage
        for block in range(blocks):
            stride = 2 if stage and not block else 1
            layers.append(convolution(batch, size, channels, width, 1, stride))
            layers.append(convolution(batch, size, width, width, 3))
            if not block:
                layers.append(convolution(batch, size, channels, 4 * width, 1, stride))
            layers.append(convolution(batch, size, width, 4 * width, 1, residual=True))
            channels = 4 * width
    return layers + [moved("mean of 7x7x2048", batch * 49 * 2048, batch * 2048),
                     dense("dense 2048 to 1000", batch, 1000, 2048)]


def mobilenetv2(batch):
    layers, size, channels = [convolution(batch, 112, 3, 32, 3, 2)], 112, 32
    for expansion, filters, repeats, first_stride in ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1),
                                                      (6, 160, 3, 2), (6, 320, 1, 1)):
        for block in range(repeats):
            stride = first_stride if not block else 1
            wide = channels * expansion
            if expansion > 1:
                layers.append(convolution(batch, size, channels, wide, 1))
            size //= stride
            layers.append(depthwise(batch, size, wide, stride))
            layers.append(convolution(batch, size, wide, filters, 1, residual=stride == 1 and channels == filters))
            channels = filters
    return layers + [convolution(batch, 7, channels, 1280, 1), moved("mean of 7x7x1280", batch * 49 * 1280, batch * 1280),
                     dense("dense 1280 to 1000", batch, 1000, 1280)]


def attention(batch, words, width, heads):
    """Scores, softmax, and the sum that it weighs."""
    pairs, each = batch * heads, width // heads
    scores = pairs * words * words
    return [Layer("scores of attention", "product", words, words, each, pairs, values=2 * batch * words * width + scores),
            moved("softmax of attention", scores, scores),
            Layer("sum of attention", "product", words, each, words, pairs, values=2 * batch * words * width + scores)]


def bert_base(batch, words=128, width=768, heads=12):
    rows = batch * words
    normalise = moved(f"layer norm of {width}", rows * width, rows * width)
    layers = [moved("embeddings", 2 * rows * width, rows * width), normalise]
    for _ in range(12):
        layers += [dense(f"dense {width} to {width}", rows, width, width) for _ in range(3)]
        layers += attention(batch, words, width, heads)
        layers += [dense(f"dense {width} to {width}, residual", rows, width, width, residual=True), normalise,
                   dense(f"dense {width} to {4 * width}", rows, 4 * width, width),
                   dense(f"dense {4 * width} to {width}, residual", rows, width, 4 * width, residual=True), normalise]
    return layers + [dense(f"dense {width} to {width} of the first word", batch, width, width)]


NETWORKS = {"ResNet-50 v1": resnet50, "MobileNetV2 1.0": mobilenetv2, "BERT base, 128 words": bert_base}
