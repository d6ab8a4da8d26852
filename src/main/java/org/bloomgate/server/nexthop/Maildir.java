package org.bloomgate.server.nexthop;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.bloomgate.base.io.DurableFiles;
import org.bloomgate.base.io.PrivateFile;

/// Writes to a maildir: a message is complete and on disk before it is visible in `new/`. A crash leaves a file
/// in `tmp/`, which no reader looks at. Thread-safe, also between processes.
///
/// @param host in the file names, in the spelling of the maildir format
public record Maildir(Path folder, String host, InstantSource clock, AtomicLong deliveries) {
    /// Creates the missing folders, readable only by the owner.
    ///
    /// @param more folders in addition to the three of every maildir
    public static Maildir create(Path folder, String... more) throws IOException {
        Maildir maildir = new Maildir(folder, hostName(), InstantSource.system(), new AtomicLong());
        List<String> parts = new ArrayList<>(List.of("tmp", "new", "cur"));
        parts.addAll(List.of(more));
        for (String part : parts) {
            Files.createDirectories(folder.resolve(part), PrivateFile.createFolderAttributes());
        }
        DurableFiles.force(folder);
        return maildir;
    }

    /// Writes, syncs and renames one message; it is durable when this returns.
    ///
    /// @throws IOException if it cannot be read or written; it is then in `new/` only if that folder cannot be
    ///     synced
    void deliver(byte[] top, MessageBytes message) throws IOException {
        store("new", uniqueName(), top, message);
    }

    /// Stores a message under any name in one of the folders, in the same way.
    public void store(String part, String name, byte[] top, MessageBytes message) throws IOException {
        Path unfinished = folder.resolve("tmp", name);
        try {
            write(unfinished, top, message);
            DurableFiles.rename(unfinished, folder.resolve(part, name));
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }

    private void write(Path file, byte[] top, MessageBytes message) throws IOException {
        Set<StandardOpenOption> options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (FileChannel channel = FileChannel.open(file, options, PrivateFile.createAttributes());
                OutputStream out = Channels.newOutputStream(channel);
                InputStream bytes = message.open()) {
            out.write(top);
            bytes.transferTo(out);
            channel.force(true);
        }
    }

    /// `SECONDS.MmicrosecondsPpidQdelivery.HOST`
    private String uniqueName() {
        Instant now = clock.instant();
        return now.getEpochSecond() + ".M" + now.getNano() / 1_000 + "P"
                + ProcessHandle.current().pid() + "Q" + deliveries.incrementAndGet() + "." + host;
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost()
                    .getHostName()
                    .replace("/", "\\057")
                    .replace(":", "\\072");
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
