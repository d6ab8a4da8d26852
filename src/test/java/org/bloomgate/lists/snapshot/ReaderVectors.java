package org.bloomgate.lists.snapshot;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.core.bloom.BloomFilter;
import org.bloomgate.core.bloom.BloomFilterBuilder;
import org.bloomgate.core.bloom.FilterFormat;
import org.bloomgate.core.bloom.FilterHeader;
import org.bloomgate.core.bloom.FilterParameters;
import org.bloomgate.core.bloom.FilterRefusedException;
import org.bloomgate.core.bloom.FilterSizing;
import org.bloomgate.core.bloom.KeyHash;
import org.bloomgate.core.key.CanonicalForm;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.PasswordDigest;

/// The test vectors for readers of filter files in other languages, in `src/readers/vectors`. They are always the same,
/// so that a test compares them with the files; [#main] writes the files.
final class ReaderVectors {
    static final Path FOLDER = Path.of("src", "readers", "vectors");
    static final Path SIGNING_KEY = Path.of("src", "test", "resources", "snapshots", "vectors.key");
    static final String GENERATION = "20261121T020305Z-09af";
    static final long SEED = 0x0123456789ABCDEFL;

    private static final String SNAPSHOT = "snapshots/" + GENERATION + "/";
    private static final String SUFFIXES = "example\ntest\n";
    private static final int KEYS = 1000;
    private static final int FEW_KEYS = 16;
    private static final double RATE = 1e-6;
    private static final int HEADER_CHECKSUM_AT = FilterFormat.HEADER_BYTES - Integer.BYTES;

    /// Lengths at which XXH3 changes its way, and those beside them.
    private static final int[] LENGTHS = {
        1, 2, 3, 4, 5, 8, 9, 16, 17, 32, 33, 64, 65, 96, 97, 128, 129, 144, 145, 160, 161, 239, 240, 241, 255, 256, 257,
        320, 1023, 1024, 1025, 1088, 1089, 2048, 2500
    };

    /// Values that every reader asks for.
    private static final String VALUES = """
        domain bad.example
        domain a.b.c.bad.example
        domain BAD.Example
        domain bad.example.
        domain xn--bcher-kva.example
        domain _dmarc.bad.example
        domain -a-.b_.example
        domain 1st.example
        domain 192.0.2.1.example
        domain hxxp.example
        domain LONG63.example
        domain LONG253
        domain 192.0.2.1
        domain 203.0.113.255
        domain 2001:db8::1
        domain [2001:db8::1]
        domain 2001:DB8:0:0:1:0:0:1
        domain 2001:0db8:0000:0001:0001:0001:0001:0001
        domain 2001:db8:0:1:1:1:1:1
        domain ff02::1:0:0
        address user@bad.example
        address first.last@mail.bad.example
        address a_b-c.0@1st.bad.example
        password 123456
        password correct horse battery staple
        password  blank at both ends\s
        password pässwörd
        """;

    /// Values that a reader without the full canonical form must reject.
    private static final String REJECTED = """
        domain\s
        domain .
        domain localhost
        domain bücher.example
        domain bad。example
        domain bad example
        domain  bad.example
        domain bad.example/path
        domain http://bad.example/
        domain user@bad.example
        domain bad.example:80
        domain bad%2eexample
        domain *.bad.example
        domain .bad.example
        domain bad..example
        domain bad.example..
        domain foo.1st
        domain LONG64.example
        domain LONG254
        domain 192.0.2
        domain 192.0.2.01
        domain 192.0.2.256
        domain 0xc0.0.2.1
        domain 3221225985
        domain 192.0.2.1.1
        domain 0.0.0.1
        domain 127.0.0.1
        domain ::
        domain ::1
        domain ::ffff:c000:201
        domain ::ffff:192.0.2.1
        domain 64:ff9b::c000:201
        domain 2001:db8::192.0.2.1
        domain fe80::1%eth0
        domain [2001:db8::1
        domain 2001:db8::1]
        domain 2001:db8::1::2
        domain 2001:db8:1
        domain 1:2:3:4:5:6:7:8:9
        domain 2001:db8::12345
        domain 2001:db8::g
        address\s
        address user
        address @bad.example
        address user@
        address a@b@bad.example
        address User@bad.example
        address user@Bad.example
        address user@bad.example.
        address user@localhost
        address user+tag@bad.example
        address user@gmail.com
        address user@googlemail.com
        address "user"@bad.example
        address <user@bad.example>
        address mailto:user@bad.example
        address user@192.0.2.1
        address user@[192.0.2.1]
        address SRS0=ab=cd=bad.example=user@forwarder.example
        address prvs=0123456789=user@bad.example
        address üser@bad.example
        address user@bücher.example
        address us er@bad.example
        address LOCAL65@bad.example
        password\s
        """;

