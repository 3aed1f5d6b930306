"""Writes the graphs of all-MiniLM-L6-v2 (fp32.onnx and int8.onnx) beside the code that runs them.

The graph is BERT's encoder with mean pooling and normalisation inside: token ids in, unit vectors out. It uses
ONNX Runtime's fused operators (domain com.microsoft), which are what makes it fast on a processor; not the one of sum
and norm, which takes five times as long as the two. The files have no
weights: they refer to places in the published model.safetensors, and what is derived from weights, such as their
transposition and quantisation, is computed by ONNX Runtime when it loads them. To be run again, with
`python build_minilm.py`, when the graph changes.
"""

import json
from pathlib import Path
from typing import Any, Literal

import numpy as np
from onnx import TensorProto, helper, numpy_helper

Precision = Literal["fp32", "int8"]

FOLDER = Path(__file__).parent / "citeplug" / "corpus" / "vectors"
WEIGHTS = "all-MiniLM-L6-v2/model.safetensors"
LAYERS = 6
HEADS = 12
WIDTH = 384
_EPSILON = 1e-12
_OPSET = 17
_FUSED = "com.microsoft"


def build_model(weights: Path, precision: Precision) -> bytes:
    """The serialised model, with inputs `ids` and `mask` (b, s) int64 and outputs `vectors` (b, 384) float32, and as a
    second one the vectors of the word pieces before pooling (b, s, 384), which are not of unit length.

    With `int8` the large matrices are quantised per output channel and activations dynamically; attention, norms and
    embeddings stay fp32.
    """
    graph = _Graph(weights, precision)
    graph.embed()
    for layer in range(LAYERS):
        graph.encode(layer)
    graph.pool()
    made = helper.make_graph(
        graph.nodes,
        "all-MiniLM-L6-v2",
        [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"]) for name in ("ids", "mask")],
        [
            helper.make_tensor_value_info("vectors", TensorProto.FLOAT, ["batch", WIDTH]),
            helper.make_tensor_value_info(graph.pieces, TensorProto.FLOAT, ["batch", "length", WIDTH]),
        ],
        graph.constants,
    )
    model = helper.make_model(
        made, ir_version=8, opset_imports=[helper.make_opsetid("", _OPSET), helper.make_opsetid(_FUSED, 1)]
    )
    serialised: bytes = model.SerializeToString()
    return serialised


class _Graph:
    """Nodes and constants as they are added; `x` names the hidden states (b, s, 384)."""

    def __init__(self, weights: Path, precision: Precision) -> None:
        with weights.open("rb") as file:
            size = int.from_bytes(file.read(8), "little")
            self._tensors: dict[str, Any] = json.loads(file.read(size))
        self._start = 8 + size
        self._precision = precision
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self._x = ""

    def embed(self) -> None:
        zero, one = self._constant("zero", [0]), self._constant("one", [1])
        # Every token is of type 0, so that row can be added to the positions for good.
        kind = self._node("Slice", [self._weight("embeddings.token_type_embeddings.weight"), zero, one, zero])
        table = self._node("Add", [self._weight("embeddings.position_embeddings.weight"), kind])
        length = self._node("Slice", [self._node("Shape", ["ids"]), one, self._constant("two", [2])])
        row = self._node("Slice", [table, zero, length, zero])
        words = self._node("Gather", [self._weight("embeddings.word_embeddings.weight"), "ids"])
        scale, shift = self._pair("embeddings.LayerNorm")
        summed = self._node("Add", [words, row])
        self._x = self._node("LayerNormalization", [summed, scale, shift], epsilon=_EPSILON, axis=-1)
        self._key_mask = self._node("Cast", ["mask"], to=TensorProto.INT32)

    @property
    def pieces(self) -> str:
        """The name of the hidden states so far."""
        return self._x

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
        last = self._constant("last", [2])
        weight = self._node("Unsqueeze", [self._node("Cast", ["mask"], to=TensorProto.FLOAT), last])
        summed = self._node(
            "ReduceSum", [self._node("Mul", [self._x, weight]), self._constant("axis", [1])], keepdims=0
        )
        # The mean is the sum up to length, and length goes in the next step.
        self.nodes.append(helper.make_node("LpNormalization", [summed], ["vectors"], axis=-1, p=2))

    def _linear(self, x: str, name: str) -> str:
        matrix = self._node("Transpose", [self._weight(f"{name}.weight")], perm=[1, 0])
        bias = self._weight(f"{name}.bias")
        if self._precision == "fp32":
            return self._node("Add", [self._node("MatMul", [x, matrix]), bias])
        most = self._constant("most", np.float32(127))
        scale = self._node("Div", [self._node("ReduceMax", [self._node("Abs", [matrix])], axes=[0], keepdims=0), most])
        rounded = self._node("Round", [self._node("Div", [matrix, scale])])
        clipped = self._node("Clip", [rounded, self._constant("least", np.float32(-127)), most])
        inputs = [x, self._node("Cast", [clipped], to=TensorProto.INT8), scale, "", bias]
        return self._node("DynamicQuantizeMatMul", inputs, domain=_FUSED)

    def _add_and_norm(self, x: str, name: str) -> str:
        inputs = [self._node("Add", [x, self._x]), *self._pair(f"{name}.LayerNorm")]
        return self._node("LayerNormalization", inputs, epsilon=_EPSILON, axis=-1)

    def _pair(self, name: str) -> tuple[str, str]:
        return self._weight(f"{name}.weight"), self._weight(f"{name}.bias")

    def _weight(self, name: str) -> str:
        """A tensor of the published file, by its place in it."""
        described = self._tensors[name]
        assert described["dtype"] == "F32"
        first, end = described["data_offsets"]
        tensor = TensorProto(name=name, data_type=TensorProto.FLOAT, dims=described["shape"])
        tensor.data_location = TensorProto.EXTERNAL
        place = {"location": WEIGHTS, "offset": str(self._start + first), "length": str(end - first)}
        for key, value in place.items():
            tensor.external_data.add(key=key, value=value)
        self.constants.append(tensor)
        return name

    def _constant(self, name: str, value: Any) -> str:
        if name not in (constant.name for constant in self.constants):
            self.constants.append(numpy_helper.from_array(np.asarray(value), name))
        return name

    def _node(self, kind: str, inputs: list[str], domain: str = "", **attributes: Any) -> str:
        output = f"{kind}.{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [output], domain=domain, **attributes))
        return output


if __name__ == "__main__":
    for precision in ("fp32", "int8"):
        (FOLDER / f"{precision}.onnx").write_bytes(build_model(FOLDER / WEIGHTS, precision))
