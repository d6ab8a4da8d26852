"""Reads filter files and snapshots of Bloomgate, as docs/formats.md describes them. Python 3.9 or later, no other package.

    snapshot = Snapshot.open("var/snapshots/nightly/20261121T020305Z-09af")
    snapshot.filter("domain").might_contain_value("www.bad.example")    # False: certainly not listed

True means "maybe": only Bloomgate itself (POST /v1/check) knows. A file or value that this reader does not understand is a
Rejected error, never "not listed". Signatures are not checked here: Python has no Ed25519."""
import hashlib
import ipaddress
import json
import math
import mmap
import re
import struct

FORMAT_VERSION = 2  # of the manifest
CANONICAL_FORM = 2
KINDS = {"address": 1, "domain": 2, "url": 3, "password": 4, "hash": 5, "keyword": 6, "domain-sha1": 9, "address-sha1": 10,
         "phone": 11}
MASK = (1 << 64) - 1


class Rejected(ValueError):
    """A file or a value that must not be used; the message says why."""


def require(holds, reason):
    if not holds:
        raise Rejected(reason)


# XXH3, 64 bits (https://github.com/Cyan4973/xxHash, BSD 2-Clause, doc/xxhash_spec.md)

P32_1, P32_2, P32_3 = 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D
P1, P2, P3, P4, P5 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5
MX1, MX2 = 0x165667919E3779F9, 0x9FB21C651E98DF25
SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
    "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364ea"
    "c5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e")
U32, U64 = struct.Struct("<I").unpack_from, struct.Struct("<Q").unpack_from
WORDS = [U64(SECRET, at)[0] for at in range(len(SECRET) - 7)]  # The 8 bytes of the secret from each position on.


def fold(x, y):
    product = x * y
    return (product & MASK) ^ (product >> 64)


def avalanche(h):
    h ^= h >> 37
    h = h * MX1 & MASK
    return h ^ (h >> 32)


def avalanche64(h):
    h ^= h >> 33
    h = h * P2 & MASK
    h ^= h >> 29
    h = h * P3 & MASK
    return h ^ (h >> 32)


def mix16(data, at, secret, seed):
    low, high = U64(data, at)[0], U64(data, at + 8)[0]
    return fold(low ^ (WORDS[secret] + seed & MASK), high ^ (WORDS[secret + 8] - seed & MASK))


