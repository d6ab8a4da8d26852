/**
 * Reads filter files, manifests and statements of Bloomgate, as docs/formats.md describes them, in browsers, workers and
 * Node 20 or later, without a dependency.
 *
 *     const publisher = new Publisher("https://lists.example:8080", await TrustedKeys.parse(pem));
 *     const filters = await publisher.fetchFilters("domain");
 *     filters.some((filter) => filter.mightContainValue("www.bad.example"));  // false: certainly not listed
 *
 * True means "maybe": only Bloomgate itself (POST /v1/check) knows. A file or value that this reader does not understand
 * throws Rejected; it is never "not listed".
 */
export const FORMAT_VERSION = 2, CANONICAL_FORM = 2;
export const KINDS = { address: 1, domain: 2, url: 3, password: 4, hash: 5, keyword: 6, "domain-sha1": 9, "address-sha1": 10,
  phone: 11 };

/** A file or a value that must not be used; the message says why. */
export class Rejected extends Error {}

/** @param {unknown} holds @param {string} reason @returns {asserts holds} */
function require(holds, reason) {
  if (!holds) throw new Rejected(reason);
}

// XXH3, 64 bits (https://github.com/Cyan4973/xxHash, doc/xxhash_spec.md)

const P1 = 0x9e3779b185ebca87n, P2 = 0xc2b2ae3d27d4eb4fn, P3 = 0x165667b19e3779f9n, P4 = 0x85ebca77c2b2ae63n;
const P5 = 0x27d4eb2f165667c5n, Q1 = 0x9e3779b1n, Q2 = 0x85ebca77n, Q3 = 0xc2b2ae3dn, MX2 = 0x9fb21c651e98df25n;
const SECRET = view(Uint8Array.from(("b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f"
  + "cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e"
  + "3819ef46a9deacd8a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb"
  + "170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e").match(/../g), (byte) => parseInt(byte, 16)));
const WORDS = Array.from({ length: 185 }, (_, at) => SECRET.getBigUint64(at, true));