    private final SortedMap<String, byte[]> files = new TreeMap<>();

    private ReaderVectors() {}

    public static void main(String[] args) throws IOException {
        for (var file : make().entrySet()) {
            Path path = FOLDER.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.write(path, file.getValue());
        }
    }

    /// A value of a kind.
    record Value(KeyKind kind, String text) {
        private static Value parse(String line) {
            int blank = line.indexOf(' ');
            return new Value(
                    KeyKind.ofLabel(line.substring(0, blank)).orElseThrow(),
                    line.substring(blank + 1)
                            .replace("LONG63", "x".repeat(63))
                            .replace("LONG64", "x".repeat(64))
                            .replace("LONG253", "x.".repeat(122) + "z.example")
                            .replace("LONG254", "x.".repeat(122) + "zz.example")
                            .replace("LOCAL65", "x".repeat(65)));
        }

        /// The keys that a reader asks for. Without the list of public suffixes these are more than Bloomgate's own:
        /// every parent of a name that has two labels or more.
        List<String> keys() {
            String text = canonicalText();
            List<String> keys = new ArrayList<>(List.of(text));
            if (kind == KeyKind.DOMAIN && !text.startsWith("[") && !text.matches("[0-9.]+")) {
                for (int dot = text.indexOf('.'); text.indexOf('.', dot + 1) > 0; dot = text.indexOf('.', dot + 1)) {
                    keys.add(text.substring(dot + 1));
                }
            }
            return keys;
        }

        private String canonicalText() {
            return kind == KeyKind.PASSWORD
                    ? PasswordDigest.key(PasswordDigest.of(text)).text()
                    : kind.rules().toLookupValues(text).getFirst().text();
        }
    }

    static List<Value> values() {
        return VALUES.lines().map(Value::parse).toList();
    }

    static List<Value> rejectedValues() {
        return REJECTED.lines().map(Value::parse).toList();
    }

    private void putValues() {
        files.put(
                "values.tsv",
                lines(values().stream()
                        .map(value ->
                                value.kind().label() + '\t' + value.text() + '\t' + String.join("\t", value.keys()))
                        .toList()));
        files.put(
                "rejected.tsv",
                lines(rejectedValues().stream()
                        .map(value -> value.kind().label() + '\t' + value.text())
                        .toList()));
    }

    /// All files, by path.
    static SortedMap<String, byte[]> make() throws IOException {
        ReaderVectors vectors = new ReaderVectors();
        vectors.files.put("hashes.tsv", hashes());
        vectors.putValues();
        List<String> domains = keys(1, ReaderVectors::domain);
        List<String> urls = keys(2, ReaderVectors::url);
        BloomFilter domain = vectors.filter(KeyKind.DOMAIN, FilterSizing.twoLine(KEYS, RATE), domains);
        BloomFilter url = vectors.filter(KeyKind.URL, FilterSizing.of(KEYS, RATE), urls);
        vectors.files.put(SNAPSHOT + "public_suffix_list.dat", SUFFIXES.getBytes(US_ASCII));
        vectors.publish(List.of(
                ManifestFilter.of(KeyKind.DOMAIN, domain.header()), ManifestFilter.of(KeyKind.URL, url.header())));
        vectors.damage();
        return vectors.files;
    }

    private static byte[] hashes() {
        Random random = new Random(3);
        StringBuilder lines = new StringBuilder();
        for (long seed : new long[] {0, SEED, -1}) {
            for (int length : LENGTHS) {
                byte[] bytes = new byte[length];
                random.nextBytes(bytes);
                lines.append(HexFormat.of().toHexDigits(seed))
                        .append('\t')
                        .append(HexFormat.of().formatHex(bytes))
                        .append('\t')
                        .append(HexFormat.of().toHexDigits(new KeyHash(seed).hash(bytes, 0, length)))
                        .append('\n');
            }
        }
        return lines.toString().getBytes(US_ASCII);
    }

    /// Distinct keys: those of a filter, and three times as many of the same kind.
    private static List<String> keys(long seed, Function<Random, String> maker) {
        Random random = new Random(seed);
        Set<String> distinct = new HashSet<>();
        List<String> keys = new ArrayList<>();
        while (keys.size() < 3 * KEYS) {
            String key = maker.apply(random);
            if (distinct.add(key)) {
                keys.add(key);
            }
        }
        return keys;
    }

