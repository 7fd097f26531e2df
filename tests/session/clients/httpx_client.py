import json
import sys

import httpx

base = sys.argv[1]
with httpx.Client(timeout=20) as client:
    one, two = client.get(base + "/json?x=1"), client.post(base + "/mirror", json={"a": 1})
sys.stdout.write(json.dumps([one.status_code, one.text, two.status_code, two.text]))
