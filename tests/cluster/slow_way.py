# SPDX-License-Identifier: Apache-2.0
"""A server as it is from far away: what either side says arrives 25 ms later. Or, at once, for so many
requests alone: then nothing is heard of it any more. Prints its port.

usage: slow_way.py HOST:PORT [REQUESTS]
"""
import asyncio
import os
import sys

host, port = sys.argv[1].split(":")
left = int(sys.argv[2]) if len(sys.argv) > 2 else None
DELAY = 0 if left else 0.025


def count(data):
    global left
    if left is not None:
        left -= data.startswith(b"POST ")
        if left < 0:
            os._exit(0)


async def carry(reader, writer, heard):
    loop = asyncio.get_running_loop()
    late = asyncio.Queue()

    async def deliver():
        while True:
            due, data = await late.get()
            await asyncio.sleep(max(0, due - loop.time()))
            if not data:
                break
            writer.write(data)
            await writer.drain()
        writer.close()

    task = loop.create_task(deliver())
    while True:
        data = await reader.read(1 << 18)
        heard(data)
        await late.put((loop.time() + DELAY, data))
        if not data:
            break
    await task


async def connect(reader, writer):
    there = await asyncio.open_connection(host, int(port))
    await asyncio.gather(carry(reader, there[1], count), carry(there[0], writer, len), return_exceptions=True)


async def main():
    server = await asyncio.start_server(connect, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main())
