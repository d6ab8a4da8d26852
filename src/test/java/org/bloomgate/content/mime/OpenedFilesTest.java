package org.bloomgate.content.mime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Files as other programs wrote them (Python's zipfile, tarfile and gzip, OpenSSL): the link in each is
/// found, and no limit is reached but by what is closed.
class OpenedFilesTest {
    private static final Path FILES = Path.of("src/test/resources/fuzz/files");

    @ParameterizedTest
    @CsvSource({
        "calendar, ''",
        "cms-compressed, ''",
        "cms-signed, ''",
        "cms-signed-indefinite, ''",
        "gzip, ''",
        "message, mime",
        "pdf, ''",
        "script, ''",
        "tar, ''",
        "tnef, ''",
        "tnef-packed, ''",
        "uuencode, ''",
        "zip, ''",
        "zip-bzip2, ''",
        "zip-stored, ''"
    })
    void theLinkIsFound(String name, String limit) throws IOException {
        ReadMessage read = read(name);
        assertTrue(read.holds("evil.example"), () -> "" + read);
        assertEquals(limit.isEmpty() ? Set.of() : Set.of(limit), read.limits());
    }

    @ParameterizedTest
    @CsvSource({"cms-encrypted, encrypted"})
    void whatIsEncryptedIsNamed(String name, String limit) throws IOException {
        assertEquals(Set.of(limit), read(name).limits());
    }

    private static ReadMessage read(String name) throws IOException {
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        message.writeBytes("Content-Type: application/octet-stream; name=x\r\nContent-Transfer-Encoding: binary\r\n\r\n"
                .getBytes(StandardCharsets.US_ASCII));
        message.writeBytes(Files.readAllBytes(FILES.resolve(name)));
        return ReadMessage.withoutFault(message.toByteArray());
    }
}
