"""A loopback server that speaks the chat-completions protocol of OpenAI and of the local servers that follow it."""

import json
from itertools import pairwise
from typing import Any

from citeplug.records.dialogue import Request
from tests.harness.model_server import Answer, Asked, Fault, Handler, ModelServer, pieces

_STOPS = {"end": "stop", "max_tokens": "length", "refusal": "content_filter"}


class OpenAIServer(ModelServer):
    """`keys` are accepted, all and none if empty; `models` are known, all if empty.

    `usage` False stands for a server that reports no token counts. `alternating` refuses two messages of one role
    in a row and `system_role` False a system message, as the chat templates of some local models do.
    """

    keys: frozenset[str] = frozenset()
    models: frozenset[str] = frozenset()
    usage = True
    alternating = True
    system_role = True

    def environment(self, key: str = "test-key") -> dict[str, str]:
        return {"OPENAI_BASE_URL": f"{self.root}/v1", "OPENAI_API_KEY": key}

    def respond(self, handler: Handler, asked: Asked) -> None:
        refusal = self._refusal(asked)
        if refusal is not None:
            handler.send_json(refusal.status, _error(refusal))
            return
        if asked.path.endswith("/models"):
            listed = [{"id": name, "object": "model", "created": 0, "owned_by": "me"} for name in sorted(self.models)]
            handler.send_json(200, {"object": "list", "data": listed})
            return
        answer, fault = self.say(read_request(asked.body))
        self.pause(fault.wait)
        if fault.body is not None:
            handler.send_body(fault.status, fault.body, fault.headers, fault.drip)
        elif fault.status != 200:
            handler.send_json(fault.status, _error(fault), fault.headers)
        elif asked.body.get("stream"):
            handler.send_stream(self._events(asked.body, answer), answer, fault, _data(_error(fault)))
        else:
            handler.send_json(200, self._completion(asked.body, answer))

    def _refusal(self, asked: Asked) -> Fault | None:
        key = asked.headers.get("authorization", "").removeprefix("Bearer ")
        if asked.path.partition("?")[0] not in ("/v1/chat/completions", "/v1/models"):
            return Fault(404, "Not Found")
        if self.keys and key not in self.keys:
            return Fault(401, f"Incorrect API key provided: {key}", "invalid_api_key")
        if asked.path.endswith("/models"):
            return None
        model = str(asked.body.get("model"))
        if self.models and model not in self.models:
            return Fault(404, f"The model `{model}` does not exist", "model_not_found")
        roles = [message.get("role") for message in asked.body.get("messages") or []]
        if not roles:
            return Fault(400, "messages: field required")
        if self.alternating and any(a == b for a, b in pairwise(roles)):
            return Fault(400, "Conversation roles must alternate user/assistant/user/assistant/...")
        if not self.system_role and "system" in roles:
            return Fault(400, "System role not supported")
        if self.schemas == "refuse" and asked.body.get("response_format"):
            return Fault(400, "response_format is not supported", "unsupported_parameter")
        return None

    def _usage(self, answer: Answer) -> dict[str, Any]:
        tokens_in, tokens_out = answer.tokens_in or 0, answer.tokens_out or 0
        details = {"cached_tokens": answer.tokens_kept, "audio_tokens": 0}
        total = {"prompt_tokens": tokens_in, "completion_tokens": tokens_out, "total_tokens": tokens_in + tokens_out}
        return {**total, "prompt_tokens_details": details}

    def _completion(self, body: dict[str, Any], answer: Answer) -> dict[str, Any]:
        refused = answer.stop == "refusal"
        message = {"role": "assistant", "content": answer.text, "refusal": "I cannot." if refused else None}
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": _STOPS[answer.stop]}
        head = {"id": "chatcmpl-test", "object": "chat.completion", "created": 0, "model": body["model"]}
        return {**head, "choices": [choice], **({"usage": self._usage(answer)} if self.usage else {})}

    def _events(self, body: dict[str, Any], answer: Answer) -> list[bytes]:
        head = {"id": "chatcmpl-test", "object": "chat.completion.chunk", "created": 0, "model": body["model"]}

        def chunk(delta: dict[str, Any], stop: str | None = None) -> bytes:
            return _data({**head, "choices": [{"index": 0, "delta": delta, "finish_reason": stop}]})

        events = [chunk({"role": "assistant", "content": ""})]
        events += [
            chunk({"reasoning_content": piece}) for piece in (pieces(answer.thinking) if answer.thinking else ())
        ]
        events += [chunk({"content": piece}) for piece in pieces(answer.text)]
        events.append(chunk({}, _STOPS[answer.stop]))
        if self.usage and (body.get("stream_options") or {}).get("include_usage"):
            events.append(_data({**head, "choices": [], "usage": self._usage(answer)}))
        return [*events, b"data: [DONE]\n\n"]


def read_request(body: dict[str, Any]) -> Request:
    """The request as citeplug made it; what is shared and what is not stand in one message, here as the prompt."""
    system = "\n".join(m["content"] for m in body["messages"] if m["role"] == "system")
    prompt = "\n".join(m["content"] for m in body["messages"] if m["role"] == "user")
    wanted = (body.get("response_format") or {}).get("json_schema") or {}
    most = int(body.get("max_completion_tokens") or body.get("max_tokens") or 0)
    return Request("prose", system, prompt, "", wanted.get("schema"), most)


def _data(document: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(document, ensure_ascii=False)}\n\n".encode()


def _error(fault: Fault) -> dict[str, Any]:
    return {"error": {"message": fault.message, "type": "error", "param": None, "code": fault.error}}
