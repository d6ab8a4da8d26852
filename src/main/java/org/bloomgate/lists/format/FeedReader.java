package org.bloomgate.lists.format;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.Map;
import org.bloomgate.base.io.IoText;
import org.bloomgate.core.key.FeedKeys;
import org.bloomgate.core.key.FeedKind;
import org.bloomgate.core.key.Key;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedCounts;
import org.bloomgate.lists.fetch.FeedFormat;
import org.bloomgate.lists.fetch.FeedRefusedException;
import org.bloomgate.lists.fetch.PhysicalLines;
import org.bloomgate.lists.fetch.SourceStamp;
import org.bloomgate.lists.fetch.Unpacking;
import org.bloomgate.lists.format.LineFormat.PasswordLines;
import org.bloomgate.lists.format.LineFormat.PlainLines;
import org.bloomgate.lists.format.LineFormat.RbldnsdLines;
import org.bloomgate.lists.format.LineFormat.WildcardLines;

/// Reads a feed to its end: decompresses it, rejects content that is not a list, and turns every line into an
/// entry, a comment, a reject or a held entry.
///
/// If the meaning of a line does not depend on others, lines are read in chunks on all processors
/// ([LineChunks]). Memory is bounded by the chunks and the longest line ([PhysicalLines#MAX_BYTES]), not by the
/// size of the feed. If reading a line throws an exception, the line is a reject; an exception between lines
/// rejects the feed. Only exceptions of the sink reach the caller. Thread-safe; each call reads one feed.
public final class FeedReader {
    private final FeedKeys keys;
    private final EntryGates gates;
    private final PlainEntries localEntries;
    private final PlainEntries remoteEntries;
    private final LineChunks chunks;

    /// A reader with the shared hosts that ship with the product.
    public FeedReader(FeedKeys keys, AllowList allow) {
        this(keys, new EntryGates(allow, SharedHosts.shipped()));
    }

    public FeedReader(FeedKeys keys, EntryGates gates) {
        this(keys, gates, LineChunks.onAllProcessors());
    }

    FeedReader(FeedKeys keys, EntryGates gates, LineChunks chunks) {
        this.keys = keys;
        this.gates = gates;
        this.localEntries = new PlainEntries(keys, gates, false);
        this.remoteEntries = new PlainEntries(keys, gates, true);
        this.chunks = chunks;
    }

    /// A reader that also holds back these keys, for these reasons.
    public FeedReader withHeldKeys(Map<Key, String> reasonsByKey) {
        return new FeedReader(keys, new EntryGates(gates.allow(), gates.shared(), reasonsByKey), chunks);
    }

    /// The content of a feed on this machine, still compressed.
    @FunctionalInterface
    public interface Content {
        /// Opens the content at its beginning; the reader closes the stream.
        InputStream open() throws IOException;
    }

    /// @param source the content, which is read to its end, for some formats twice
    /// @throws FeedRefusedException if the feed is rejected as a whole; the caller drops what the sink received
    public FeedCounts read(Feed feed, Content source, FeedSink sink) throws FeedRefusedException {
        WatchedSink watchedSink = new WatchedSink(sink);
        LineTally tally = new LineTally(feed, keys, gates, watchedSink);
        try (InputStream content = openUnpacked(feed, source)) {
            readContent(feed, source, content, tally);
        } catch (FeedRefusedException e) {
            throw e.after(tally.counts());
        } catch (IOException e) {
            throw new FeedRefusedException(feed, "cannot be read to its end: " + IoText.of(e), e).after(tally.counts());
        } catch (LineTally.TooManyKeysException e) {
            throw new FeedRefusedException(feed, String.valueOf(e.getMessage())).after(tally.counts());
        } catch (RuntimeException fault) {
            watchedSink.rethrow(fault);
            throw FeedRefusedException.ofFault(feed, fault).after(tally.counts());
        } catch (StackOverflowError fault) {
            throw FeedRefusedException.ofFault(feed, fault).after(tally.counts());
        }
        return tally.counts();
    }

