"""The networks that are measured, their inputs and batch sizes. Plain Python, read in every environment."""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Photo:
    """What a detector is given end to end: the bytes of a file in, labelled boxes in its pixels out."""
    transforms: str  # of GluonCV's presets: ssd, yolo, rcnn
    short: int  # what the shorter side becomes
    width: int = 640
    height: int = 480

    def resized(self):
        """(height, width) of the network's input: the aspect stays."""
        scale = self.short / min(self.width, self.height)
        return round(self.height * scale), round(self.width * scale)


@dataclasses.dataclass(frozen=True)
class Network:
    name: str
    title: str
    shapes: tuple  # of its inputs; the batch, "N", is filled in
    batches: tuple = (1, 25)
    source: str = "mxnet"  # of make_network.py: mxnet, gluoncv, blocks, bert, lstm, gru
    # Of its inputs: images, images of values 0 to 255 ("pixels"), normal numbers ("numbers"), words, the bytes of an image's file
    # ("photo").
    kind: str = "images"
    zoo_name: str = ""  # if it differs from the name
    heads: tuple = ()  # inner values to output instead: the network up to them
    photo: Photo = None  # of a detector that is timed from the image's file to its boxes
    contestants: tuple = ()  # who can take part; all where it is empty

    def inputs(self, batch):
        """Shapes by the names that Gluon gives inputs when it exports."""
        names = ["data"] if len(self.shapes) == 1 else [f"data{i}" for i in range(len(self.shapes))]
        return {name: tuple(batch if d == "N" else d for d in shape) for name, shape in zip(names, self.shapes)}

    def is_batched(self):
        """Whether samples lie one behind the other, so that networks for one batch size can be calibrated by any number."""
        return all(shape[0] == "N" for shape in self.shapes)

    def taking_part(self, names):
        """Of these contestants those that can."""
        return [name for name in names if name in (self.contestants or names)]


def image(side):
    return (("N", 3, side, side),)


def end_to_end(name, title, zoo_name, photo):
    """A detector with its transforms in front and its boxes behind. What is converted for the others has neither."""
    return Network(name, title, ((1, 3, *photo.resized()),), (1,), "gluoncv", "photo", zoo_name, photo=photo,
                   contestants=("mxinfer", "mxnet"))


def bert(name, words):
    return Network(name, f"BERT base, {words} words", (("N", words), ("N", words), ("N",)), (1, 8), "bert", "words",
                   zoo_name="bert_12_768_12")


def transformer_step(name, title, layers, heads, width, before, memory):
    """Of each layer the keys and values of the positions before, then those of the memory."""
    states = [("N", heads, positions, width) for positions in (before, before, memory, memory)]
    return Network(name, title, (("N", heads * width), *states * layers), (1, 25), "blocks", "numbers")


NETWORKS = {network.name: network for network in [
    Network("resnet18_v1", "ResNet-18 v1", image(224)),
    Network("resnet50_v1", "ResNet-50 v1", image(224)),
    Network("mobilenetv2_1.0", "MobileNetV2 1.0", image(224)),
    Network("mobilenet1.0", "MobileNet 1.0", image(224)),
    Network("squeezenet1.0", "SqueezeNet 1.0", image(224)),
    Network("squeezenet1.1", "SqueezeNet 1.1", image(224)),
    Network("densenet121", "DenseNet-121", image(224)),
    Network("inceptionv3", "Inception-v3", image(299)),
    Network("vgg16", "VGG-16", image(224), (1, 8)),
    Network("efficientnet_b0", "EfficientNet-B0", image(224), source="blocks"),
    Network("resnest50", "ResNeSt-50", image(224), source="gluoncv"),
    Network("se_resnext50_32x4d", "SE-ResNeXt-50 32x4d", image(224), source="gluoncv"),
    Network("mobilenetv3_large", "MobileNetV3 large", image(224), source="gluoncv"),
    Network("deeplab_resnet50_ade", "DeepLabv3 ResNet-50", image(480), (1,), "gluoncv",
            heads=("deeplabv30_bilinearresize2d0_output",)),  # the other is for training
    Network("simple_pose_resnet18_v1b", "Simple pose ResNet-18", (("N", 3, 256, 192),), (1, 8), "gluoncv"),
    Network("arcface_r100", "ArcFace ResNet-100", image(112), (1, 8), "blocks", "pixels"),
    Network("retinaface_r50", "RetinaFace ResNet-50, before its boxes", image(640), (1,), "blocks", "pixels"),
    Network("retinaface_mnet025", "RetinaFace MobileNet 0.25, before its boxes", image(640), (1, 4), "blocks", "pixels"),
    Network("ssd_512_resnet50_v1_voc", "SSD-512 ResNet-50", image(512), (1, 4), "gluoncv"),
    Network("ssd_512_resnet50_v1_trunk", "SSD-512 ResNet-50, before its boxes", image(512), (1, 4), "gluoncv",
            zoo_name="ssd_512_resnet50_v1_voc", heads=("ssd0_concat0_output", "ssd0_concat1_output")),
    end_to_end("ssd_512_resnet50_v1_photo", "SSD-512 ResNet-50, photo to boxes", "ssd_512_resnet50_v1_voc", Photo("ssd", 512)),
    Network("yolo3_darknet53_trunk", "YOLOv3 DarkNet-53, before its boxes", image(416), (1, 4), "gluoncv",
            zoo_name="yolo3_darknet53_voc", heads=tuple(f"yolov30_yolooutputv3{i}_conv0_fwd_output" for i in range(3))),
    end_to_end("yolo3_darknet53_photo", "YOLOv3 DarkNet-53, photo to boxes", "yolo3_darknet53_voc", Photo("yolo", 416)),
    Network("faster_rcnn_resnet50_v1b_trunk", "Faster R-CNN ResNet-50, before its regions", ((1, 3, 600, 800),), (1,), "gluoncv",
            zoo_name="faster_rcnn_resnet50_v1b_voc",
            heads=("resnetv1b_layers3_relu17_fwd_output", "fasterrcnn0_rpn0_conv1_fwd_output", "fasterrcnn0_rpn0_conv2_fwd_output")),
    end_to_end("faster_rcnn_resnet50_v1b_photo", "Faster R-CNN ResNet-50, photo to boxes", "faster_rcnn_resnet50_v1b_voc",
               Photo("rcnn", 600)),
    Network("r2plus1d_resnet18_kinetics400", "R(2+1)D-18, 16 frames of 112", (("N", 3, 16, 112, 112),), (1, 4), "gluoncv"),
    Network("i3d_resnet50_v1_kinetics400", "I3D ResNet-50, 32 frames of 224", (("N", 3, 32, 224, 224),), (1,), "gluoncv"),
    bert("bert_12_768_12_32_words", 32),
    bert("bert_12_768_12", 128),
    bert("bert_12_768_12_512_words", 512),
    transformer_step("transformer_step_6x512", "Transformer decoder 6 x 512, one step", 6, 8, 64, before=32, memory=64),
    Network("lstm_2x512", "LSTM 2 x 512, 100 steps", ((100, "N", 512),), (1, 25), "lstm", "numbers"),
    Network("gru_2x512", "GRU 2 x 512, 100 steps", ((100, "N", 512),), (1, 25), "gru", "numbers"),
]}
# Detectors: from the file to the boxes against MXNet, and up to their boxes against those that have no operators for these.
DETECTORS = [name for name in NETWORKS if name.endswith(("_photo", "_trunk"))]
# What is quantized unless networks are named.
IMAGE_NETWORKS = [name for name, network in NETWORKS.items() if network.is_batched() and network.kind in ("images", "pixels")]
