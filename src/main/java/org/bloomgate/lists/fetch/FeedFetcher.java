package org.bloomgate.lists.fetch;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.base.io.IoText;
import org.bloomgate.core.text.TextForms;

/// Fetches a feed from a file, a folder of range files, stdin or a web server. Thread-safe.
public final class FeedFetcher {
    private final HttpDownload download;

    /// @param version of the product, for the user agent
    public FeedFetcher(String version) {
        this(version, System.getenv(), Thread::sleep);
    }

    /// @param environment with the secrets of feeds
    FeedFetcher(String version, Map<String, String> environment, Attempts.Pauses pauses) {
        this.download = new HttpDownload(version, environment, new Attempts(pauses, new SecureRandom()));
    }

    /// Writes the bytes of the feed, still compressed, into a file that the caller deletes in any case.
    ///
    /// @param into does not exist yet
    /// @param known validators of the caller's copy; a web server may answer that it is the newest
    /// @return the validators of the file; empty if the server still has the content of the known ones, and then
    ///     there is no file
    /// @throws FeedRefusedException if the feed cannot be fetched; the message is safe for a log
    /// @throws IOException if the file cannot be written, which is not a fault of the feed
    public Optional<Validators> fetch(Feed feed, Path into, Validators known) throws IOException {
        return fetch(feed, into, known, feed.transfer().timeout());
    }

    /// @param timeout of the whole download, instead of the feed's own
    public Optional<Validators> fetch(Feed feed, Path into, Validators known, Duration timeout) throws IOException {
        try {
            return fetchFrom(feed.source(), feed, into, known, timeout);
        } catch (RuntimeException | StackOverflowError fault) {
            throw FeedRefusedException.ofFault(feed, fault);
        }
    }

    private Optional<Validators> fetchFrom(String source, Feed feed, Path into, Validators known, Duration timeout)
            throws IOException {
        if (isWeb(source)) {
            return download.fetch(feed, into, known, timeout);
        }
        if (SourceFiles.isMany(feed)) {
            throw new FeedRefusedException(
                    feed,
                    source + ": each file is a feed, and there are "
                            + SourceFiles.files(feed).size() + " files");
        }
        if (!source.equals("-") && feed.format().isCounted() && Files.isDirectory(Path.of(source))) {
            try (OutputStream out =
                    new BufferedOutputStream(Files.newOutputStream(into, StandardOpenOption.CREATE_NEW))) {
                RangeFiles.join(feed, Path.of(source), out);
            }
        } else {
            try (InputStream in = new FeedSource(feed, source.equals("-") ? System.in : open(feed, source))) {
                Files.copy(in, into);
            }
        }
        return Optional.of(Validators.NONE);
    }

    public static boolean isWeb(String source) {
        String lower = TextForms.lowerCase(source);
        return lower.startsWith("http://") || lower.startsWith("https://");
    }

    private static InputStream open(Feed feed, String file) throws FeedRefusedException {
        try {
            return Files.newInputStream(Path.of(file));
        } catch (NoSuchFileException e) {
            throw new FeedRefusedException(feed, "no file " + file, e);
        } catch (IOException e) {
            throw new FeedRefusedException(feed, "file " + file + " cannot be read: " + IoText.of(e), e);
        } catch (IllegalArgumentException e) {
            throw new FeedRefusedException(feed, "file " + file + " cannot be read: " + e.getMessage(), e);
        }
    }
}
