"""A Python client through the gateway, with plain HTTP. The base URL is the only argument."""

import json
import sys
import urllib.request

body = {
    "model": "gpt-4.1",
    "messages": [
        {"role": "user", "content": "What is the weather in Oslo?"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": "{}"}}],
        },
        {"role": "user", "content": "Are you still there?"},
    ],
}
request = urllib.request.Request(
    sys.argv[1] + "/chat/completions",
    data=json.dumps(body).encode(),
    headers={"content-type": "application/json", "authorization": "Bearer none"},
)
with urllib.request.urlopen(request) as response:
    print(response.headers["suture-findings"])
    print(json.load(response)["choices"][0]["message"]["content"])
