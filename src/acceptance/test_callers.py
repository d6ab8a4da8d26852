"""A listed client, however a trusted peer says that it is one: refused at RCPT, but for postmaster."""
from processes import free_port
from product import LISTED_REPLY
from smtp import SmtpClient

LISTED, UNLISTED = "203.0.113.9", "203.0.113.10"
LISTED_IPV6 = "2001:db8:bad::7"


class Greeted(SmtpClient):
    """By a gateway that is told with a PROXY header who the client is."""

    def __init__(self, port: int, address: str):
        self.header = f"PROXY TCP{6 if ':' in address else 4} {address} {'::1' if ':' in address else '192.0.2.25'} 4321 25\r\n".encode()
        super().__init__(port)

    def reply(self) -> str:
        self.socket.sendall(self.header)
        self.header = b""
        return super().reply()


def to_rcpt(client: SmtpClient) -> list[str]:
    assert client.command(b"MAIL FROM:<a@from.example>").startswith("250")
    return [client.command(b"RCPT TO:<%s>" % to) for to in (b"b@dest.example", b"postmaster@dest.example")]


def by_xclient(port: int, address: str) -> list[str]:
    with SmtpClient(port) as client:
        client.command(b"XCLIENT ADDR=" + named(address))
        client.command(b"EHLO client.example")
        return to_rcpt(client)


def by_xforward(port: int, address: str) -> list[str]:
    with SmtpClient(port) as client:
        client.command(b"XFORWARD ADDR=" + named(address))
        return to_rcpt(client)


def named(address: str) -> bytes:
    return ("IPV6:" if ":" in address else "").encode() + address.encode()


def test_a_listed_client_is_refused_at_rcpt_but_for_postmaster(home, expect):
    proxied = free_port()
    home.configure('smtp: { trusted: ["127.0.0.0/8"], listeners: { proxied: { listen: "127.0.0.1:%d", proxyProtocol: true } } }' % proxied)
    home.write("clients.txt", LISTED + "/32", "2001:db8:bad::/48")
    home.feeds("name: clients, kind: network, format: cidr, source: clients.txt, trusted: true, category: botnet")
    home.rebuild()
    gateway = home.gateway()

    def by_proxy(port: int, address: str) -> list[str]:
        with Greeted(port, address) as client:
            return to_rcpt(client)
    for way, port, ask in (("XCLIENT", gateway.smtp, by_xclient), ("XFORWARD", gateway.smtp, by_xforward), ("PROXY", proxied, by_proxy)):
        for address in (LISTED, LISTED_IPV6):
            refused, postmaster = ask(port, address)
            expect(f"{way} {address}: {refused}; postmaster {postmaster}", refused.startswith(LISTED_REPLY) and postmaster.startswith("250"))
        expect(f"{way} {UNLISTED}: taken", all(reply.startswith("250") for reply in ask(port, UNLISTED)))
    with SmtpClient(gateway.smtp) as client:
        client.command(b"XCLIENT LOGIN=ann ADDR=" + LISTED.encode())
        client.command(b"EHLO client.example")
        expect("one that has logged in is not asked about", to_rcpt(client)[0].startswith("250"))
    gateway.stop()
