package org.bloomgate.disk;

import static java.nio.file.StandardOpenOption.READ;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;

/// What is said of a file when it is published.
///
/// @param sha256 64 lower-case hex digits, for whoever does not trust where the file comes from
/// @param checksums [BlockChecksums], for whoever looks for damage
public record FileDigest(String sha256, List<Long> checksums) {

    /// Of several files, each read once, at once by all processors.
    public static List<FileDigest> of(List<Path> files) throws IOException {
        return AtOnce.read(files, FileDigest::of);
    }

    private static FileDigest of(Path file) throws IOException {
        MessageDigest sha256 = Sha256.begin();
        BlockChecksums checksums = new BlockChecksums();
        try (FileChannel channel = FileChannel.open(file, READ)) {
            ByteBuffer buffer = ByteBuffer.allocate(Sha256.BUFFER_BYTES);
            while (channel.read(buffer) >= 0) {
                sha256.update(buffer.flip());
                checksums.update(buffer.rewind());
                buffer.clear();
            }
        }
        return new FileDigest(HexFormat.of().formatHex(sha256.digest()), checksums.finish());
    }
}
