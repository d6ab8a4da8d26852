package org.bloomgate.lists.fetch;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.bloomgate.base.io.IoText;

/// A feed's bytes from a file or stdin, up to the feed's bound. A source that cannot be read, such as a
/// directory, becomes a [FeedRefusedException], so that it is distinguished from an output file that cannot be
/// written.
final class FeedSource extends FilterInputStream {
    private final Feed feed;
    private long bytes;

    FeedSource(Feed feed, InputStream in) {
        super(in);
        this.feed = feed;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws FeedRefusedException {
        int read;
        try {
            read = in.read(buffer, offset, length);
        } catch (IOException e) {
            throw new FeedRefusedException(feed, feed.source() + " cannot be read: " + IoText.of(e), e);
        }
        bytes += Math.max(0, read);
        if (bytes > feed.transfer().maxBytes()) {
            throw new FeedRefusedException(
                    feed, feed.source() + " is longer than " + feed.transfer().maxBytes() + " bytes (maxBytes)");
        }
        return read;
    }

    @Override
    public int read() throws FeedRefusedException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }
}
