import json
import sys

import urllib3

base = sys.argv[1]
pool = urllib3.PoolManager()
one = pool.request("GET", base + "/json?x=1")
two = pool.request("POST", base + "/mirror", json={"a": 1})
sys.stdout.write(json.dumps([one.status, one.data.decode(), two.status, two.data.decode()]))