/** @param {Uint8Array} bytes */
function view(bytes) {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

const u64 = (/** @type {bigint} */ x) => BigInt.asUintN(64, x);
function fold(x, y) {
  const product = x * y;
  return u64(product) ^ (product >> 64n);
}

const shifted = (/** @type {bigint} */ x, /** @type {bigint} */ bits) => x ^ (x >> bits);
const avalanche = (/** @type {bigint} */ h) => shifted(u64(shifted(u64(h), 37n) * 0x165667919e3779f9n), 32n);
const avalanche64 = (/** @type {bigint} */ h) => shifted(u64(shifted(u64(shifted(u64(h), 33n) * P2), 29n) * P3), 32n);

function swap(x, bytes) {
  let swapped = 0n;
  for (let i = 0n; i < bytes; i++) swapped = (swapped << 8n) | ((x >> (8n * i)) & 255n);
  return swapped;
}

/** @param {Uint8Array} bytes @param {bigint} seed @returns {bigint} 64 bits */
export function xxh3(bytes, seed) {
  const n = bytes.length, length = BigInt(n), data = view(bytes);
  const word = (at) => data.getBigUint64(at, true), half = (at) => BigInt(data.getUint32(at, true));
  const mix = (at, key) => fold(word(at) ^ u64(WORDS[key] + seed), word(at + 8) ^ u64(WORDS[key + 8] - seed));
  if (n > 240) return xxh3Long(data, seed);
  let h = length * P1;
  if (n > 128) {
    for (let i = 0; i < 8; i++) h += mix(16 * i, 16 * i);
    h = avalanche(h);
    for (let i = 8; i < Math.floor(n / 16); i++) h += mix(16 * i, 16 * (i - 8) + 3);
    return avalanche(h + mix(n - 16, 119));
  }
  if (n > 16) {
    for (let i = 0; i <= (n - 1) >> 5; i++) h += mix(16 * i, 32 * i) + mix(n - 16 * (i + 1), 32 * i + 16);
    return avalanche(h);
  }
  if (n > 8) {
    const low = word(0) ^ u64((WORDS[24] ^ WORDS[32]) + seed), high = word(n - 8) ^ u64((WORDS[40] ^ WORDS[48]) - seed);
    return avalanche(length + swap(low, 8n) + high + fold(low, high));
  }
  if (n > 3) {
    const key = u64((WORDS[8] ^ WORDS[16]) - (seed ^ (swap(seed, 4n) << 32n)));
    let x = (half(n - 4) + (half(0) << 32n)) ^ key;
    x = u64((x ^ u64((x << 49n) | (x >> 15n)) ^ u64((x << 24n) | (x >> 40n))) * MX2);
    return shifted(u64((x ^ ((x >> 35n) + length)) * MX2), 28n);
  }
  if (n === 0) return avalanche64(seed ^ WORDS[56] ^ WORDS[64]);
  const c = BigInt(bytes[0] << 16 | bytes[n - 1] | n << 8) | (BigInt(bytes[n >> 1]) << 24n);
  return avalanche64(c ^ (((WORDS[0] ^ (WORDS[0] >> 32n)) & 0xffffffffn) + seed));
}

function xxh3Long(data, seed) {
  const n = data.byteLength, own = new DataView(new ArrayBuffer(192));
  for (let i = 0; i < 192; i += 16) {
    own.setBigUint64(i, u64(WORDS[i] + seed), true);
    own.setBigUint64(i + 8, u64(WORDS[i + 8] - seed), true);
  }
  const acc = [Q3, P1, P2, P3, P4, Q2, P5, Q1];
  const stripe = (at, key) => {
    for (let i = 0; i < 8; i++) {
      const value = data.getBigUint64(at + 8 * i, true), keyed = value ^ own.getBigUint64(key + 8 * i, true);
      acc[i ^ 1] = u64(acc[i ^ 1] + value);
      acc[i] = u64(acc[i] + (keyed & 0xffffffffn) * (keyed >> 32n));
    }
  };
  for (let j = 0; j < Math.floor((n - 1) / 64); j++) {
    stripe(64 * j, 8 * (j % 16));
    if (j % 16 === 15) {
      for (let i = 0; i < 8; i++) acc[i] = u64((acc[i] ^ (acc[i] >> 47n) ^ own.getBigUint64(128 + 8 * i, true)) * Q1);
    }
  }
  stripe(n - 64, 121);
  let h = BigInt(n) * P1;
  for (let i = 0; i < 4; i++) {
    h += fold(acc[2 * i] ^ own.getBigUint64(11 + 16 * i, true), acc[2 * i + 1] ^ own.getBigUint64(19 + 16 * i, true));
  }
  return avalanche(h);
}

const CRC = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let i = 0; i < 8; i++) crc = (crc >>> 1) ^ (crc & 1 ? 0x82f63b78 : 0);
  return crc;
});

function crc32c(bytes) {
  let crc = -1;
  for (let i = 0; i < bytes.length; i++) crc = (crc >>> 8) ^ CRC[(crc ^ bytes[i]) & 255];
  return ~crc >>> 0;
}

// Filters

const HEADER_BYTES = 4096, CHUNK_BYTES = 2 ** 26, MAGIC = "137,66,71,70,13,10,26,10";
const SECOND = 0xb7e151628aed2a6bn, PLACES = 0x243f6a8885a308d3n, STEP = 0x9e3779b97f4a7c15n;