def xxh3(data, seed=0):
    """The XXH3 hash of bytes, as a number of 64 bits."""
    n = len(data)
    if n > 240:
        return xxh3_long(data, seed)
    if n > 128:
        h = n * P1 + sum(mix16(data, 16 * i, 16 * i, seed) for i in range(8))
        h = avalanche(h & MASK)
        end = mix16(data, n - 16, 136 - 17, seed)
        h += end + sum(mix16(data, 16 * i, 16 * (i - 8) + 3, seed) for i in range(8, n // 16))
        return avalanche(h & MASK)
    if n > 16:
        h = n * P1
        for i in range((n - 1) // 32, -1, -1):
            h += mix16(data, 16 * i, 32 * i, seed) + mix16(data, n - 16 * (i + 1), 32 * i + 16, seed)
        return avalanche(h & MASK)
    if n > 8:
        low = U64(data, 0)[0] ^ ((WORDS[24] ^ WORDS[32]) + seed & MASK)
        high = U64(data, n - 8)[0] ^ ((WORDS[40] ^ WORDS[48]) - seed & MASK)
        return avalanche(n + int.from_bytes(low.to_bytes(8, "little"), "big") + high + fold(low, high) & MASK)
    if n >= 4:
        swapped = int.from_bytes((seed & 0xFFFFFFFF).to_bytes(4, "little"), "big")
        keyed = (WORDS[8] ^ WORDS[16]) - (seed ^ swapped << 32) & MASK
        keyed ^= U32(data, n - 4)[0] + (U32(data, 0)[0] << 32)
        keyed ^= (keyed << 49 | keyed >> 15) & MASK ^ (keyed << 24 | keyed >> 40) & MASK
        keyed = keyed * MX2 & MASK
        keyed ^= (keyed >> 35) + n
        keyed = keyed * MX2 & MASK
        return keyed ^ (keyed >> 28)
    if n:
        combined = data[0] << 16 | data[n >> 1] << 24 | data[n - 1] | n << 8
        return avalanche64(combined ^ (U32(SECRET, 0)[0] ^ U32(SECRET, 4)[0]) + seed & MASK)
    return avalanche64(seed ^ WORDS[56] ^ WORDS[64])


def xxh3_long(data, seed):
    n = len(data)
    secret = b"".join(struct.pack("<QQ", WORDS[at] + seed & MASK, WORDS[at + 8] - seed & MASK) for at in range(0, 192, 16))
    words = [U64(secret, at)[0] for at in range(len(secret) - 7)]
    acc = [P32_3, P1, P2, P3, P4, P32_2, P5, P32_1]

    def stripe(at, key):
        for i in range(8):
            value = U64(data, at + 8 * i)[0]
            keyed = value ^ words[key + 8 * i]
            acc[i ^ 1] = acc[i ^ 1] + value & MASK
            acc[i] = acc[i] + (keyed & 0xFFFFFFFF) * (keyed >> 32) & MASK

    stripes = (n - 1) // 64  # All but the last, which ends with the data.
    for i in range(stripes):
        stripe(64 * i, 8 * (i % 16))
        if i % 16 == 15:
            for j in range(8):
                acc[j] = ((acc[j] ^ acc[j] >> 47) ^ words[128 + 8 * j]) * P32_1 & MASK
    stripe(n - 64, 192 - 64 - 7)
    h = n * P1 + sum(fold(acc[2 * i] ^ words[11 + 16 * i], acc[2 * i + 1] ^ words[19 + 16 * i]) for i in range(4))
    return avalanche(h & MASK)


CRC = []
for byte in range(256):
    for _ in range(8):
        byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
    CRC.append(byte)


def crc32c(data):
    """CRC32C (Castagnoli), about 10 MB/s here."""
    crc, table = 0xFFFFFFFF, CRC
    for byte in data:
        crc = crc >> 8 ^ table[(crc ^ byte) & 255]
    return crc ^ 0xFFFFFFFF


# Filters

HEADER_BYTES, CHUNK_BYTES, LINE_BYTES = 4096, 64 << 20, 64
MAGIC = b"\x89BGF\r\n\x1a\n"
SECOND, PLACES, STEP = 0xB7E151628AED2A6B, 0x243F6A8885A308D3, 0x9E3779B97F4A7C15
HEADER = struct.Struct("<8sIIIIIIQQiiqqdqqqII")


class Filter:
    """A filter file. `kind` and `inserted`, the number of its keys, are for the caller."""

    def __init__(self, data, kind, verify_body=True):
        """Opens the bytes of a file of a kind after checking all of them.

        verify_body: False if a SHA-256 of the file was compared before."""
        require(len(data) >= HEADER_BYTES, f"shorter than a header: {len(data)} bytes")
        (magic, version, header_bytes, layout, hash_code, form, kind_code, self.seed, self.lines, self.k, canaries,
         self.inserted, self.capacity, rate, set_bits, created, body_bytes, chunk_bytes, chunks) = HEADER.unpack_from(data)
        require(magic == MAGIC, "not a filter file: wrong magic")
        require(version in (1, 2), f"format version {version} is unknown")
        require(header_bytes == HEADER_BYTES, f"header length {header_bytes}")
        require(U32(data, HEADER_BYTES - 4)[0] == crc32c(data[:HEADER_BYTES - 4]), "header checksum does not match")
        require(layout == version, f"layout {layout} in a file of version {version}")
        require(hash_code == 1, f"hash {hash_code} is unknown")
        require(form == CANONICAL_FORM, f"canonical form {form}, this reader knows {CANONICAL_FORM}")
        require(kind in KINDS and kind_code == KINDS[kind], f"key kind {kind_code} is not that of {kind}")
        require(0 < rate < 1, f"rate {rate}")
        require(1 <= self.lines <= 1 << 46 and 0 <= self.capacity <= 1 << (52 if version == 1 else 36), "out of range")
        require(1 <= self.k <= 32 and (version == 2 or self.k % 2 == 0), f"k {self.k}")
        require(0 <= canaries <= 4, f"{canaries} canaries")
        self.data, self.kind, self.fuse = data, kind, None
        length = self.lines * LINE_BYTES
        if version == 2:
            self.fuse = FuseShape(self.capacity, HEADER_BYTES + length)
            require(self.lines % self.fuse.shards == 0, "not as many lines for each shard")
            length += self.fuse.length
        require(body_bytes == length, f"lines and capacity make a body of {length} bytes, not {body_bytes}")
        require(len(data) == HEADER_BYTES + length, f"file of {len(data)} bytes instead of {HEADER_BYTES + length}")
        require(chunk_bytes == CHUNK_BYTES and chunks == -(-length // CHUNK_BYTES) <= 740, "chunks")
        require(self.inserted >= 0 and 0 <= set_bits <= self.lines * 512, "counts out of range")
        if verify_body:
            for i in range(chunks):
                at = HEADER_BYTES + i * CHUNK_BYTES
                stored = U32(data, 112 + 4 * i)[0]
                require(stored == crc32c(data[at:at + CHUNK_BYTES]), f"checksum of chunk {i} does not match")
        for i in range(canaries):
            at = 3072 + 252 * i
            require(data[at] <= 251, "canary too long")
            require(self.might_contain(bytes(data[at + 1:at + 1 + data[at]])), "a canary is absent: other hash")

    @classmethod
    def open(cls, path, kind, verify_body=True):
        with open(path, "rb") as file:
            try:
                data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            except ValueError:  # An empty file.
                data = b""
        return cls(data, kind, verify_body)

    def might_contain(self, key):
        """Whether the bytes of a canonical key may have been inserted; False is certain."""
        h = xxh3(key, self.seed)
        if self.fuse:
            return self._has_bits(h, self.k) and self.fuse.might_contain(self.data, h)
        return self._has_bits(h, self.k // 2) and self._has_bits(fold(h, SECOND), self.k // 2)

    def might_contain_value(self, value):
        """The same for any key of a value; Rejected if the value has no plain canonical form."""
        return any(self.might_contain(key) for key in keys(self.kind, value))

    def _has_bits(self, word, bits):
        line, data = HEADER_BYTES + (word * self.lines >> 64) * LINE_BYTES, self.data
        for done in range(0, bits, 7):
            places = fold(word, PLACES)
            for _ in range(min(7, bits - done)):
                if not data[line + (places >> 3 & 63)] >> (places & 7) & 1:
                    return False
                places >>= 9
            word = word + STEP & MASK
        return True


class FuseShape:
    """The binary fuse filters behind the lines: one for each 2^20 keys."""

    def __init__(self, keys, start):
        self.shards = max(1, keys + (1 << 20) - 1 >> 20)
        mean = keys / self.shards
        most = math.ceil(keys if self.shards == 1 else mean + 7 * math.sqrt(mean))
        log = math.log(max(2, most))
        self.piece = 1 << int(log / math.log(3.33) + 2.25 - (1 if most < 1 << 19 else 0))
        places = max(1.125, 0.875 + 0.25 * 13.815510557964274 / log) * most
        self.first = max(1, math.ceil(places / self.piece) - 2) * self.piece
        self.start, self.table = start, -(-self.shards // 64) * 64
        self.shard_bytes = 2 * (self.first + 2 * self.piece)
        self.length = self.table + self.shards * self.shard_bytes

    def might_contain(self, data, h):
        shard = h * self.shards >> 64
        x = h + (shard << 8 | data[self.start + shard]) * STEP & MASK
        x = (x ^ x >> 33) * 0xFF51AFD7ED558CCD & MASK
        x = (x ^ x >> 33) * 0xC4CEB9FE1A85EC53 & MASK
        x ^= x >> 33
        piece, first = self.piece, x * self.first >> 64
        at, found = self.start + self.table + shard * self.shard_bytes, x ^ x >> 32
        for place in (first, first + piece ^ x >> 18 & piece - 1, first + 2 * piece ^ x & piece - 1):
            found ^= data[at + 2 * place] | data[at + 2 * place + 1] << 8
        return found & 0xFFFF == 0


# Canonical keys of plain values

NAME = re.compile(r"(?:[a-z0-9_-]{1,63}\.)+[a-z][a-z0-9_-]{0,62}")
IPV4 = re.compile(r"(?:(?:0|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])\.){3}(?:0|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])")
LOCAL_PART = re.compile(r"[a-z0-9._-]{1,64}")
FOLDED = ("gmail.com", "googlemail.com")  # They ignore dots.
TRANSLATED = (ipaddress.ip_network("::ffff:0:0/96"), ipaddress.ip_network("64:ff9b::/96"))


def keys(kind, value):
    """The keys under which a value may be listed, itself first. Rejected for all that needs the full canonical form.

    value: text, for passwords text or bytes"""
    if kind == "password":
        data = value.encode() if isinstance(value, str) else value
        require(data, "an empty password")
        return [hashlib.sha1(data).digest()]
    require(value.isascii(), f"{kind} beyond ASCII: needs the full canonical form")
    if kind == "address":
        local, at, domain = value.partition("@")
        require(at and LOCAL_PART.fullmatch(local), "not a lower-case address of letters, digits, '.', '_' and '-'")
        require(NAME.fullmatch(domain) and len(domain) <= 253, "the domain of the address is not a lower-case name")
        require(domain not in FOLDED, f"{domain} ignores dots: needs the full canonical form")
        return [value.encode()]
    require(kind == "domain", f"no rule for values of kind {kind}: ask for canonical keys")
    return [key.encode() for key in domain_keys(value)]


def domain_keys(value):
    if ":" in value or "[" in value:
        bracketed = value.startswith("[") and value.endswith("]")
        try:
            require("." not in value and "%" not in value, "not a plain IPv6 address")
            address = ipaddress.IPv6Address(value[1:-1] if bracketed else value)
        except ipaddress.AddressValueError as error:
            raise Rejected(f"not an IPv6 address: {error}") from None
        require(int(address) > 1, "unspecified or loopback address")
        require(not any(address in network for network in TRANSLATED), "an IPv4 address within an IPv6 address")
        return [f"[{address}]"]
    name = value.lower()
    name = name[:-1] if name.endswith(".") else name
    if IPV4.fullmatch(name):
        require(not name.startswith(("0.", "127.")), "unspecified or loopback address")
        return [name]
    require(NAME.fullmatch(name) and len(name) <= 253, "not a host name of two labels or more, nor an IP address")
    labels = name.split(".")
    return [".".join(labels[i:]) for i in range(len(labels) - 1)]


# Snapshots

class Snapshot:
    """The filters of a generation, with all that its manifest says of them verified. `layer` and `generation` are from the manifest."""

    def __init__(self, manifest, directory):
        self.manifest, self.directory = manifest, directory
        self.layer, self.generation = manifest["layer"], manifest["generation"]

    @classmethod
    def open(cls, directory):
        try:
            with open(f"{directory}/manifest.json", "rb") as file:
                return cls(parse_manifest(file.read((4 << 20) + 1)), directory)
        except (ValueError, KeyError, TypeError) as error:
            raise error if isinstance(error, Rejected) else Rejected(f"manifest.json: {error!r}") from None

    def filter(self, kind):
        """The filter of a kind, or None if the layer has no key of it."""
        for entry in self.manifest["filters"]:
            if entry["kind"] == kind:
                file = next((f for f in self.manifest["files"] if f["path"] == f"{kind}.bloom" == entry["file"]), None)
                require(file, f"{kind}.bloom is not among the files")
                with open(f"{self.directory}/{kind}.bloom", "rb") as stream:
                    digest = hashlib.sha256()
                    while block := stream.read(1 << 20):
                        digest.update(block)
                require(digest.hexdigest() == file["sha256"], f"{kind}.bloom: SHA-256 does not match the manifest")
                found = Filter.open(f"{self.directory}/{kind}.bloom", kind, verify_body=False)
                layout = "line-fuse" if found.fuse else "two-line"
                is_same = (f"{found.seed:016x}", found.lines, found.k, found.inserted, found.capacity, layout) == (
                    *(entry[name] for name in ("seed", "lines", "bitsPerKey", "inserted", "capacity")), entry.get("layout", "two-line"))
                require(is_same, f"{kind}.bloom: header and manifest differ")
                return found
        return None


def parse_manifest(data):
    """The manifest as a dict, after its own SHA-256 and versions were checked."""
    require(len(data) <= 4 << 20, "manifest.json: too long")
    seal = re.search(rb'"sha256" : "([0-9a-f]{64})"\s*\}\s*\Z', data)
    require(seal, "manifest.json: does not end with its own SHA-256")
    unsealed = data[:seal.start(1)] + b"0" * 64 + data[seal.end(1):]
    require(hashlib.sha256(unsealed).hexdigest().encode() == seal[1], "manifest.json: its SHA-256 is not the one in its last field")
    manifest = json.loads(data)
    require(manifest["formatVersion"] == FORMAT_VERSION, f"manifest.json: format version {manifest['formatVersion']}")
    require(manifest["canonicalFormVersion"] == CANONICAL_FORM, "manifest.json: another canonical form")
    return manifest
