package org.bloomgate.server.nexthop;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.bloomgate.core.smtp.ClientIdentity;
import org.bloomgate.core.smtp.Reply;
import org.bloomgate.server.smtp.BytesInMemory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MaildirNextHopTest {
    private static final byte[] TOP = "Received: by gate.example\r\n".getBytes(ISO_8859_1);

    @TempDir
    Path home;

    @Test
    void theFileHoldsTheTopAndEveryByteOfTheMessage() throws IOException {
        byte[] message = new byte[100_000];
        new Random(1).nextBytes(message);
        assertEquals("250 2.0.0 Ok: stored\r\n", deliver(TOP, new BytesInMemory(message)));

        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        expected.writeBytes(TOP);
        expected.writeBytes(message);
        assertArrayEquals(
                expected.toByteArray(), Files.readAllBytes(files("new").getFirst()));
        assertEquals(List.of(), files("tmp"));
        assertEquals(List.of(), files("cur"));
    }

    @Test
    void eachStepIsAcceptedAndBareLinesAndDotsAreKept() throws IOException {
        try (MaildirNextHop maildir = new MaildirNextHop(home);
                NextHopTransaction transaction = maildir.begin(CLIENT)) {
            assertEquals("250 2.1.0 Ok\r\n", transaction.mail("FROM:<>").toWire());
            assertEquals(
                    "250 2.1.5 Ok\r\n", transaction.rcpt("TO:<a@b.example>").toWire());
            assertEquals(
                    "250 2.1.5 Ok\r\n", transaction.rcpt("TO:<c@b.example>").toWire());
            assertTrue(transaction
                    .data(new byte[0], new BytesInMemory(".\r\n..\r\nno line end"))
                    .positive());
        }
        assertEquals(".\r\n..\r\nno line end", Files.readString(files("new").getFirst(), ISO_8859_1));
    }

    @Test
    void eachDeliveryHasANameOfItsOwnThatMaildirReadersTake() throws IOException {
        for (int i = 0; i < 50; i++) {
            deliver(TOP, new BytesInMemory("x\r\n"));
        }
        Set<String> names = new HashSet<>();
        files("new").forEach(file -> names.add(file.getFileName().toString()));
        assertEquals(50, names.size());
        assertTrue(names.stream().allMatch(name -> name.matches("\\d+\\.M\\d+P\\d+Q\\d+\\.[^/:]+")), names::toString);
    }

    @Test
    void whatACrashLeftInTmpIsNeitherDeliveredNorInTheWay() throws IOException {
        new MaildirNextHop(home).close();
        Files.writeString(home.resolve("tmp/1.M1P1Q1.dead.example"), "half a mess");
        assertEquals("250 2.0.0 Ok: stored\r\n", deliver(TOP, new BytesInMemory("x\r\n")));
        assertEquals(1, files("new").size());
        assertEquals("half a mess", Files.readString(home.resolve("tmp/1.M1P1Q1.dead.example")));
    }

    @Test
    void aMessageThatCannotBeReadIsDeferredAndLeavesNothing() throws IOException {
        assertEquals(
                "451 4.3.0 Message cannot be stored, try again later\r\n",
                deliver(TOP, new BrokenBytes("Input/output error")));
        assertEquals(List.of(), files("new"));
        assertEquals(List.of(), files("tmp"));
    }

    @Test
    void aFullDiskIsSaidToBeOne() throws IOException {
        assertEquals(
                "452 4.3.1 Insufficient storage, try again later\r\n",
                deliver(TOP, new BrokenBytes("No space left on device")));
        assertEquals(List.of(), files("tmp"));
    }

    @Test
    void aFolderThatWentAwayIsATransientFault() throws IOException {
        try (MaildirNextHop maildir = new MaildirNextHop(home);
                NextHopTransaction transaction = maildir.begin(CLIENT)) {
            Files.delete(home.resolve("tmp"));
            Reply reply = transaction.data(TOP, new BytesInMemory("x\r\n"));
            assertEquals("451 4.3.0 Message cannot be stored, try again later\r\n", reply.toWire());
        }
    }

    @Test
    void foldersAndFilesAreTheOwnersAlone() throws IOException {
        deliver(TOP, new BytesInMemory("x\r\n"));
        assertEquals(
                "rw-------",
                PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(files("new").getFirst())));
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(home.resolve("new"))));
    }

    @Test
    void aPathThatIsAFileIsRefusedAtTheStart() throws IOException {
        Path file = Files.writeString(home.resolve("file"), "");
        assertThrows(IOException.class, () -> NextHops.open("maildir:" + file, NextHopOptions.defaults()));
    }

    private static final ClientIdentity CLIENT = new ClientIdentity("192.0.2.1", 1, "", "client.example", "ESMTP");

    private String deliver(byte[] top, MessageBytes message) throws IOException {
        try (NextHop maildir = NextHops.open("maildir:" + home, NextHopOptions.defaults());
                NextHopTransaction transaction = maildir.begin(CLIENT)) {
            return transaction.data(top, message).toWire();
        }
    }

    private List<Path> files(String part) throws IOException {
        try (Stream<Path> files = Files.list(home.resolve(part))) {
            return files.toList();
        }
    }

    /// Bytes that cannot be read.
    private record BrokenBytes(String error) implements MessageBytes {
        @Override
        public long sizeBytes() {
            return 10;
        }

        @Override
        public InputStream open() {
            return new InputStream() {
                @Override
                public int read() throws IOException {
                    throw new IOException(error);
                }

                @Override
                public int read(byte[] into, int offset, int length) throws IOException {
                    throw new IOException(error);
                }
            };
        }
    }
}
