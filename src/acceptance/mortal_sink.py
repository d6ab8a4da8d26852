"""A next hop that writes a message's name down before it answers 250, and dies by SIGKILL when it is in a phase of a mail
transaction for the count-th time; 0 for never.
usage: mortal_sink.py PORT RECORD PHASE COUNT"""
import asyncio
import os
import re
import signal
import sys

HELLO = b"250-sink.test\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 ENHANCEDSTATUSCODES\r\n"


class Death:
    def __init__(self, phase: str, count: int):
        self.phase, self.left = phase, count

    def passing(self, phase: str) -> None:
        if phase == self.phase:
            self.left -= 1
            if self.left == 0:
                os.kill(os.getpid(), signal.SIGKILL)


async def serve(reader, writer, record: int, death: Death) -> None:
    try:
        writer.write(b"220 sink.test ESMTP\r\n")
        while line := await reader.readline():
            match line[:4].upper():
                case b"EHLO":
                    writer.write(HELLO)
                case b"DATA":
                    writer.write(b"354 go\r\n")
                    writer.write(b"250 2.0.0 stored %s\r\n" % await take(reader, record, death))
                case b"QUIT":
                    writer.write(b"221 2.0.0 bye\r\n")
                    break
                case verb:
                    if verb == b"MAIL":
                        death.passing("mail")
                    writer.write(b"250 2.0.0 ok\r\n")
            await writer.drain()
    except ConnectionError:
        pass
    finally:
        writer.close()


async def take(reader, record: int, death: Death) -> bytes:
    """The message's name, once it is written down."""
    body = await reader.read(1000)
    death.passing("data")
    while not body.endswith(b"\r\n.\r\n"):
        body += await reader.read(65536)
    death.passing("dot")
    named = re.search(rb"^X-Name: (\S+)\r$", body, re.M)
    name = named.group(1) if named else b"unnamed"
    os.write(record, name + b"\n")
    death.passing("recorded")
    return name


async def main(port: str, log: str, phase: str, count: str) -> None:
    record = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    death = Death(phase, int(count))
    server = await asyncio.start_server(lambda r, w: serve(r, w, record, death), "127.0.0.1", int(port), backlog=1024, limit=1 << 20)
    async with server:
        await server.serve_forever()


asyncio.run(main(*sys.argv[1:]))
