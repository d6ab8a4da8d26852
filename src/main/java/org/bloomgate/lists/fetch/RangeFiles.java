package org.bloomgate.lists.fetch;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.bloomgate.base.io.IoText;

/// A folder of range files, as the downloaders of Pwned Passwords write them: one file for each prefix of five
/// hex digits, which is its name, with lines `SUFFIX:COUNT`. They are joined to one list of whole digests, in
/// order.
final class RangeFiles {
    /// Any ending, such as `.txt` or `.gz`, is allowed.
    private static final Pattern NAME = Pattern.compile("([0-9A-Fa-f]{5})(\\.[A-Za-z0-9.]*)?");

    private static final int PREFIX_DIGITS = 5;

    /// Files up to this size are read at once: there are a million of them, each of one or two thousand lines.
    private static final int SMALL_BYTES = 1 << 18;

    private RangeFiles() {}

    /// @param out receives the list
    /// @throws FeedRefusedException if there is no range file, or one cannot be read
    static void join(Feed feed, Path folder, OutputStream out) throws IOException {
        List<Path> files = files(feed, folder);
        if (files.isEmpty()) {
            throw new FeedRefusedException(
                    feed, folder + " holds no range file, named by five hex digits such as 0A1B2 or 0A1B2.txt");
        }
        long packed = 0;
        PhysicalLines lines = new PhysicalLines(InputStream.nullInputStream());
        for (Path file : files) {
            long size = Files.size(file);
            packed += size;
            if (packed > feed.transfer().maxBytes()) {
                throw new FeedRefusedException(
                        feed,
                        "the files of " + folder + " are more than "
                                + feed.transfer().maxBytes() + " bytes (maxBytes)");
            }
            try (InputStream in = size <= SMALL_BYTES
                            ? new ByteArrayInputStream(read(feed, file))
                            : new FeedSource(feed, Files.newInputStream(file));
                    InputStream content = Unpacking.open(in, feed.transfer().maxUnpackedBytes())) {
                lines.restart(content);
                append(prefix(file), lines, out);
            }
        }
    }

    private static byte[] read(Feed feed, Path file) throws IOException {
        try (InputStream in = new FeedSource(feed, Files.newInputStream(file))) {
            return in.readAllBytes();
        }
    }

    private static byte[] prefix(Path file) {
        return file.getFileName().toString().substring(0, PREFIX_DIGITS).getBytes(StandardCharsets.US_ASCII);
    }

    private static List<Path> files(Feed feed, Path folder) throws FeedRefusedException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(
                            file -> NAME.matcher(file.getFileName().toString()).matches())
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new FeedRefusedException(feed, "folder " + folder + " cannot be read: " + IoText.of(e), e);
        }
    }

    private static void append(byte[] prefix, PhysicalLines lines, OutputStream out) throws IOException {
        while (lines.next()) {
            String line = lines.text();
            if (!line.isBlank()) {
                out.write(prefix);
                out.write(line.getBytes(StandardCharsets.UTF_8));
                out.write('\n');
            }
        }
    }
}
