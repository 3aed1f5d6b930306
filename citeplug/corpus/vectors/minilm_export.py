"""all-MiniLM-L6-v2 as an ONNX file, built from its weights without torch.

The graph is BERT's encoder with mean pooling and normalisation inside: token ids in, unit vectors out. It uses
ONNX Runtime's fused operators (domain com.microsoft), which are what makes it fast on a processor.
"""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Precision = Literal["fp32", "int8"]
Weights = Mapping[str, NDArray[np.float32]]

LAYERS = 6
HEADS = 12
WIDTH = 384
_EPSILON = 1e-12
_OPSET = 17
_FUSED = "com.microsoft"


def build_model(weights: Weights, precision: Precision) -> bytes:
    """The serialised model, with inputs `ids` and `mask` (b, s) int64 and output `vectors` (b, 384) float32.

    `weights` are the tensors of the published model.safetensors, by name. With `int8` the large matrices
    are quantised per output channel and activations dynamically; attention, norms and embeddings stay fp32.
    Raises KeyError if a tensor is missing.
    """
    from onnx import TensorProto, helper

    graph = _Graph(weights, precision)
    graph.embed()
    for layer in range(LAYERS):
        graph.encode(layer)
    graph.pool()
    made = helper.make_graph(
        graph.nodes,
        "all-MiniLM-L6-v2",
        [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"]) for name in ("ids", "mask")],
        [helper.make_tensor_value_info("vectors", TensorProto.FLOAT, ["batch", WIDTH])],
        graph.constants,
    )
    model = helper.make_model(
        made, ir_version=8, opset_imports=[helper.make_opsetid("", _OPSET), helper.make_opsetid(_FUSED, 1)]
    )
    serialised: bytes = model.SerializeToString()
    return serialised


class _Graph:
    """Nodes and constants as they are added; `x` names the hidden states (b, s, 384)."""

    def __init__(self, weights: Weights, precision: Precision) -> None:
        self._weights = weights
        self._precision = precision
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self._x = ""

    def embed(self) -> None:
        words = self._constant("words", self._weights["embeddings.word_embeddings.weight"])
        # Every token is of type 0, so that row can be added to the positions for good.
        places = self._weights["embeddings.position_embeddings.weight"]
        kinds = self._weights["embeddings.token_type_embeddings.weight"]
        table = self._constant("places", places + kinds[0])
        zero, one = self._constant("zero", np.array([0], np.int64)), self._constant("one", np.array([1], np.int64))
        length = self._node(
            "Slice", [self._node("Shape", ["ids"]), one, self._constant("two", np.array([2], np.int64))]
        )
        row = self._node("Slice", [table, zero, length, zero])
        summed = self._node("Add", [self._node("Gather", [words, "ids"]), row])
        scale, shift = self._pair("embeddings.LayerNorm")
        self._x = self._node("LayerNormalization", [summed, scale, shift], epsilon=_EPSILON, axis=-1)
        self._key_mask = self._node("Cast", ["mask"], to=6)

    def encode(self, layer: int) -> None:
        name = f"encoder.layer.{layer}"
        parts = [f"{name}.attention.self.{part}" for part in ("query", "key", "value")]
        projected = [self._linear(self._x, part) for part in parts]
        attended = self._node("MultiHeadAttention", [*projected, "", self._key_mask], domain=_FUSED, num_heads=HEADS)
        self._x = self._add_and_norm(
            self._linear(attended, f"{name}.attention.output.dense"), f"{name}.attention.output"
        )
        raised = self._node("Gelu", [self._linear(self._x, f"{name}.intermediate.dense")], domain=_FUSED)
        self._x = self._add_and_norm(self._linear(raised, f"{name}.output.dense"), f"{name}.output")

    def pool(self) -> None:
        axis = self._constant("axis", np.array([1], np.int64))
        last = self._constant("last", np.array([2], np.int64))
        weight = self._node("Unsqueeze", [self._node("Cast", ["mask"], to=1), last])
        summed = self._node("ReduceSum", [self._node("Mul", [self._x, weight]), axis], keepdims=0)
        # The mean is the sum up to length, and length goes in the next step.
        self.nodes.append(_make("LpNormalization", [summed], ["vectors"], axis=-1, p=2))

    def _linear(self, x: str, name: str) -> str:
        matrix = np.ascontiguousarray(self._weights[f"{name}.weight"].T)
        bias = self._constant(f"{name}.bias", self._weights[f"{name}.bias"])
        if self._precision == "fp32":
            product = self._node("MatMul", [x, self._constant(name, matrix)])
            return self._node("Add", [product, bias])
        scale = np.abs(matrix).max(axis=0) / 127
        rounded = np.clip(np.rint(matrix / scale), -127, 127).astype(np.int8)
        inputs = [x, self._constant(name, rounded), self._constant(f"{name}.scale", scale.astype(np.float32)), "", bias]
        return self._node("DynamicQuantizeMatMul", inputs, domain=_FUSED)

    def _add_and_norm(self, x: str, name: str) -> str:
        scale, shift = self._pair(f"{name}.LayerNorm")
        return self._node("SkipLayerNormalization", [x, self._x, scale, shift], domain=_FUSED, epsilon=_EPSILON)

    def _pair(self, name: str) -> tuple[str, str]:
        return tuple(  # type: ignore[return-value]
            self._constant(f"{name}.{part}", self._weights[f"{name}.{part}"]) for part in ("weight", "bias")
        )

    def _constant(self, name: str, values: NDArray[Any]) -> str:
        from onnx import numpy_helper

        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def _node(self, kind: str, inputs: list[str], domain: str = "", **attributes: Any) -> str:
        output = f"{kind}.{len(self.nodes)}"
        self.nodes.append(_make(kind, inputs, [output], domain, **attributes))
        return output


def _make(kind: str, inputs: list[str], outputs: list[str], domain: str = "", **attributes: Any) -> Any:
    from onnx import helper

    return helper.make_node(kind, inputs, outputs, domain=domain, **attributes)
