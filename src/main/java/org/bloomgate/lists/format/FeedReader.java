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
/// Lines that say all by themselves are read in chunks by all processors ([LineChunks]). Memory is bounded by these and
/// the longest line taken ([PhysicalLines#MAX_BYTES]), not by the feed. A line that makes
/// a reader throw is a reject like any other; what is thrown between lines refuses the feed, and never reaches
/// the caller as itself unless the sink threw it. Thread-safe; each call serves one feed.
public final class FeedReader {
    private final FeedKeys keys;
    private final EntryGates gates;
    private final PlainEntries plain;
    private final PlainEntries plainFetched;
    private final LineChunks chunks;

    /// With the shared hosts that ship with the product.
    public FeedReader(FeedKeys keys, AllowList allow) {
        this(keys, new EntryGates(allow, SharedHosts.shipped()));
    }

    public FeedReader(FeedKeys keys, EntryGates gates) {
        this(keys, gates, LineChunks.onAllProcessors());
    }

    FeedReader(FeedKeys keys, EntryGates gates, LineChunks chunks) {
        this.keys = keys;
        this.gates = gates;
        this.plain = new PlainEntries(keys, gates, false);
        this.plainFetched = new PlainEntries(keys, gates, true);
        this.chunks = chunks;
    }

    /// A reader that also holds back these keys.
    ///
    /// @param entries each with the reason
    public FeedReader holding(Map<Key, String> entries) {
        return new FeedReader(keys, new EntryGates(gates.allow(), gates.shared(), entries), chunks);
    }

    /// A feed that is here, still packed.
    @FunctionalInterface
    public interface Content {
        /// From the beginning; closed by the reader.
        InputStream open() throws IOException;
    }

    /// @param packed is read to its end, by some formats twice
    /// @throws FeedRefusedException when the feed cannot be taken as a whole; what the sink received then is void
    public FeedCounts read(Feed feed, Content packed, FeedSink sink) throws FeedRefusedException {
        WatchedSink watched = new WatchedSink(sink);
        LineTally tally = new LineTally(feed, keys, gates, watched);
        try (InputStream content = unpacked(feed, packed)) {
            readContent(feed, packed, content, tally);
        } catch (FeedRefusedException refused) {
            throw refused.after(tally.counts());
        } catch (IOException broken) {
            throw new FeedRefusedException(feed, "cannot be read to its end: " + IoText.of(broken), broken)
                    .after(tally.counts());
        } catch (RuntimeException fault) {
            watched.rethrow(fault);
            throw FeedRefusedException.ofFault(feed, fault).after(tally.counts());
        } catch (StackOverflowError fault) {
            throw FeedRefusedException.ofFault(feed, fault).after(tally.counts());
        }
        return tally.counts();
    }

    private static InputStream unpacked(Feed feed, Content packed) throws IOException {
        InputStream in = packed.open();
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
        return gates.holding(feed, key).isPresent();
    }

    /// Whether the key lists a host as a whole that no one is to list.
    public boolean holds(Key key) {
        return gates.holding(key).isPresent();
    }

    /// Equal while entries give the same keys by the same public suffix list.
    public String ofKeys() {
        return keys.regions();
    }

    /// Equal while the same entries are held back.
    public String allowed() {
        return gates.digest();
    }

    private void readContent(Feed feed, Content packed, InputStream content, LineTally tally) throws IOException {
        if (feed.kind() == FeedKind.NETWORK && feed.format() == FeedFormat.RBLDNSD) {
            new RbldnsdNetworks(feed, new PhysicalLines(content), tally).read();
            return;
        }
        switch (feed.format()) {
            case CSV -> new CsvRecords(feed, new PhysicalLines(content), tally).read();
            case JSON -> new JsonValues(feed, tally).read(content);
            case STIX -> readStix(feed, packed, content, tally);
            case MISP -> new MispEvent(feed, tally).read(content);
            case LINES ->
                readLines(
                        feed,
                        feed.kind() == FeedKind.PASSWORD ? new PasswordLines() : new PlainLines(),
                        content,
                        tally);
            case CIDR -> readLines(feed, new CidrLines(), content, tally);
            case HOSTS -> readLines(feed, new HostsLines(), content, tally);
            case ADBLOCK -> readLines(feed, new AdblockLines(feed.kind(), takenBack(feed, packed)), content, tally);
            case WILDCARD -> readLines(feed, new WildcardLines(), content, tally);
            case DNSMASQ -> readLines(feed, new DnsmasqLines(), content, tally);
            case UNBOUND -> readLines(feed, new UnboundLines(), content, tally);
            case RPZ -> readLines(feed, new RpzLines(), content, tally);
            case BIND -> readLines(feed, new BindLines(), content, tally);
            case RBLDNSD -> readLines(feed, new RbldnsdLines(), content, tally);
            case SHA1, SHA1_COUNT -> readLines(feed, DigestLines.SHA1, content, tally);
            case NTLM_COUNT -> readLines(feed, DigestLines.NTLM, content, tally);
        }
    }

    private static void readStix(Feed feed, Content packed, InputStream content, LineTally tally) throws IOException {
        StixBundle bundle = new StixBundle(feed, tally, Instant.now());
        try (InputStream first = unpacked(feed, packed)) {
            bundle.noting(first).read(content);
        }
    }

    private static AdblockCancellations takenBack(Feed feed, Content packed) throws IOException {
        try (InputStream content = unpacked(feed, packed)) {
            return AdblockCancellations.read(feed, content);
        }
    }

    private void readLines(Feed feed, LineFormat format, InputStream content, LineTally tally) throws IOException {
        LineReading reading = new LineReading(feed, format, SourceStamp.isRemote(feed) ? plainFetched : plain);
        if (chunks.isWorthIt() && reading.isLineByLine()) {
            chunks.read(content, reading, tally, kept -> new LineTally(feed, keys, gates, new WatchedSink(kept)));
        } else {
            reading.read(new PhysicalLines(content), tally);
        }
    }
}
