package org.bloomgate.base.io;

import static java.nio.file.StandardOpenOption.READ;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/// SHA-256 (FIPS 180-4), of bytes and of files; in text it is lower-case hex.
public final class Sha256 {
    /// Stays in the cache of one processor.
    static final int BUFFER_BYTES = 128 << 10;

    private Sha256() {}

    /// A digest that bytes can be added to.
    public static MessageDigest begin() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /// The 32 bytes.
    public static byte[] digest(byte[] bytes) {
        return begin().digest(bytes);
    }

    public static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(digest(bytes));
    }

    /// Reads the stream to its end.
    public static String hex(InputStream stream) throws IOException {
        try (DigestInputStream digestStream = new DigestInputStream(stream, begin())) {
            digestStream.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(digestStream.getMessageDigest().digest());
        }
    }

    /// Reads the whole file, which leaves it in the page cache.
    public static String hex(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, READ)) {
            MessageDigest digest = begin();
            update(digest, channel);
            return HexFormat.of().formatHex(digest.digest());
        }
    }

    /// The digests of several files, which are read in parallel.
    public static List<String> hex(List<Path> files) throws IOException {
        return ParallelReads.read(files, Sha256::hex);
    }

    /// Adds the bytes of a file from its position to its end, where the position is afterwards.
    public static void update(MessageDigest digest, FileChannel channel) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
        while (channel.read(buffer) >= 0) {
            digest.update(buffer.flip());
            buffer.clear();
        }
    }
}
