package org.bloomgate.base.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VerifiedFilesTest {
    @TempDir
    private Path folder;

    private final List<Path> read = new ArrayList<>();
    private Instant now = Instant.MIN;
    private final VerifiedFiles files = new VerifiedFiles(() -> now, all -> {
        read.addAll(all);
        return Sha256.hex(all);
    });
    private Path one = Path.of("");
    private Path other = Path.of("");

    @BeforeEach
    void write() throws Exception {
        one = Files.writeString(folder.resolve("one"), "one");
        other = Files.writeString(folder.resolve("other"), "another");
        FileTime changed = (FileTime) Files.getAttribute(other, "unix:ctime");
        now = changed.toInstant().plus(VerifiedFiles.SETTLED).plusMillis(1);
    }

    private void expect(Path... readAgain) throws Exception {
        read.clear();
        assertEquals(Sha256.hex(List.of(one, other)), files.hex(List.of(one, other)));
        assertEquals(List.of(readAgain), read);
    }

    @Test
    void aFileIsReadOnce() throws Exception {
        expect(one, other);
        expect();
        now = now.plus(VerifiedFiles.GOOD_FOR);
        expect();
        now = now.plusMillis(1);
        expect(one, other);
    }

    @Test
    void whatIsKnownOfAFileIsItsDigestForAsLongAsItIsRemembered() throws Exception {
        String sha256 = Sha256.hex(one);
        assertFalse(files.hasCached(one, sha256));
        expect(one, other);
        assertTrue(files.hasCached(one, sha256));
        assertFalse(files.hasCached(other, sha256));
        now = now.plus(VerifiedFiles.GOOD_FOR).plusMillis(1);
        assertFalse(files.hasCached(one, sha256));
    }

    @Test
    void aFileThatWasWrittenToIsReadAgainWhateverItsTimesAreSetTo() throws Exception {
        expect(one, other);
        FileTime before = Files.getLastModifiedTime(one);
        Object changed = Files.getAttribute(one, "unix:ctime");
        do {
            Files.writeString(one, "0ne");
            Files.setLastModifiedTime(one, before);
        } while (changed.equals(Files.getAttribute(one, "unix:ctime")));
        expect(one);
    }

    @Test
    void aFileInThePlaceOfAnotherIsRead() throws Exception {
        expect(one, other);
        Files.move(Files.writeString(folder.resolve("next"), "0ne"), one, StandardCopyOption.REPLACE_EXISTING);
        expect(one);
    }

    @Test
    void aFolderMayHaveAnotherName() throws Exception {
        expect(one, other);
        Path moved = Files.move(folder, folder.resolveSibling(folder.getFileName() + "-moved"));
        one = moved.resolve("one");
        other = moved.resolve("other");
        expect();
        Files.move(moved, folder);
    }

    @Test
    void aFileThatWasJustChangedIsReadAgain() throws Exception {
        now = now.minusMillis(1);
        expect(one, other);
        assertEquals(Sha256.hex(List.of(other)), files.hex(List.of(other)));
        assertEquals(List.of(other), read.subList(2, read.size()));
    }
}
