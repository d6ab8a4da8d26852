package org.bloomgate.content.document;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import org.bloomgate.core.limit.Limit;

/// What holds for any bytes handed to a reader of documents, whatever a name or a container said: nothing is thrown,
/// and the same bytes give the same finds. The first byte picks the reader.
public final class DocumentFuzz {
    /// In the order of the letters that the seeds begin with: a to j.
    private static final List<BiConsumer<byte[], LinkSink>> READERS = List.of(
            (bytes, finds) -> Pdf.read(bytes, bytes.length, finds),
            (bytes, finds) -> RichText.read(bytes, bytes.length, finds),
            (bytes, finds) -> SignedData.read(bytes, bytes.length, finds),
            (bytes, finds) -> Tnef.read(bytes, bytes.length, finds),
            (bytes, finds) -> finds.addText(new String(CompressedRtf.read(bytes, finds), StandardCharsets.ISO_8859_1)),
            (bytes, finds) -> OfficeXml.read(chars(bytes), chars(bytes).length, finds),
            (bytes, finds) -> ContentLines.read(text(bytes), finds),
            (bytes, finds) -> Uuencoded.read(text(bytes), finds),
            (bytes, finds) -> ScriptStrings.read(chars(bytes), 0, chars(bytes).length, new Decoded(finds)),
            (bytes, finds) -> CompoundDocument.read(bytes, bytes.length, finds));

    private DocumentFuzz() {}

    /// The name that Jazzer looks for.
    public static void fuzzerTestOneInput(byte[] bytes) {
        if (bytes.length > 0) {
            BiConsumer<byte[], LinkSink> reader = READERS.get(Math.floorMod(bytes[0] - 'a', READERS.size()));
            assertEquals(found(reader, bytes), found(reader, bytes));
        }
    }

    private static String found(BiConsumer<byte[], LinkSink> reader, byte[] bytes) {
        Found found = new Found();
        reader.accept(Arrays.copyOfRange(bytes, 1, bytes.length), found);
        return "" + found.links + found.texts + found.scripts + found.files + found.pictures + found.limits;
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static char[] chars(byte[] bytes) {
        return text(bytes).toCharArray();
    }

    private record Decoded(LinkSink finds) implements ScriptStrings.Sink {
        @Override
        public boolean spend(long units) {
            return finds.spend(units);
        }

        @Override
        public void reached(Limit limit) {
            finds.reached(limit);
        }

        @Override
        public void decoded(String text) {
            finds.addText(text);
        }
    }
}
