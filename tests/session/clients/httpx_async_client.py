import asyncio
import json
import sys

import httpx

base = sys.argv[1]


async def main():
    async with httpx.AsyncClient(timeout=20) as client:
        one, two = await client.get(base + "/json?x=1"), await client.post(base + "/mirror", json={"a": 1})
    sys.stdout.write(json.dumps([one.status_code, one.text, two.status_code, two.text]))


asyncio.run(main())
