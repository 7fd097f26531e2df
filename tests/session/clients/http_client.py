import http.client
import json
import sys
from urllib.parse import urlsplit

base = urlsplit(sys.argv[1])
kind = http.client.HTTPSConnection if base.scheme == "https" else http.client.HTTPConnection
connection = kind(base.hostname, base.port, timeout=20)


def ask(method, path, body=None):
    connection.request(method, path, body, {"Content-Type": "application/json"} if body else {})
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


sys.stdout.write(json.dumps([*ask("GET", "/json?x=1"), *ask("POST", "/mirror", b'{"a": 1}')]))
