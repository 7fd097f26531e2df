import json
import sys
import urllib.request

base = sys.argv[1]


def ask(path, body=None):
    kind = {"Content-Type": "application/json"} if body else {}
    with urllib.request.urlopen(urllib.request.Request(base + path, body, kind), timeout=20) as answer:
        return answer.status, answer.read().decode()


sys.stdout.write(json.dumps([*ask("/json?x=1"), *ask("/mirror", b'{"a": 1}')]))
