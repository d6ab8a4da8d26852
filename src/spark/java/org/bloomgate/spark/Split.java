package org.bloomgate.spark;

import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.io.Serializable;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.bloomgate.lists.fetch.Feed;

/// A part of a fetched feed that one task reads: whole lines, or the whole feed where a line alone means nothing.
///
/// @param source position of the feed in its layer
/// @param lines whether it may be read in part
/// @param from first byte
/// @param to the byte after the last
record Split(String feed, int source, String file, boolean lines, long from, long to) implements Serializable {
    private static final long BYTES = 16L << 20;
    private static final int HEAD_BYTES = 4096;

    static List<Split> of(Feed feed, int source, Path file) throws IOException {
        long size = Files.size(file);
        if (!isOfLines(feed) || !isText(file)) {
            return List.of(new Split(feed.name(), source, file.toString(), false, 0, size));
        }
        List<Split> splits = new ArrayList<>();
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            for (long from = 0; from < size; ) {
                long to = lineEnd(in, Math.min(size, from + BYTES), size);
                splits.add(new Split(feed.name(), source, file.toString(), true, from, to));
                from = to;
            }
        }
        return splits;
    }

    private static boolean isOfLines(Feed feed) {
        return switch (feed.format()) {
            case LINES, CIDR, HOSTS, WILDCARD, DNSMASQ, UNBOUND, SHA1, SHA1_COUNT, NTLM_COUNT -> true;
            case ADBLOCK, RPZ, BIND, RBLDNSD, CSV, JSON, STIX, MISP -> false;
        };
    }

    /// Whatever packs a feed begins with a byte that no text has.
    private static boolean isText(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            for (byte b : in.readNBytes(HEAD_BYTES)) {
                if (b >= 0 && b < ' ' && b != '\t' && b != '\n' && b != '\r') {
                    return false;
                }
            }
            return true;
        }
    }

    private static long lineEnd(RandomAccessFile in, long at, long size) throws IOException {
        byte[] buffer = new byte[HEAD_BYTES];
        for (long start = at - 1; start < size; start += buffer.length) {
            in.seek(start);
            int read = in.read(buffer);
            for (int i = 0; i < read; i++) {
                if (buffer[i] == '\n') {
                    return start + i + 1;
                }
            }
        }
        return size;
    }

    /// Its bytes, at most this many of them.
    InputStream open(long most) throws IOException {
        RandomAccessFile in = new RandomAccessFile(file, "r");
        in.seek(from);
        return new BoundedStream(Channels.newInputStream(in.getChannel()), Math.min(most, to - from));
    }
}
