"""Certificates and keys for TLS and for signatures, made by openssl."""
import subprocess
from pathlib import Path


def openssl(*arguments: object) -> None:
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)


def self_signed(folder: Path, *names: str) -> tuple[Path, Path]:
    """A certificate for the names, as in DNS:localhost, signed by its own key; and that key."""
    certificate, key = folder / "tls.pem", folder / "tls.key"
    openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=test",
            "-addext", "subjectAltName=" + ",".join(names), "-out", certificate, "-keyout", key)
    return certificate, key


def signing_key(folder: Path, name: str) -> tuple[Path, Path]:
    """An Ed25519 key, and its public half."""
    private, public = folder / f"{name}.key", folder / f"{name}.pub"
    openssl("genpkey", "-algorithm", "ed25519", "-out", private)
    openssl("pkey", "-in", private, "-pubout", "-out", public)
    return private, public
