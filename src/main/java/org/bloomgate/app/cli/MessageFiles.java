package org.bloomgate.app.cli;

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

/// The messages of one argument: a file, stdin, an mbox or a Maildir. A message that cannot be read is reported
/// and skipped; an mbox ends at a read error.
///
/// @param maxMessageBytes bound of a message in an mbox, where the size of a file does not bound it
record MessageFiles(long maxMessageBytes) {
    private static final String MBOX = "mbox:";
    private static final String STDIN = "-";
    private static final List<String> MAILDIR = List.of("new", "cur");

    /// Receives the messages.
    interface Taker {
        void take(String name, InputStream message) throws IOException;

        /// @param name of a message, or of the file that it should have come from
        void refuse(String name, String why);
    }

    void read(String argument, Taker to) {
        try {
            if (argument.startsWith(MBOX)) {
                mbox(argument.substring(MBOX.length()), to);
            } else if (!argument.equals(STDIN) && Files.isDirectory(Path.of(argument))) {
                maildir(Path.of(argument), to);
            } else {
                one(argument, to);
            }
        } catch (AccessDeniedException e) {
            to.refuse(argument, IoText.of(e) + "; your shell may read it: bloomgate scan - < FILE");
        } catch (IOException e) {
            to.refuse(argument, IoText.of(e));
        } catch (InvalidPathException e) {
            to.refuse(argument, "no path");
        }
    }

    private static void one(String file, Taker to) throws IOException {
        try (InputStream message = open(file)) {
            to.take(file, message);
        }
    }

    private void mbox(String file, Taker to) throws IOException {
        try (InputStream in = open(file)) {
            new MboxReader(in, maxMessageBytes).read(new MboxReader.Messages() {
                @Override
                public void take(int number, InputStream message) throws IOException {
                    to.take(file + ":" + number, message);
                }

                @Override
                public void tooLong(int number) {
                    to.refuse(
                            file + ":" + number,
                            "longer than smtp.maxMessageBytes allows, %,d bytes".formatted(maxMessageBytes));
                }
            });
        }
    }

    private static void maildir(Path folder, Taker to) throws IOException {
        List<Path> parts =
                MAILDIR.stream().map(folder::resolve).filter(Files::isDirectory).toList();
        if (parts.isEmpty()) {
            throw new IOException("is a folder without new and cur: no Maildir");
        }
        for (Path part : parts) {
            for (Path message : messages(part)) {
                try {
                    one(message.toString(), to);
                } catch (IOException e) {
                    to.refuse(message.toString(), IoText.of(e));
                }
            }
        }
    }

    /// The messages by name, which begins with the time of delivery. Names that begin with a dot are not
    /// messages, and only regular files are opened: reading a pipe could block for ever.
    private static List<Path> messages(Path part) throws IOException {
        try (Stream<Path> found = Files.list(part)) {
            return found.filter(file -> !file.getFileName().toString().startsWith("."))
                    .filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                    .sorted()
                    .toList();
        }
    }

    private static InputStream open(String file) throws IOException {
        return new BufferedInputStream(file.equals(STDIN) ? System.in : Files.newInputStream(Path.of(file)));
    }
}
