package org.bloomgate.base.io;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class IoTextTest {
    @Test
    void whatIsWrongIsToldInWords() {
        Map<IOException, String> words = Map.of(
                new AccessDeniedException("d.txt"), "permission denied",
                new NoSuchFileException("d.txt"), "no such file",
                new FileSystemException("d.txt", null, "Not a directory"), "Not a directory",
                new MalformedInputException(1), "it is not in UTF-8",
                new EOFException(), "it ended early",
                new EOFException("line 7"), "line 7",
                new IOException("corrupt: block 3"), "corrupt: block 3");
        words.forEach((fault, told) -> assertEquals(told, IoText.of(fault)));
    }

    @Test
    void theFileIsNamedWhereItIsAboutOne() {
        IOException denied = new AccessDeniedException("d.txt");
        for (Exception fault : List.of(denied, new UncheckedIOException(denied))) {
            assertEquals("d.txt: permission denied", IoText.describe(fault));
        }
        assertEquals("corrupt: block 3", IoText.describe(new IOException("corrupt: block 3")));
    }
}
