package org.bloomgate.core.bloom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The header table and the worked examples of docs/formats.md say what the code does with the vectors.
class FormatsDocumentTest {
    private static final Path VECTORS = Path.of("src", "readers", "vectors");
    private static final Path SNAPSHOT = VECTORS.resolve("snapshots", "20261121T020305Z-09af");

    /// Offset, bytes, field, value in `domain.bloom`.
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (\\d+) \\| ([1-8]) \\| ([^|]+) \\| `([^`]+)` \\|$");

    @Test
    void headerTable_hasTheBytesOfTheVector() throws Exception {
        byte[] file = Files.readAllBytes(SNAPSHOT.resolve("domain.bloom"));
        ByteBuffer header = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        List<MatchResult> rows = ROW.matcher(document()).results().toList();
        assertEquals(19, rows.size(), "rows of the table");
        int end = 0;
        for (MatchResult row : rows) {
            int offset = Integer.parseInt(row.group(1));
            assertTrue(offset >= end, row.group());
            end = offset + Integer.parseInt(row.group(2));
            assertEquals(row.group(4), value(header, offset, row.group(2), row.group(3)), row.group());
        }
    }

    private static String value(ByteBuffer header, int offset, String bytes, String field) {
        if (field.contains("double")) {
            return String.valueOf(header.getDouble(offset));
        }
        if (field.contains("magic") || field.contains("seed") || field.contains("CRC32C")) {
            byte[] raw = new byte[Integer.parseInt(bytes)];
            header.get(offset, raw);
            return HexFormat.ofDelimiter(" ").formatHex(raw);
        }
        return switch (bytes) {
            case "1" -> String.valueOf(header.get(offset) & 0xff);
            case "4" -> String.valueOf(header.getInt(offset));
            default -> String.valueOf(header.getLong(offset));
        };
    }

    @Test
    void examples_areWhatTheCodeComputes() throws Exception {
        String twoLine = twoLineExample();
        String fuse = fuseExample();
        assertTrue(document().contains(twoLine), () -> "docs/formats.md should have:\n" + twoLine);
        assertTrue(document().contains(fuse), () -> "docs/formats.md should have:\n" + fuse);
    }

    private static String twoLineExample() throws Exception {
        BloomFilter filter = open("domain");
        FilterSizing sizing = filter.header().parameters().sizing();
        String key = Files.readAllLines(VECTORS.resolve("domain-present.txt")).getFirst();
        long hash = hash(filter, key);
        long second = TwoLine.second(hash);
        return "key           " + key + "\nhash h        " + hex(hash)
                + "\nline A        " + TwoLine.line(hash, sizing.lines()) / FilterSizing.LINE_BYTES
                + "\npositions     " + positions(hash, sizing.bitsPerLine())
                + "\nsecond word   " + hex(second)
                + "\nline B        " + TwoLine.line(second, sizing.lines()) / FilterSizing.LINE_BYTES
                + "\npositions     " + positions(second, sizing.bitsPerLine()) + "\n";
    }

    /// The bits that the code sets in an empty line, in ascending order.
    private static String positions(long word, int bits) {
        byte[] line = new byte[FilterSizing.LINE_BYTES];
        TwoLine.set(MemorySegment.ofArray(line), 0, word, bits);
        List<String> set = IntStream.range(0, FilterSizing.LINE_BITS)
                .filter(bit -> (line[bit / Byte.SIZE] >> bit % Byte.SIZE & 1) != 0)
                .mapToObj(String::valueOf)
                .toList();
        return String.join(" ", set);
    }

    private static String fuseExample() throws Exception {
        BloomFilter filter = open("url");
        FilterSizing sizing = filter.header().parameters().sizing();
        FuseShape shape = sizing.fuse();
        MemorySegment body = filter.file().asSlice(FilterFormat.HEADER_BYTES + sizing.lineBytes());
        String key = Files.readAllLines(VECTORS.resolve("url-present.txt")).getFirst();
        long hash = hash(filter, key);
        int shard = shape.shard(hash);
        int attempt = body.get(ValueLayout.JAVA_BYTE, shard) & 0xff;
        long word = FuseShape.word(hash, shard, attempt);
        StringBuilder example = new StringBuilder("key           " + key + "\nhash h        " + hex(hash)
                + "\nline          " + TwoLine.line(hash, sizing.lines()) / FilterSizing.LINE_BYTES
                + "\npositions     " + positions(hash, sizing.bitsPerLine())
                + "\nshards        " + shape.shards() + ", most keys of one " + shape.keysPerShard()
                + "\npiece         " + shape.piece() + ", first places " + shape.firstPlaces() + ", places "
                + shape.places()
                + "\nshard         " + shard + ", attempt " + attempt + "\nword          " + hex(word) + "\n");
        for (int way = 0; way < 3; way++) {
            int place = shape.place(way, word);
            short print = body.get(FuseShard.PRINT, shape.at(shard) + (long) place * Short.BYTES);
            example.append("place ")
                    .append(way + 1)
                    .append("       ")
                    .append(place)
                    .append(", value ");
            example.append(HexFormat.of().toHexDigits(print)).append('\n');
        }
        return example + "fingerprint   " + HexFormat.of().toHexDigits(FuseShape.print(word)) + "\n";
    }

    private static BloomFilter open(String kind) throws Exception {
        MemorySegment file = MemorySegment.ofArray(Files.readAllBytes(SNAPSHOT.resolve(kind + ".bloom")));
        FilterParameters parameters = FilterFormat.readHeader(file).parameters();
        return FilterFormat.open(file, parameters.kindCode(), parameters.canonicalForm());
    }

    private static long hash(BloomFilter filter, String key) {
        byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        return filter.hash().hash(bytes, 0, bytes.length);
    }

    private static String hex(long word) {
        return HexFormat.of().toHexDigits(word);
    }

    private static String document() throws IOException {
        return Files.readString(Path.of("docs", "formats.md"));
    }
}
