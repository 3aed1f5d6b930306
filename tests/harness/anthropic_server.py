"""A loopback server that speaks Anthropic's Messages protocol, as the installed SDK reads and writes it.

It refuses what the service refuses: no key, no such model, a missing or wrong field.
"""

import json
from typing import Any

from citeplug.records.dialogue import Request
from tests.harness.model_server import Answer, Asked, Fault, Handler, ModelServer, pieces, rough_tokens

_STOPS = {"end": "end_turn", "max_tokens": "max_tokens", "refusal": "refusal"}
_FIELDS = frozenset(
    """cache_control container diagnostics inference_geo max_tokens messages metadata model output_config service_tier
    speed stop_sequences stream system temperature thinking tool_choice tools top_k top_p""".split()
)
_ERRORS = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    500: "api_error",
    504: "timeout_error",
    529: "overloaded_error",
}


class AnthropicServer(ModelServer):
    """`keys` are accepted, all if empty; `models` are known, all that begin with `claude-` if empty."""

    keys: frozenset[str] = frozenset()
    models: frozenset[str] = frozenset()

    def environment(self, key: str = "test-key") -> dict[str, str]:
        return {"ANTHROPIC_BASE_URL": self.root, "ANTHROPIC_API_KEY": key}

    def respond(self, handler: Handler, asked: Asked) -> None:
        refusal = self._refusal(asked)
        if refusal is not None:
            handler.send_json(refusal.status, _error(refusal))
            return
        request = read_request(asked.body)
        if asked.path.endswith("/count_tokens"):
            count = rough_tokens(request.system + request.shared + request.prompt)
            handler.send_json(200, {"input_tokens": count})
            return
        answer, fault = self.say(request)
        self.pause(fault.wait)
        if fault.body is not None:
            handler.send_body(fault.status, fault.body, fault.headers, fault.drip)
        elif fault.status != 200:
            handler.send_json(fault.status, _error(fault), fault.headers)
        elif asked.body.get("stream"):
            handler.send_stream(self.events(asked.body, answer), answer, fault, _event("error", _error(fault)))
        else:
            handler.send_json(200, _message(asked.body, answer))

    def events(self, body: dict[str, Any], answer: Answer) -> list[bytes]:
        """An answer as it is streamed."""
        return _events(body, answer)

    def _refusal(self, asked: Asked) -> Fault | None:
        key = asked.headers.get("x-api-key") or asked.headers.get("authorization", "").removeprefix("Bearer ")
        model = str(asked.body.get("model"))
        if asked.path.partition("?")[0] not in ("/v1/messages", "/v1/messages/count_tokens"):
            return Fault(404, "Not Found")
        if not key or (self.keys and key not in self.keys):
            return Fault(401, f"invalid x-api-key: {key}")
        if model not in self.models if self.models else not model.startswith("claude-"):
            return Fault(404, f"model: {model}")
        unknown = sorted(set(asked.body) - _FIELDS)
        if unknown or not isinstance(asked.body.get("messages"), list):
            return Fault(400, f"{(unknown or ['messages'])[0]}: Extra inputs are not permitted")
        wrong = [m for m in asked.body["messages"] if m.get("role") not in ("user", "assistant") or not m["content"]]
        if wrong or any(not b.get("text") for m in asked.body["messages"] for b in _blocks(m["content"])):
            return Fault(400, "messages: text content blocks must be non-empty")
        if asked.path.endswith("/messages") and not isinstance(asked.body.get("max_tokens"), int):
            return Fault(400, "max_tokens: Field required")
        if self.schemas == "refuse" and "format" in (asked.body.get("output_config") or {}):
            return Fault(400, "output_config.format: this model does not support structured outputs")
        return None


def read_request(body: dict[str, Any]) -> Request:
    """The request as citeplug made it: the last block of the user's message is the prompt, those before are shared."""
    system = "".join(block["text"] for block in _blocks(body.get("system") or []))
    texts = [block["text"] for message in body["messages"] for block in _blocks(message["content"])]
    wanted = (body.get("output_config") or {}).get("format") or {}
    return Request(
        "prose", system, texts[-1], "\n".join(texts[:-1]), wanted.get("schema"), int(body.get("max_tokens") or 0)
    )


def _blocks(content: str | list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _usage(answer: Answer) -> dict[str, Any]:
    inside = (answer.tokens_in or 0) - answer.tokens_kept - answer.tokens_stored
    return {
        "input_tokens": max(0, inside),
        "cache_creation_input_tokens": answer.tokens_stored,
        "cache_read_input_tokens": answer.tokens_kept,
        "output_tokens": answer.tokens_out,
        "service_tier": "standard",
    }


def _stop(answer: Answer) -> dict[str, Any]:
    details = None
    if answer.stop == "refusal":
        details = {"type": "refusal", "category": None, "explanation": None}
    return {"stop_reason": _STOPS[answer.stop], "stop_sequence": None, "stop_details": details}


def _message(body: dict[str, Any], answer: Answer) -> dict[str, Any]:
    content: list[dict[str, Any]] = []
    if answer.thinking:
        content.append({"type": "thinking", "thinking": answer.thinking, "signature": "c2lnbmVk"})
    content.append({"type": "text", "text": answer.text})
    head = {"id": "msg_01Test", "type": "message", "role": "assistant", "model": body["model"]}
    return {**head, "content": content, "usage": _usage(answer), **_stop(answer)}


def _events(body: dict[str, Any], answer: Answer) -> list[bytes]:
    start = {**_message(body, answer), "content": [], "stop_reason": None}
    start["usage"] = {**_usage(answer), "output_tokens": 1}
    events = [_event("message_start", {"message": start}), _event("ping", {})]
    blocks = [("thinking", answer.thinking)] if answer.thinking else []
    for index, (kind, text) in enumerate([*blocks, ("text", answer.text)]):
        empty = {"type": kind, kind: "", **({"signature": ""} if kind == "thinking" else {})}
        events.append(_event("content_block_start", {"index": index, "content_block": empty}))
        for piece in pieces(text):
            delta = {"type": f"{kind}_delta", kind: piece}
            events.append(_event("content_block_delta", {"index": index, "delta": delta}))
        if kind == "thinking":
            delta = {"type": "signature_delta", "signature": "c2lnbmVk"}
            events.append(_event("content_block_delta", {"index": index, "delta": delta}))
        events.append(_event("content_block_stop", {"index": index}))
    events.append(_event("message_delta", {"delta": _stop(answer), "usage": _usage(answer)}))
    return [*events, _event("message_stop", {})]


def _event(kind: str, data: dict[str, Any]) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **data}, ensure_ascii=False)}\n\n".encode()


def _error(fault: Fault) -> dict[str, Any]:
    kind = fault.error or _ERRORS.get(fault.status, "api_error")
    return {"type": "error", "error": {"type": kind, "message": fault.message}, "request_id": "req_01Test"}