    private static String domain(Random random) {
        return switch (random.nextInt(20)) {
            case 0 -> "192.0.2." + random.nextInt(256);
            case 1 -> "[2001:db8::" + Integer.toHexString(1 + random.nextInt(0xffff)) + "]";
            default ->
                IntStream.rangeClosed(0, random.nextInt(3))
                                .mapToObj(_ -> word(random, 2 + random.nextInt(14)))
                                .collect(Collectors.joining("."))
                        + (random.nextBoolean() ? ".example" : ".test");
        };
    }

    private static String url(Random random) {
        StringBuilder url = new StringBuilder(word(random, 1 + random.nextInt(12))).append(".example/");
        int length = 1 << random.nextInt(10);
        while (url.length() < length) {
            url.append(word(random, 1 + random.nextInt(9))).append("/?=&%é".charAt(random.nextInt(6)));
        }
        return url.toString();
    }

    private static String word(Random random, int length) {
        return random.ints(length, 'a', 'z' + 1).mapToObj(Character::toString).collect(Collectors.joining());
    }

    /// Adds a filter of the first keys, the keys, and as many that it does not contain.
    private BloomFilter filter(KeyKind kind, FilterSizing sizing, List<String> keys) {
        BloomFilter filter = build(kind, sizing, keys.subList(0, KEYS), SNAPSHOT + kind.label() + ".bloom");
        List<String> absent = keys.subList(KEYS, keys.size()).stream()
                .filter(key -> !contains(filter, key))
                .limit(KEYS)
                .toList();
        files.put(kind.label() + "-present.txt", lines(keys.subList(0, KEYS)));
        files.put(kind.label() + "-absent.txt", lines(absent));
        return filter;
    }

    private BloomFilter build(KeyKind kind, FilterSizing sizing, List<String> keys, String path) {
        FilterParameters parameters =
                new FilterParameters(kind.wireCode(), CanonicalForm.VERSION, SEED, sizing, Snapshots.NOW);
        byte[] bytes = new byte[Math.toIntExact(parameters.fileBytes())];
        try (BloomFilterBuilder builder = new BloomFilterBuilder(MemorySegment.ofArray(bytes), parameters)) {
            for (String key : keys) {
                byte[] utf8 = key.getBytes(UTF_8);
                builder.add(utf8, 0, utf8.length);
            }
            BloomFilter filter = builder.finish();
            files.put(path, bytes);
            return filter;
        }
    }

    private static boolean contains(BloomFilter filter, String key) {
        byte[] utf8 = key.getBytes(UTF_8);
        return filter.mightContain(filter.hash().hash(utf8, 0, utf8.length));
    }

    private static byte[] lines(Collection<String> lines) {
        return (String.join("\n", lines) + "\n").getBytes(UTF_8);
    }

    /// Adds the manifest, its signature and the statement.
    private void publish(List<ManifestFilter> filters) throws IOException {
        List<ManifestFile> manifestFiles = files.tailMap(SNAPSHOT).entrySet().stream()
                .filter(file -> file.getKey().startsWith(SNAPSHOT))
                .map(file -> new ManifestFile(
                        file.getKey().substring(SNAPSHOT.length()),
                        file.getValue().length,
                        Sha256.hex(file.getValue())))
                .toList();
        byte[] manifest = ManifestJson.write(new SnapshotManifest(
                SnapshotManifest.FORMAT_VERSION,
                CanonicalForm.VERSION,
                "nightly",
                GENERATION,
                Snapshots.NOW,
                Sha256.hex(SUFFIXES.getBytes(US_ASCII)),
                2 * KEYS,
                List.of(Snapshots.feed(KEYS)),
                filters,
                manifestFiles,
                Map.of()));
        SigningKey key = SigningKey.read("key", SIGNING_KEY);
        files.put(SNAPSHOT + SnapshotManifest.FILE_NAME, manifest);
        files.put(SNAPSHOT + ManifestSignature.FILE_NAME, key.signManifest(manifest));
        Instant expires = Instant.parse("2026-11-21T02:03:05Z").plus(Duration.ofDays(30));
        PublishedState state = new PublishedState(List.of(new PublishedState.CurrentGeneration(
                "nightly", GENERATION, Sha256.hex(manifest), Optional.of(Snapshots.NOW))));
        files.put(
                "snapshots/" + PublishedState.FILE_NAME,
                PublishedState.FORM
                        .sign(1_795_226_585L, expires, state, "", Optional.of(key))
                        .encode());
    }

