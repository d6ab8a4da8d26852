"""Between a gateway and its lookup service: writes one line for each call, and breaks it as a file says that is read before
each: pass, held (0.1 s), slow (2 s), wrong (JSON), 500, or refused.
usage: breaking_proxy.py PORT UPSTREAM_PORT FOLDER"""
import asyncio
import json
import re
import sys
from pathlib import Path

WRONG = b'{"answers":[{"answer":"listed"'
HELD_SECONDS = {"slow": 2, "held": 0.1}


class Proxy:
    def __init__(self, port: str, upstream: str, folder: str):
        self.port, self.upstream = int(port), int(upstream)
        self.mode_file, self.calls = Path(folder, "mode"), Path(folder, "calls").open("a", buffering=1)
        self.connections: set[asyncio.StreamWriter] = set()

    def mode(self) -> str:
        return self.mode_file.read_text()

    async def serve(self, reader, writer) -> None:
        self.connections.add(writer)
        up = None
        try:
            while True:
                head, body = await http_message(reader)
                mode = self.mode()
                self.calls.write(f"{len(json.loads(body)['items'])}\n")
                await asyncio.sleep(HELD_SECONDS.get(mode, 0))
                if mode == "wrong":
                    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(WRONG) + WRONG)
                elif mode == "500":
                    writer.write(b"HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n")
                else:
                    up = up or await asyncio.open_connection("127.0.0.1", self.upstream)
                    up[1].write(head + body)
                    writer.write(b"".join(await http_message(up[0])))
                await writer.drain()
        except (OSError, EOFError):
            pass
        finally:
            self.connections.discard(writer)
            writer.close()
            if up:
                up[1].close()

    async def run(self) -> None:
        """Listens, but for while it refuses."""
        server = None
        while True:
            refused = self.mode() == "refused"
            if refused and server:
                server.close()
                for writer in list(self.connections):
                    writer.transport.abort()
                server = None
            elif not refused and not server:
                server = await asyncio.start_server(self.serve, "127.0.0.1", self.port, backlog=256)
            await asyncio.sleep(0.01)


async def http_message(reader) -> tuple[bytes, bytes]:
    head = await reader.readuntil(b"\r\n\r\n")
    length = re.search(rb"(?i)content-length: *(\d+)", head)
    return head, await reader.readexactly(int(length.group(1)) if length else 0)


asyncio.run(Proxy(*sys.argv[1:]).run())
