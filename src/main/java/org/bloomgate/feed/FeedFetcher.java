package org.bloomgate.feed;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;

/// Brings a feed here: from a file, stdin or a web server. Thread-safe.
public final class FeedFetcher {
    private final HttpDownload download;

    /// @param scratch folder for downloads, made when it is missing
    /// @param version of the product, for the user agent
    public FeedFetcher(Path scratch, String version) {
        this.download = new HttpDownload(scratch, version);
    }

    /// The feed's octets as they come, still packed. A download is complete before this returns, and its file goes when
    /// the stream is closed.
    ///
    /// @throws FeedRefusedException when the feed cannot be had; the message is fit for a log
    public InputStream open(Feed feed) throws FeedRefusedException {
        String source = feed.source();
        if (source.equals("-")) {
            return System.in;
        }
        String lower = source.toLowerCase(Locale.ROOT);
        if (lower.startsWith("http://") || lower.startsWith("https://")) {
            return download.open(feed);
        }
        try {
            return Files.newInputStream(Path.of(source));
        } catch (NoSuchFileException missing) {
            throw new FeedRefusedException(feed, "no file " + source, missing);
        } catch (IOException | IllegalArgumentException unreadable) {
            throw new FeedRefusedException(feed, "file " + source + " cannot be read: " + unreadable, unreadable);
        }
    }
}
