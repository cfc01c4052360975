"""The networks that are measured, their inputs and batch sizes. Plain Python, read in every environment."""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Network:
    name: str
    title: str
    shapes: tuple  # of its inputs; the batch, "N", is filled in
    batches: tuple = (1, 25)
    source: str = "mxnet"  # of make_network.py: mxnet, gluoncv, bert, lstm
    kind: str = "images"  # of its inputs: images, normal numbers ("numbers"), words
    zoo_name: str = ""  # if it differs from the name
    heads: tuple = ()  # inner values to output instead: the network up to them

    def inputs(self, batch):
        """Shapes by the names that Gluon gives inputs when it exports."""
        names = ["data"] if len(self.shapes) == 1 else [f"data{i}" for i in range(len(self.shapes))]
        return {name: tuple(batch if d == "N" else d for d in shape) for name, shape in zip(names, self.shapes)}


def image(side):
    return (("N", 3, side, side),)


NETWORKS = {network.name: network for network in [
    Network("resnet18_v1", "ResNet-18 v1", image(224)),
    Network("resnet50_v1", "ResNet-50 v1", image(224)),
    Network("mobilenetv2_1.0", "MobileNetV2 1.0", image(224)),
    Network("mobilenet1.0", "MobileNet 1.0", image(224)),
    Network("squeezenet1.1", "SqueezeNet 1.1", image(224)),
    Network("densenet121", "DenseNet-121", image(224)),
    Network("inceptionv3", "Inception-v3", image(299)),
    Network("vgg16", "VGG-16", image(224), (1, 8)),
    Network("ssd_512_resnet50_v1_voc", "SSD-512 ResNet-50", image(512), (1, 4), "gluoncv"),
    Network("ssd_512_resnet50_v1_trunk", "SSD-512 ResNet-50, before its boxes", image(512), (1, 4), "gluoncv",
            zoo_name="ssd_512_resnet50_v1_voc", heads=("ssd0_concat0_output", "ssd0_concat1_output")),
    Network("r2plus1d_resnet18_kinetics400", "R(2+1)D-18, 16 frames of 112", (("N", 3, 16, 112, 112),), (1, 4), "gluoncv"),
    Network("bert_12_768_12", "BERT base, 128 words", (("N", 128), ("N", 128), ("N",)), (1, 8), "bert", "words"),
    Network("lstm_2x512", "LSTM 2 x 512, 100 steps", ((100, "N", 512),), (1, 25), "lstm", "numbers"),
]}
