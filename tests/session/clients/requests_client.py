import json
import sys

import requests

base = sys.argv[1]
one, two = (
    requests.get(base + "/json?x=1", timeout=20),
    requests.post(base + "/mirror", json={"a": 1}, timeout=20),
)
sys.stdout.write(json.dumps([one.status_code, one.text, two.status_code, two.text]))