    /// Adds files that a reader must reject, made from small filters. All but `header-checksum` and those whose length
    /// is wrong have a header checksum that matches.
    private void damage() {
        List<String> keys = keys(4, ReaderVectors::domain).subList(0, FEW_KEYS);
        build(KeyKind.DOMAIN, FilterSizing.twoLine(FEW_KEYS, RATE), keys, "two-line");
        build(KeyKind.DOMAIN, FilterSizing.of(KEYS, RATE), keys, "line-fuse");
        byte[] twoLine = bytes("two-line");
        byte[] fuse = bytes("line-fuse");
        put("empty", new byte[0]);
        put("half-header", Arrays.copyOf(twoLine, FilterFormat.HEADER_BYTES / 2));
        put("no-body", Arrays.copyOf(twoLine, FilterFormat.HEADER_BYTES));
        put("one-byte-short", Arrays.copyOf(twoLine, twoLine.length - 1));
        put("one-byte-long", Arrays.copyOf(twoLine, twoLine.length + 1));
        put("line-ends", withoutCarriageReturns(twoLine));
        byte[] checksum = twoLine.clone();
        checksum[90] ^= 1;
        put("header-checksum", checksum);
        byte[] body = twoLine.clone();
        body[body.length - 7] ^= 16;
        put("body", body);
        byte[] fuseBody = fuse.clone();
        fuseBody[fuseBody.length - 7] ^= 16;
        put("fuse-body", fuseBody);
        change("version", twoLine, header -> header.putInt(8, 3).putInt(16, 3));
        change("layout", twoLine, header -> header.putInt(16, 2));
        change("header-length", twoLine, header -> header.putInt(12, 8192));
        change("hash", twoLine, header -> header.putInt(20, 2));
        change("canonical-form", twoLine, header -> header.putInt(24, CanonicalForm.VERSION + 1));
        change("kind", twoLine, header -> header.putInt(28, KeyKind.URL.wireCode()));
        change("seed", twoLine, header -> header.putLong(32, SEED + 1));
        change("lines", twoLine, header -> header.putLong(40, header.getLong(40) + 1));
        change("no-lines", twoLine, header -> header.putLong(40, 0));
        change("many-lines", twoLine, header -> header.putLong(40, header.getLong(40) + (1L << 58)));
        change("odd-k", twoLine, header -> header.putInt(48, 17));
        change("k-0", fuse, header -> header.putInt(48, 0));
        change("k-33", fuse, header -> header.putInt(48, 33));
        change("canaries", twoLine, header -> header.putInt(52, 5));
        change("canary-length", twoLine, header -> header.put(3072, (byte) 252));
        change("canary", twoLine, header -> header.put(3073, (byte) '!'));
        change("inserted", twoLine, header -> header.putLong(56, -1));
        change("capacity", fuse, header -> header.putLong(64, KEYS * 2L));
        change("large-capacity", fuse, header -> header.putLong(64, (1L << 36) + 1));
        change("rate", twoLine, header -> header.putDouble(72, 1));
        change("rate-nan", twoLine, header -> header.putDouble(72, Double.NaN));
        change("set-bits", twoLine, header -> header.putLong(80, header.getLong(40) * 512 + 1));
        change("body-length", twoLine, header -> header.putLong(96, header.getLong(96) + 64));
        change("chunk-length", twoLine, header -> header.putInt(104, 1 << 20));
        change("chunks", twoLine, header -> header.putInt(108, 2));
        files.remove("two-line");
        files.remove("line-fuse");
    }

    private byte[] bytes(String path) {
        return Optional.ofNullable(files.get(path)).orElseThrow();
    }

    private void put(String name, byte[] bytes) {
        files.put("damaged/" + name + ".bloom", bytes);
    }

    private void change(String name, byte[] whole, Consumer<ByteBuffer> change) {
        byte[] bytes = whole.clone();
        ByteBuffer header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        change.accept(header);
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, HEADER_CHECKSUM_AT);
        header.putInt(HEADER_CHECKSUM_AT, (int) crc.getValue());
        put(name, bytes);
    }

    private static byte[] withoutCarriageReturns(byte[] bytes) {
        byte[] text = new byte[bytes.length];
        int length = 0;
        for (byte b : bytes) {
            if (b != '\r') {
                text[length++] = b;
            }
        }
        return Arrays.copyOf(text, length);
    }

    /// The header of a filter among the files.
    static FilterHeader header(byte[] file) throws FilterRefusedException {
        return FilterFormat.readHeader(MemorySegment.ofArray(file));
    }
}