/** A filter file in memory. */
export class Filter {
  /** Opens the bytes of a file of a kind after checking all of them. @param {ArrayBuffer} buffer @param {string} kind */
  constructor(buffer, kind) {
    const bytes = new Uint8Array(buffer), data = view(bytes);
    require(bytes.length >= HEADER_BYTES, `shorter than a header: ${bytes.length} bytes`);
    const int = (at) => data.getUint32(at, true);
    const long = (at) => Number(data.getBigInt64(at, true));  // Numbers beyond 2^53 are out of range in any case.
    const version = int(8), rate = data.getFloat64(72, true), isFuse = version === 2;
    require(String(bytes.subarray(0, 8)) === MAGIC, "not a filter file: wrong magic");
    require(version === 1 || version === 2, `format version ${version} is unknown`);
    require(int(12) === HEADER_BYTES, `header length ${int(12)}`);
    require(int(4092) === crc32c(bytes.subarray(0, 4092)), "header checksum does not match");
    require(int(16) === version, `layout ${int(16)} in a file of version ${version}`);
    require(int(20) === 1, `hash ${int(20)} is unknown`);
    require(int(24) === CANONICAL_FORM, `canonical form ${int(24)}, this reader knows ${CANONICAL_FORM}`);
    require(Object.hasOwn(KINDS, kind) && KINDS[kind] === int(28), `key kind ${int(28)} is not that of ${kind}`);
    require(rate > 0 && rate < 1, `rate ${rate}`);
    this.kind = kind;
    this.seed = data.getBigUint64(32, true);
    this.lines = long(40);
    this.k = int(48);
    this.inserted = long(56);
    this.capacity = long(64);
    require(this.lines >= 1 && this.lines <= 2 ** 46 && this.capacity >= 0 && this.capacity <= 2 ** (isFuse ? 36 : 52),
      "lines or capacity out of range");
    require(this.k >= 1 && this.k <= 32 && (isFuse || this.k % 2 === 0), `k ${this.k}`);
    require(int(52) <= 4, `${int(52)} canaries`);
    require(this.inserted >= 0 && long(80) >= 0 && long(80) <= this.lines * 512, "counts out of range");
    this.fuse = isFuse ? new FuseShape(this.capacity, HEADER_BYTES + this.lines * 64) : null;
    require(!this.fuse || this.lines % this.fuse.shards === 0, "not as many lines for each shard");
    const length = this.lines * 64 + (this.fuse ? this.fuse.length : 0);
    require(long(96) === length, `lines and capacity make a body of ${length} bytes, not ${long(96)}`);
    require(bytes.length === HEADER_BYTES + length, `file of ${bytes.length} bytes instead of ${HEADER_BYTES + length}`);
    require(int(104) === CHUNK_BYTES && int(108) === Math.ceil(length / CHUNK_BYTES) && int(108) <= 740, "chunks");
    for (let i = 0; i < int(108); i++) {
      const from = HEADER_BYTES + i * CHUNK_BYTES;
      require(int(112 + 4 * i) === crc32c(bytes.subarray(from, from + CHUNK_BYTES)), `checksum of chunk ${i} does not match`);
    }
    this.bytes = bytes;
    for (let at = 3072; at < 3072 + 252 * int(52); at += 252) {
      require(bytes[at] <= 251, "canary too long");
      require(this.mightContain(bytes.subarray(at + 1, at + 1 + bytes[at])), "a canary is absent: other hash");
    }
  }

  /** Whether a canonical key may have been inserted; false is certain. @param {Uint8Array} key */
  mightContain(key) {
    const h = xxh3(key, this.seed);
    if (this.fuse) return this.#hasBits(h, this.k) && this.fuse.mightContain(this.bytes, h);
    return this.#hasBits(h, this.k / 2) && this.#hasBits(fold(h, SECOND), this.k / 2);
  }

  /** The same for any key of a value, but for passwords (see passwordKey). @param {string} value */
  mightContainValue(value) {
    return keys(this.kind, value).some((key) => this.mightContain(key));
  }

  #hasBits(word, bits) {
    const line = HEADER_BYTES + Number((word * BigInt(this.lines)) >> 64n) * 64;
    for (let done = 0; done < bits; done += 7) {
      let p = fold(word, PLACES);
      for (let i = 0; i < 7 && i < bits - done; i++) {
        const position = Number(p & 511n);
        if (!((this.bytes[line + (position >> 3)] >> (position & 7)) & 1)) return false;
        p >>= 9n;
      }
      word = u64(word + STEP);
    }
    return true;
  }
}

