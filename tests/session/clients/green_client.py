import sys
import warnings

if sys.argv[2] == "gevent":
    from gevent import monkey

    monkey.patch_all()
else:
    warnings.simplefilter("ignore")
    import eventlet

    eventlet.monkey_patch()

import json
import urllib.request

base = sys.argv[1]


def ask(path, body=None):
    kind = {"Content-Type": "application/json"} if body else {}
    with urllib.request.urlopen(urllib.request.Request(base + path, body, kind), timeout=20) as answer:
        return answer.status, answer.read().decode()


try:
    urllib.request.urlopen("http://nowhere.invalid/", timeout=20)
except OSError as wrong:
    found = str(wrong)
sys.stdout.write(json.dumps([found, *ask("/json?x=1"), *ask("/mirror", b'{"a": 1}')]))
