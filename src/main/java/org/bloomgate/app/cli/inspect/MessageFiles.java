package org.bloomgate.app.cli.inspect;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.bloomgate.base.io.IoText;

/// Reads the messages of one argument: a file, stdin, an mbox or a Maildir. A message that cannot be read is
/// reported and skipped; an mbox ends at a read error.
///
/// @param maxMessageBytes bound of a message in an mbox, where the size of a file does not bound it
record MessageFiles(long maxMessageBytes) {
    private static final String MBOX = "mbox:";
    private static final String STDIN = "-";
    private static final List<String> MAILDIR = List.of("new", "cur");

    /// Receives the messages.
    interface Receiver {
        void take(String name, InputStream message) throws IOException;

        /// Reports a message that cannot be read.
        ///
        /// @param name of the message, or of the file
        void fail(String name, String reason);
    }

    void read(String argument, Receiver receiver) {
        try {
            if (argument.startsWith(MBOX)) {
                readMbox(argument.substring(MBOX.length()), receiver);
            } else if (!argument.equals(STDIN) && Files.isDirectory(Path.of(argument))) {
                readMaildir(Path.of(argument), receiver);
            } else {
                readFile(argument, receiver);
            }
        } catch (AccessDeniedException e) {
            receiver.fail(argument, IoText.of(e) + "; your shell may read it: bloomgate scan - < FILE");
        } catch (IOException e) {
            receiver.fail(argument, IoText.of(e));
        } catch (InvalidPathException e) {
            receiver.fail(argument, "not a path");
        }
    }

    private static void readFile(String file, Receiver receiver) throws IOException {
        try (InputStream message = open(file)) {
            receiver.take(file, message);
        }
    }

    private void readMbox(String file, Receiver receiver) throws IOException {
        try (InputStream in = open(file)) {
            new MboxReader(in, maxMessageBytes).read(new MboxReader.Messages() {
                @Override
                public void take(int number, InputStream message) throws IOException {
                    receiver.take(file + ":" + number, message);
                }

                @Override
                public void skip(int number) {
                    receiver.fail(
                            file + ":" + number,
                            "longer than smtp.maxMessageBytes allows, %,d bytes".formatted(maxMessageBytes));
                }
            });
        }
    }

    private static void readMaildir(Path folder, Receiver receiver) throws IOException {
        List<Path> parts =
                MAILDIR.stream().map(folder::resolve).filter(Files::isDirectory).toList();
        if (parts.isEmpty()) {
            throw new IOException("not a Maildir: the folder has neither new nor cur");
        }
        for (Path part : parts) {
            for (Path message : messages(part)) {
                try {
                    readFile(message.toString(), receiver);
                } catch (IOException e) {
                    receiver.fail(message.toString(), IoText.of(e));
                }
            }
        }
    }

    /// The messages by name, which begins with the time of delivery. Names that begin with a dot are not
    /// messages, and only regular files are opened: reading a pipe could block for ever.
    private static List<Path> messages(Path part) throws IOException {
        try (Stream<Path> files = Files.list(part)) {
            return files.filter(file -> !file.getFileName().toString().startsWith("."))
                    .filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                    .sorted()
                    .toList();
        }
    }

    private static InputStream open(String file) throws IOException {
        return new BufferedInputStream(file.equals(STDIN) ? System.in : Files.newInputStream(Path.of(file)));
    }
}