/** The binary fuse filters behind the lines, one for each 2^20 keys. */
class FuseShape {
  constructor(keyCount, start) {
    this.shards = Math.max(1, Math.ceil(keyCount / 2 ** 20));
    const mean = keyCount / this.shards, most = this.shards === 1 ? keyCount : Math.ceil(mean + 7 * Math.sqrt(mean));
    const log = Math.log(Math.max(2, most));
    this.piece = 2 ** Math.floor(log / Math.log(3.33) + 2.25 - (most < 2 ** 19 ? 1 : 0));
    const places = Math.max(1.125, 0.875 + (0.25 * 13.815510557964274) / log) * most;
    this.first = Math.max(1, Math.ceil(places / this.piece) - 2) * this.piece;
    this.shardBytes = 2 * (this.first + 2 * this.piece);
    this.start = start;
    this.prints = start + Math.ceil(this.shards / 64) * 64;
    this.length = this.prints - start + this.shards * this.shardBytes;
  }

  mightContain(bytes, h) {
    const shard = Number((h * BigInt(this.shards)) >> 64n), at = this.prints + shard * this.shardBytes;
    let x = h + BigInt(shard * 256 + bytes[this.start + shard]) * STEP;
    x = u64(shifted(u64(shifted(u64(x), 33n) * 0xff51afd7ed558ccdn), 33n) * 0xc4ceb9fe1a85ec53n);
    x = shifted(x, 33n);
    const first = Number((x * BigInt(this.first)) >> 64n), mask = this.piece - 1;
    const second = (first + this.piece) ^ (Number((x >> 18n) & 0xffffffn) & mask);
    const third = (first + 2 * this.piece) ^ (Number(x & 0xffffffn) & mask);
    const print = (place) => bytes[at + 2 * place] | (bytes[at + 2 * place + 1] << 8);
    return (print(first) ^ print(second) ^ print(third)) === Number((x ^ (x >> 32n)) & 0xffffn);
  }
}

// Canonical keys of plain values

const NAME = /^(?:[a-z0-9_-]{1,63}\.)+[a-z][a-z0-9_-]{0,62}$/, LOCAL_PART = /^[a-z0-9._-]{1,64}$/;
const OCTET = "(?:0|[1-9][0-9]?|1[0-9][0-9]|2[0-4][0-9]|25[0-5])", IPV4 = new RegExp(`^(?:${OCTET}\\.){3}${OCTET}$`);
const isName = (/** @type {string} */ name) => name.length <= 253 && NAME.test(name);

/**
 * The keys under which a value may be listed, itself first. Rejects all that needs the full canonical form.
 * @param {string} kind domain or address @param {string} value @returns {Uint8Array[]}
 */
export function keys(kind, value) {
  const encode = (/** @type {string[]} */ texts) => texts.map((text) => new TextEncoder().encode(text));
  if (kind === "domain") return encode(domainKeys(value));
  require(kind === "address", `no rule for values of kind ${kind}: ask for canonical keys`);
  const at = value.indexOf("@"), domain = value.slice(at + 1);
  require(at > 0 && LOCAL_PART.test(value.slice(0, at)) && isName(domain),
    "not a lower-case address of letters, digits, '.', '_' and '-' at a lower-case name");
  require(domain !== "gmail.com" && domain !== "googlemail.com", `${domain} ignores dots: needs the full canonical form`);
  return encode([value]);
}

