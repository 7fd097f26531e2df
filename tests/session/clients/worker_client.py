"""A server that asks from a spawned worker process and from a child with an environment of its own."""

import json
import multiprocessing
import os
import subprocess
import sys
import urllib.request


def ask(url):
    with urllib.request.urlopen(url, timeout=20) as answer:
        return [answer.status, answer.read().decode()]


if __name__ == "__main__":
    base = sys.argv[1]
    if sys.argv[2:] == ["child"]:
        sys.stdout.write(json.dumps(ask(base + "/json?x=2")))
    else:
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            told = pool.apply(ask, (base + "/json?x=1",))
        words = [sys.executable, __file__, base, "child"]
        child = subprocess.run(words, env={"PATH": os.environ["PATH"]}, capture_output=True, check=True)
        sys.stdout.write(json.dumps(told + json.loads(child.stdout)))
