package org.bloomgate.feed;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;

/// Brings a feed here: from a file, stdin or a web server. Thread-safe.
public final class FeedFetcher {
    private final HttpDownload download;

    /// @param version of the product, for the user agent
    public FeedFetcher(String version) {
        this.download = new HttpDownload(version);
    }

    /// Writes the feed's octets as they come, still packed, into a file of the caller's, who deletes it whatever
    /// happens.
    ///
    /// @param into does not exist yet
    /// @throws FeedRefusedException when the feed cannot be had; the message is fit for a log
    /// @throws IOException when the file cannot be written: no fault of the feed
    public void fetch(Feed feed, Path into) throws IOException {
        String source = feed.source();
        String lower = source.toLowerCase(Locale.ROOT);
        if (lower.startsWith("http://") || lower.startsWith("https://")) {
            download.fetch(feed, into);
        } else {
            try (InputStream in = new Source(feed, source.equals("-") ? System.in : open(feed, source))) {
                Files.copy(in, into);
            }
        }
    }

    private static InputStream open(Feed feed, String file) throws FeedRefusedException {
        try {
            return Files.newInputStream(Path.of(file));
        } catch (NoSuchFileException missing) {
            throw new FeedRefusedException(feed, "no file " + file, missing);
        } catch (IOException | IllegalArgumentException unreadable) {
            throw new FeedRefusedException(feed, "file " + file + " cannot be read: " + unreadable, unreadable);
        }
    }

    /// Tells a source that cannot be read, a directory for one, from a file that cannot be written.
    private static final class Source extends FilterInputStream {
        private final Feed feed;

        Source(Feed feed, InputStream in) {
            super(in);
            this.feed = feed;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws FeedRefusedException {
            try {
                return in.read(buffer, offset, length);
            } catch (IOException unreadable) {
                throw new FeedRefusedException(
                        feed, feed.source() + " cannot be read: " + unreadable.getMessage(), unreadable);
            }
        }
    }
}