function domainKeys(value) {
  if (/[:[]/.test(value)) {
    const literal = value.startsWith("[") && value.endsWith("]") ? value.slice(1, -1) : value;
    require(/^[0-9A-Fa-f:]+$/.test(literal) && URL.canParse(`http://[${literal}]/`), "not a plain IPv6 address");
    const key = new URL(`http://[${literal}]/`).hostname;
    require(key !== "[::]" && key !== "[::1]", "unspecified or loopback address");
    require(!/^\[(?:::ffff|64:ff9b:):[0-9a-f]*(?::[0-9a-f]+)?\]$/.test(key), "an IPv4 address within an IPv6 address");
    return [key];
  }
  const name = value.replace(/[A-Z]/g, (letter) => letter.toLowerCase()).replace(/\.$/, "");
  if (IPV4.test(name)) {
    require(!name.startsWith("0.") && !name.startsWith("127."), "unspecified or loopback address");
    return [name];
  }
  require(isName(name), "neither an ASCII host name of two labels or more nor an IP address");
  const labels = name.split(".");
  return labels.slice(1).map((_, i) => labels.slice(i).join("."));
}

/** The key of a password: SHA-1 of its bytes. @param {Uint8Array} password @returns {Promise<Uint8Array>} */
export async function passwordKey(password) {
  require(password.length > 0, "an empty password");
  return new Uint8Array(await crypto.subtle.digest("SHA-1", password));
}

// Manifests, statements, publishers

const hexOf = (/** @type {ArrayBuffer} */ buffer) =>
  Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
const sha256 = async (/** @type {BufferSource} */ data) => hexOf(await crypto.subtle.digest("SHA-256", data));
const ascii = (/** @type {BufferSource} */ data) => new TextDecoder("latin1").decode(data);
const bytesOf = (/** @type {string} */ text) => Uint8Array.from(text, (c) => c.charCodeAt(0));
const TIME = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ", MAX_LIFETIME = 366 * 86400e3;
const HEAD = new RegExp(`^(bloomgate-current 1\\ncounter ([1-9][0-9]{0,17})\\nexpires (${TIME})\\n((?:layer [^\\n]*\\n)*))`
  + "(?:signature ed25519 ([A-Za-z0-9+/=]{88})\\n)?$");
const LAYER = new RegExp(`^layer ([a-z0-9][a-z0-9-]{0,62}) (\\d{8}T\\d{6}Z-[0-9a-f]{4}) ([0-9a-f]{64}) (?:${TIME}|-)$`);

/** The Ed25519 keys of publishers. */
export class TrustedKeys {
  /** @param {{ key: CryptoKey, use: string }[]} list */
  constructor(list) {
    this.list = list;
  }

  /** PEM blocks PUBLIC KEY, each perhaps with a line "use: manifest" or "use: current" above it. @param {string} pem */
  static async parse(pem) {
    const list = [];
    for (const [, remarks, body] of pem.matchAll(/([^]*?)-----BEGIN PUBLIC KEY-----([^-]+)-----END PUBLIC KEY-----/g)) {
      const spki = bytesOf(atob(body.replace(/\s/g, "")));
      const key = await crypto.subtle.importKey("spki", spki, "Ed25519", false, ["verify"]);
      list.push({ key, use: /^[# \t]*use:[ \t]*(\S*)[ \t\r]*$/m.exec(remarks)?.[1] ?? "" });
    }
    const keys = new TrustedKeys(list);
    require(["manifest", "current"].every((use) => keys.of(use).length > 0), "no Ed25519 key for manifests or statements");
    return keys;
  }

  of(use) {
    return this.list.filter((one) => one.use === "" || one.use === use);
  }

  /** @param {string} use @param {string | undefined} signature in Base64 @param {BufferSource} text */
  async verify(use, signature, text) {
    require(signature && /^[A-Za-z0-9+/]{86}==$/.test(signature), "no signature");
    const raw = bytesOf(atob(signature));
    const results = await Promise.all(this.of(use).map(({ key }) => crypto.subtle.verify("Ed25519", key, raw, text)));
    require(results.includes(true), "no signature by a trusted key");
  }
}

/**
 * Checks a statement, and its signature if there are keys. The caller rejects a counter below the highest accepted one.
 * @param {BufferSource} data @param {TrustedKeys | null} trusted @param {Date} now
 */
export async function parseStatement(data, trusted, now) {
  const form = HEAD.exec(ascii(data));
  require(form && data.byteLength <= 32768, "announced: not what a publisher writes");
  if (trusted) await trusted.verify("current", form[5], bytesOf(form[1]));
  const expires = new Date(form[3]);
  require(now <= expires && expires.getTime() <= now.getTime() + MAX_LIFETIME, `announced: expires at ${form[3]}`);
  const layers = form[4].split("\n").slice(0, -1).map((line) => {
    const layer = LAYER.exec(line);
    require(layer, "announced: not what a publisher writes");
    return { layer: layer[1], generation: layer[2], manifestSha256: layer[3] };
  });
  require(layers.length <= 16 && new Set(layers.map(({ layer }) => layer)).size === layers.length, "announced: layers");
  return { counter: BigInt(form[2]), expires, layers };
}

/** Checks a manifest, and its signature if there are keys. @param {BufferSource} data @param {string} signature */
export async function parseManifest(data, signature, trusted) {
  if (trusted) await trusted.verify("manifest", signature.length <= 256 ? signature.replace(/\s/g, "") : "", data);
  const text = ascii(data), seal = /"sha256" : "([0-9a-f]{64})"\s*\}\s*$/.exec(text);
  require(seal && data.byteLength <= 4194304, "manifest.json: does not end with its own SHA-256");
  const at = seal.index + seal[0].indexOf(seal[1]);
  const digest = await sha256(bytesOf(text.slice(0, at) + "0".repeat(64) + text.slice(at + 64)));
  require(digest === seal[1], "manifest.json: its SHA-256 is not the one in its last field");
  const manifest = JSON.parse(new TextDecoder().decode(data));
  require(manifest.formatVersion === FORMAT_VERSION, `manifest.json: format version ${manifest.formatVersion}`);
  require(manifest.canonicalFormVersion === CANONICAL_FORM, "manifest.json: another canonical form");
  return manifest;
}

/**
 * The filter of a kind, compared with the manifest; null if the layer has no key of it.
 * @param {(path: string) => Promise<ArrayBuffer>} read a file of the generation
 */
export async function openFilter(manifest, kind, read) {
  const entry = manifest.filters.find((one) => one.kind === kind), path = `${kind}.bloom`;
  if (!entry) return null;
  const file = manifest.files.find((one) => one.path === path), buffer = await read(path);
  require(file && entry.file === path && file.sha256 === await sha256(buffer), `${path}: SHA-256 does not match the manifest`);
  const filter = new Filter(buffer, kind);
  const same = [[filter.seed.toString(16).padStart(16, "0"), entry.seed], [filter.lines, entry.lines], [filter.k, entry.bitsPerKey],
    [filter.inserted, entry.inserted], [filter.capacity, entry.capacity], [filter.fuse ? "line-fuse" : undefined, entry.layout]];
  require(same.every(([one, other]) => one === other), `${path}: header and manifest differ`);
  return filter;
}

/** A publisher over HTTP. */
export class Publisher {
  /** @param {string} url @param {TrustedKeys | null} trusted @param {bigint} counter the highest accepted one */
  constructor(url, trusted, counter = 0n) {
    Object.assign(this, { base: `${url.replace(/\/$/, "")}/v1/snapshots/`, trusted, counter });
  }

  async read(path) {
    const answer = await fetch(this.base + path, { credentials: "omit" });
    if (!answer.ok) throw new Error(`${this.base}${path}: status ${answer.status}`);
    return answer.arrayBuffer();
  }

  /** The filters of a kind of all current generations. @param {string} kind @param {Date} now */
  async fetchFilters(kind, now = new Date()) {
    const statement = await parseStatement(await this.read("announced"), this.trusted, now), filters = [];
    require(statement.counter >= this.counter, `announced: counter ${statement.counter} is below ${this.counter}`);
    for (const { generation, manifestSha256 } of statement.layers) {
      const data = await this.read(`${generation}/manifest.json`);
      require(await sha256(data) === manifestSha256, "manifest.json: not the one that the statement names");
      const signature = this.trusted ? ascii(await this.read(`${generation}/manifest.json.sig`)) : "";
      const manifest = await parseManifest(data, signature, this.trusted);
      filters.push(await openFilter(manifest, kind, (path) => this.read(`${generation}/${path}`)));
    }
    this.counter = statement.counter;
    return filters.filter((filter) => filter !== null);
  }
}
