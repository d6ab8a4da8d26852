"""A small web server of a check, which the check tells what to answer."""
import threading
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Handler(BaseHTTPRequestHandler):
    """Answers with a length, and logs nothing."""

    def answer(self, status: int, kind: str, content: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_) -> None:
        pass


class Passing(Handler):
    """Passes each request on to another server."""
    target = ""
    passed_fields = ("Content-Type", "Accept", "Origin", "Sec-Fetch-Site", "Authorization")

    def do_GET(self) -> None:
        self.pass_on(None)

    def do_POST(self) -> None:
        self.pass_on(self.rfile.read(int(self.headers["Content-Length"])))

    def pass_on(self, body: bytes | None) -> None:
        fields = {name: self.headers[name] for name in self.passed_fields if name in self.headers}
        try:
            with urllib.request.urlopen(urllib.request.Request(self.target + self.path, body, fields), timeout=60) as answer:
                self.answer(answer.status, answer.headers["Content-Type"], answer.read())
        except urllib.error.HTTPError as error:
            self.answer(error.code, "text/plain", error.read())


def served(handler: type[BaseHTTPRequestHandler]) -> ThreadingHTTPServer:
    """A server on a port of its own, until the check's process ends or it is shut down."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server