    private static InputStream openUnpacked(Feed feed, Content source) throws IOException {
        InputStream in = source.open();
        try {
            BufferedInputStream content = new BufferedInputStream(
                    Unpacking.open(in, feed.transfer().maxUnpackedBytes()), WrongFormat.HEAD_BYTES);
            WrongFormat.refuse(feed, content);
            return content;
        } catch (IOException | RuntimeException e) {
            in.close();
            throw e;
        }
    }

    /// Whether the feed's entry for the key would be held back today.
    public boolean isHeld(Feed feed, Key key) {
        return gates.findHoldReason(feed, key).isPresent();
    }

    /// Whether the key would list an entire shared or allowed host, which no feed may do.
    public boolean isHeld(Key key) {
        return gates.findHoldReason(key).isPresent();
    }

    /// Identifies the rules that turn entries into keys, including the public suffix list: equal text, equal keys.
    public String describeKeyRules() {
        return keys.regions();
    }

    /// A digest that is equal as long as the same entries are held back.
    public String computeGatesDigest() {
        return gates.computeDigest();
    }

    private void readContent(Feed feed, Content source, InputStream content, LineTally tally) throws IOException {
        if (feed.kind() == FeedKind.NETWORK && feed.format() == FeedFormat.RBLDNSD) {
            new RbldnsdNetworks(feed, new PhysicalLines(content), tally).read();
            return;
        }
        switch (feed.format()) {
            case CSV -> new CsvRecords(feed, new PhysicalLines(content), tally).read();
            case JSON -> new JsonValues(feed, tally).read(content);
            case STIX -> readStix(feed, source, content, tally);
            case MISP -> new MispEvent(feed, tally).read(content);
            case LINES ->
                readLines(
                        feed,
                        feed.kind() == FeedKind.PASSWORD ? new PasswordLines() : new PlainLines(),
                        content,
                        tally);
            case CIDR -> readLines(feed, new CidrLines(), content, tally);
            case HOSTS -> readLines(feed, new HostsLines(), content, tally);
            case ADBLOCK ->
                readLines(feed, new AdblockLines(feed.kind(), readCancellations(feed, source)), content, tally);
            case WILDCARD -> readLines(feed, new WildcardLines(), content, tally);
            case DNSMASQ -> readLines(feed, new DnsmasqLines(), content, tally);
            case UNBOUND -> readLines(feed, UnboundLines.read(() -> openUnpacked(feed, source)), content, tally);
            case RPZ -> readLines(feed, new RpzLines(), content, tally);
            case BIND -> readLines(feed, new BindLines(), content, tally);
            case RBLDNSD -> readLines(feed, new RbldnsdLines(), content, tally);
            case SHA1, SHA1_COUNT -> readLines(feed, DigestLines.SHA1, content, tally);
            case NTLM_COUNT -> readLines(feed, DigestLines.NTLM, content, tally);
        }
    }

    private static void readStix(Feed feed, Content source, InputStream content, LineTally tally) throws IOException {
        StixBundle bundle = new StixBundle(feed, tally, Instant.now());
        try (InputStream first = openUnpacked(feed, source)) {
            bundle.noteVersions(first).read(content);
        }
    }

    private static AdblockCancellations readCancellations(Feed feed, Content source) throws IOException {
        try (InputStream content = openUnpacked(feed, source)) {
            return AdblockCancellations.read(feed, content);
        }
    }

    private void readLines(Feed feed, LineFormat format, InputStream content, LineTally tally) throws IOException {
        LineReading reading = new LineReading(feed, format, SourceStamp.isRemote(feed) ? remoteEntries : localEntries);
        if (chunks.isWorthIt() && reading.isStateless()) {
            chunks.read(content, reading, tally, sink -> new LineTally(feed, keys, gates, new WatchedSink(sink)));
        } else {
            reading.read(new PhysicalLines(content), tally);
        }
    }
}
