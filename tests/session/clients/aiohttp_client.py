import asyncio
import json
import sys

import aiohttp

base = sys.argv[1]


async def main():
    async with aiohttp.ClientSession() as client:
        async with client.get(base + "/json?x=1") as one:
            told = [one.status, await one.text()]
        async with client.post(base + "/mirror", json={"a": 1}) as two:
            told += [two.status, await two.text()]
    sys.stdout.write(json.dumps(told))


if sys.argv[2:] == ["uvloop"]:
    import uvloop

    uvloop.run(main())
else:
    asyncio.run(main())
