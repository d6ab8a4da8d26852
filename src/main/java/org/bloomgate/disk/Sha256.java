package org.bloomgate.disk;

import static java.nio.file.StandardOpenOption.READ;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.stream.IntStream;

/// SHA-256 (FIPS 180-4), of octets and of files; in text it is lower-case hex.
public final class Sha256 {
    private static final int BUFFER_BYTES = 1 << 20;

    /// For less, threads cost more than they gain.
    private static final long AT_ONCE_BYTES = 8 << 20;

    private Sha256() {}

    /// Takes octets as they come.
    public static MessageDigest begin() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /// The 32 octets.
    public static byte[] of(byte[] octets) {
        return begin().digest(octets);
    }

    public static String hex(byte[] octets) {
        return HexFormat.of().formatHex(of(octets));
    }

    /// Reads the whole file, which leaves it in the page cache.
    public static String hex(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, READ)) {
            MessageDigest digest = begin();
            update(digest, channel);
            return HexFormat.of().formatHex(digest.digest());
        }
    }

    /// The same of several files, which are read at once by all processors, the largest first.
    public static List<String> hex(List<Path> files) throws IOException {
        Map<Path, Long> sizes = new HashMap<>();
        for (Path file : files) {
            sizes.put(file, Files.size(file));
        }
        int threads = Math.min(files.size(), Runtime.getRuntime().availableProcessors());
        long octets = sizes.values().stream().mapToLong(Long::longValue).sum();
        return threads < 2 || octets < AT_ONCE_BYTES ? oneByOne(files) : atOnce(files, sizes, threads);
    }

    private static List<String> oneByOne(List<Path> files) throws IOException {
        List<String> digests = new ArrayList<>();
        for (Path file : files) {
            digests.add(hex(file));
        }
        return digests;
    }

    private static List<String> atOnce(List<Path> files, Map<Path, Long> sizes, int threads) throws IOException {
        ThreadFactory daemons =
                Thread.ofPlatform().daemon().name("bloomgate-digests").factory();
        try (ExecutorService readers = Executors.newFixedThreadPool(threads, daemons)) {
            List<FutureTask<String>> digests = files.stream()
                    .map(file -> new FutureTask<>(() -> hex(file)))
                    .toList();
            IntStream.range(0, files.size())
                    .boxed()
                    .sorted(Comparator.comparingLong(i -> -sizes.getOrDefault(files.get(i), 0L)))
                    .forEach(i -> readers.execute(digests.get(i)));
            try {
                List<String> done = new ArrayList<>();
                for (FutureTask<String> digest : digests) {
                    done.add(digest.get());
                }
                return done;
            } catch (ExecutionException e) {
                throw e.getCause() instanceof IOException broken ? broken : new IOException(e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while files were read");
            } finally {
                readers.shutdownNow();
            }
        }
    }

    /// Takes what a file holds from its position on, and leaves it at its end.
    public static void update(MessageDigest digest, FileChannel channel) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
        while (channel.read(buffer) >= 0) {
            digest.update(buffer.flip());
            buffer.clear();
        }
    }
}
