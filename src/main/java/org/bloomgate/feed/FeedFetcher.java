package org.bloomgate.feed;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/// Brings a feed here: from a file, stdin or a web server.
public final class FeedFetcher {
    /// @param scratch folder for downloads, made when it is missing
    /// @param version of the product, for the user agent
    public FeedFetcher(Path scratch, String version) {}

    /// The feed's octets as they come, still packed. The caller closes it.
    public InputStream open(Feed feed) throws IOException {
        return Files.newInputStream(Path.of(feed.source()));
    }
}
