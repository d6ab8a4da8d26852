package org.bloomgate.content.document;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;

/// What holds for any octets handed to a reader of documents, whatever a name or a container said: nothing is thrown,
/// and the same octets give the same finds. The first octet picks the reader.
public final class DocumentFuzz {
    /// In the order of the letters that the seeds begin with: a to i.
    private static final List<BiConsumer<byte[], LinkSink>> READERS = List.of(
            (octets, finds) -> Pdf.read(octets, octets.length, finds),
            (octets, finds) -> RichText.read(octets, octets.length, finds),
            (octets, finds) -> SignedData.read(octets, octets.length, finds),
            (octets, finds) -> Tnef.read(octets, octets.length, finds),
            (octets, finds) -> finds.text(new String(CompressedRtf.read(octets, finds), StandardCharsets.ISO_8859_1)),
            (octets, finds) -> OfficeXml.read(chars(octets), chars(octets).length, finds),
            (octets, finds) -> ContentLines.read(text(octets), finds),
            (octets, finds) -> Uuencoded.read(text(octets), finds),
            (octets, finds) -> ScriptStrings.read(chars(octets), 0, chars(octets).length, new Decoded(finds)));

    private DocumentFuzz() {}

    /// The name that Jazzer looks for.
    public static void fuzzerTestOneInput(byte[] octets) {
        if (octets.length > 0) {
            BiConsumer<byte[], LinkSink> reader = READERS.get(Math.floorMod(octets[0] - 'a', READERS.size()));
            assertEquals(found(reader, octets), found(reader, octets));
        }
    }

    private static String found(BiConsumer<byte[], LinkSink> reader, byte[] octets) {
        Found found = new Found();
        reader.accept(Arrays.copyOfRange(octets, 1, octets.length), found);
        return "" + found.links + found.texts + found.scripts + found.files + found.pictures + found.limits;
    }

    private static String text(byte[] octets) {
        return new String(octets, StandardCharsets.UTF_8);
    }

    private static char[] chars(byte[] octets) {
        return text(octets).toCharArray();
    }

    private record Decoded(LinkSink finds) implements ScriptStrings.Sink {
        @Override
        public boolean spend(long units) {
            return finds.spend(units);
        }

        @Override
        public void reached(String limit) {
            finds.reached(limit);
        }

        @Override
        public void decoded(String text) {
            finds.text(text);
        }
    }
}
