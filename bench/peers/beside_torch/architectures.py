"""The networks that are measured, as their papers and the model zoos define them."""
from description import Net


def conv_norm(net, x, filters, kernel, stride=1, pad=0, groups=1, gain=1.0):
    return net.batch_norm(net.conv(x, filters, kernel, stride, pad, groups), gain)


# A sum of two branches grows from block to block; with this gain of the one it stays within the range of halves.
RESIDUAL_GAIN = 0.3


def basic_block(net, x, filters, stride):
    shortcut = x if stride == 1 and net.shape(x)[0] == filters else conv_norm(net, x, filters, 1, stride)
    y = net.relu(conv_norm(net, x, filters, 3, stride, 1))
    return net.relu(net.plus(conv_norm(net, y, filters, 3, 1, 1, gain=RESIDUAL_GAIN), shortcut))


def bottleneck(net, x, filters, stride):
    """The 3 x 3 convolution has the stride, as in torchvision and in GluonCV's v1b."""
    shortcut = x if stride == 1 and net.shape(x)[0] == 4 * filters else conv_norm(net, x, 4 * filters, 1, stride)
    y = net.relu(conv_norm(net, x, filters, 1))
    y = net.relu(conv_norm(net, y, filters, 3, stride, 1))
    return net.relu(net.plus(conv_norm(net, y, 4 * filters, 1, gain=RESIDUAL_GAIN), shortcut))


def resnet(block, depths, size=224, width=64, classes=1000):
    net = Net()
    x = net.input("data", (3, size, size))
    x = net.relu(conv_norm(net, x, width, 7, 2, 3))
    x = net.pool(x, "max", 3, 2, 1)
    for stage, depth in enumerate(depths):
        for number in range(depth):
            x = block(net, x, width << stage, 2 if stage and not number else 1)
    net.heads = [net.dense(net.global_average(x), classes)]
    return net


def mobilenet_v2():
    net = Net()
    x = net.relu6(conv_norm(net, net.input("data", (3, 224, 224)), 32, 3, 2, 1))
    for expansion, filters, repeats, first_stride in ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1),
                                                      (6, 160, 3, 2), (6, 320, 1, 1)):
        for number in range(repeats):
            stride, channels = first_stride if not number else 1, net.shape(x)[0]
            y = net.relu6(conv_norm(net, x, channels * expansion, 1)) if expansion > 1 else x
            y = net.relu6(conv_norm(net, y, channels * expansion, 3, stride, 1, groups=channels * expansion))
            adds = stride == 1 and channels == filters
            y = conv_norm(net, y, filters, 1, gain=RESIDUAL_GAIN if adds else 1.0)
            x = net.plus(y, x) if adds else y
    x = net.relu6(conv_norm(net, x, 1280, 1))
    net.heads = [net.dense(net.global_average(x), 1000)]
    return net


def vgg16():
    net = Net()
    x = net.input("data", (3, 224, 224))
    for filters, repeats in ((64, 2), (128, 2), (256, 3), (512, 3), (512, 3)):
        for _ in range(repeats):
            x = net.relu(net.conv(x, filters, 3, pad=1, bias=True))
        x = net.pool(x, "max", 2, 2)
    for _ in range(2):
        x = net.relu(net.dense(x, 4096))
    net.heads = [net.dense(x, 1000)]
    return net


def densenet121():
    net, growth = Net(), 32
    x = net.relu(conv_norm(net, net.input("data", (3, 224, 224)), 64, 7, 2, 3))
    x = net.pool(x, "max", 3, 2, 1)
    for block, depth in enumerate((6, 12, 24, 16)):
        for _ in range(depth):
            y = net.conv(net.relu(net.batch_norm(x)), 4 * growth, 1)
            y = net.conv(net.relu(net.batch_norm(y)), growth, 3, pad=1)
            x = net.concat([x, y])
        if block < 3:
            x = net.conv(net.relu(net.batch_norm(x)), net.shape(x)[0] // 2, 1)
            x = net.pool(x, "avg", 2, 2)
    net.heads = [net.dense(net.global_average(net.relu(net.batch_norm(x))), 1000)]
    return net


def bert(layers, width, heads, words=128, vocabulary=30522):
    """The encoder with its pooler. Its lengths mask what is behind the last word of a text; here all are as long as can be."""
    net = Net()
    tokens, types = net.input("data0", (words,), values=vocabulary), net.input("data1", (words,), values=2)
    lengths = net.input("data2", (), values="lengths")
    x = net.plus(net.embedding(tokens, vocabulary, width), net.embedding(types, 2, width))
    x = net.layer_norm(net.positions(net.words_first(x)))
    for _ in range(layers):
        attended = net.attention(net.dense_rows(x, 3 * width), lengths, heads)
        x = net.layer_norm(net.plus(net.dense_rows(attended, width), x))
        wide = net.gelu(net.dense_rows(x, 4 * width))
        x = net.layer_norm(net.plus(net.dense_rows(wide, width), x))
    x = net.batch_first(x)
    net.heads = [x, net.tanh(net.dense(net.first_word(x), width))]
    return net


def lstm(steps=100, width=512, layers=2):
    net = Net()
    net.heads = [net.lstm(net.input("data", (steps, width), batch_axis=1), width, layers)]
    return net


NETWORKS = {
    "resnet18": lambda: resnet(basic_block, (2, 2, 2, 2)),
    "resnet50": lambda: resnet(bottleneck, (3, 4, 6, 3)),
    "mobilenet_v2": mobilenet_v2,
    "vgg16": vgg16,
    "densenet121": densenet121,
    "bert_base": lambda: bert(12, 768, 12),
    "lstm": lstm,
}
# So small that an emulator of a GPU runs them in a moment: to try the programs.
SMALL_NETWORKS = {
    "small_resnet": lambda: resnet(basic_block, (1, 1), size=16, width=4, classes=5),
    "small_bert": lambda: bert(1, 16, 2, words=4, vocabulary=20),
    "small_lstm": lambda: lstm(steps=3, width=8),
}
