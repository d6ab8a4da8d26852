package org.bloomgate.smtp;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;

/// Keeps messages that were accepted but not relayed: a Maildir, with the envelope of each message as JSON in
/// `envelopes/` under the same name, the token. Thread-safe.
final class Quarantine {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path root;

    Quarantine(Path root) {
        this.root = root;
    }

    /// Returns when both files are on disk; whatever was written before a failure is removed.
    ///
    /// @param top fields that go before the message
    void keep(String token, String sender, List<String> recipients, byte[] top, MessageOctets message)
            throws IOException {
        Path temporary = directory("tmp").resolve(token);
        Path envelope = directory("envelopes").resolve(token + ".json");
        try {
            byte[] json = JSON.writeValueAsBytes(Map.of("token", token, "mailFrom", sender, "recipients", recipients));
            try (FileChannel file = create(envelope)) {
                write(file, json);
                file.force(true);
            }
            try (FileChannel file = create(temporary);
                    InputStream octets = message.open()) {
                write(file, top);
                octets.transferTo(Channels.newOutputStream(file));
                file.force(true);
            }
            Path place = directory("new");
            Files.move(temporary, place.resolve(token), StandardCopyOption.ATOMIC_MOVE);
            sync(place);
        } catch (IOException e) {
            Files.deleteIfExists(temporary);
            Files.deleteIfExists(envelope);
            throw e;
        }
    }

    private Path directory(String name) throws IOException {
        return Files.createDirectories(root.resolve(name));
    }

    private static FileChannel create(Path file) throws IOException {
        return FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    private static void write(FileChannel file, byte[] octets) throws IOException {
        ByteBuffer rest = ByteBuffer.wrap(octets);
        while (rest.hasRemaining()) {
            file.write(rest);
        }
    }

    private static void sync(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
