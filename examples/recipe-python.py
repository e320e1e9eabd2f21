"""Python through the gateway, with plain HTTP: requests as the OpenAI and the Anthropic client send them. The only argument is the gateway's URL."""

import http.client
import json
import sys
from urllib.parse import urlsplit

gateway = urlsplit(sys.argv[1])


def send(path, headers, body):
    connection = http.client.HTTPConnection(gateway.hostname, gateway.port, timeout=30)
    connection.request("POST", path, json.dumps(body), {"content-type": "application/json", **headers})
    response = connection.getresponse()
    answer = json.load(response)
    print(response.status, response.getheader("suture-findings"))
    connection.close()
    return answer


question = {"role": "user", "content": "What is the weather in Oslo?"}
after = {"role": "user", "content": "Are you still there?"}

# OpenAI, LiteLLM and pydantic-ai with an OpenAI model
call = {"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": "{}"}}
chat = [question, {"role": "assistant", "content": None, "tool_calls": [call]}, after]
answer = send("/openai/v1/chat/completions", {"authorization": "Bearer none"}, {"model": "gpt-4.1", "messages": chat})
print(answer["choices"][0]["message"]["content"])

# Anthropic
block = {"type": "tool_use", "id": "toolu_1", "name": "weather", "input": {}}
messages = [question, {"role": "assistant", "content": [block]}, after]
body = {"model": "claude-sonnet-4-5", "max_tokens": 100, "messages": messages}
answer = send("/anthropic/v1/messages", {"x-api-key": "none", "anthropic-version": "2023-06-01"}, body)
print(answer["content"][0]["text"])
