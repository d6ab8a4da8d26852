package org.bloomgate.feed;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.bloomgate.disk.Sha256;
import org.bloomgate.key.KeyKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourceStampTest {
    @TempDir
    private Path folder;

    private static Feed of(Path source) {
        return Feed.of("list", KeyKind.DOMAIN, FeedFormat.LINES, source.toString());
    }

    @Test
    void aFileHoldsWhatItsDigestSaysWhateverIsKnownOfItsLength() throws IOException {
        Path file = Files.writeString(folder.resolve("list"), "a.example\n");
        String digest = Sha256.hex(file);
        assertTrue(SourceStamp.holds(of(file), Optional.of(10L), digest));
        assertTrue(SourceStamp.holds(of(file), Optional.empty(), digest));
        Files.writeString(file, "b.example\n");
        assertFalse(SourceStamp.holds(of(file), Optional.of(10L), digest));
        assertFalse(SourceStamp.holds(of(file), Optional.empty(), digest));
    }

    /// That would be said even of the same octets: they are not read.
    @Test
    void aFileOfAnotherLengthHoldsSomethingElse() throws IOException {
        Path file = Files.writeString(folder.resolve("list"), "a.example\n");
        assertFalse(SourceStamp.holds(of(file), Optional.of(11L), Sha256.hex(file)));
    }

    @Test
    void whatIsNoFileIsFetchedToKnowIt() throws IOException {
        assertFalse(SourceStamp.holds(of(folder), Optional.empty(), ""));
        assertFalse(SourceStamp.holds(of(folder.resolve("absent")), Optional.empty(), ""));
    }
}
