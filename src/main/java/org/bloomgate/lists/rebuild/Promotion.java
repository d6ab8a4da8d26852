package org.bloomgate.lists.rebuild;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.lists.build.KeySource;
import org.bloomgate.lists.build.RebuildOptions;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.format.FeedReader;
import org.bloomgate.lists.sort.ExtraKeys;
import org.bloomgate.lists.sort.KeyCursor;
import org.bloomgate.lists.sort.SortBuffer;
import org.bloomgate.lists.sort.SortedKeys;

/// Lists a host as a whole, as the URL entry `host/`, if feeds with that option list enough distinct URLs of it
/// ([Feed#promoteHosts()]): an attacker who has taken over a host uses new paths of it faster than feeds
/// follow.
///
/// The entry is the feed's own, with the time of the newest of its URLs, and lives and expires with that; its
/// count is the number of URLs, a page and its folder being one. It is of kind url: a message is not refused
/// for its sender's sake. Hosts that strangers share, which the allow list or the public suffix list knows,
/// those below a popular name, and the canaries are never listed so.
///
/// One walk over the keys in their order, in which those of a host follow each other: constant in memory,
/// whatever their number.
final class Promotion {
    private static final int SLASH = '/';

    private final FeedReader reader;
    private final PublicSuffixes suffixes;
    private final Set<String> canaries;

    /// By number of a source: the position of its feed among `feeds`, or -1 if that feed promotes nothing.
    private final int[] feedOf = new int[SortBuffer.MAX_SOURCE + 1];

    private final long[] seen = new long[SortBuffer.MAX_SOURCE + 1];
    private final List<Feed> feeds;

    /// For the host that is being read: by feed the last source seen, or -1.
    private final int[] newest;

    private byte[] host = new byte[0];
    private final CountedPages pages = new CountedPages();
    private long urls;
    private boolean listedWhole;
    private long promoted;

    /// @param suffixes that the keys were made with
    Promotion(LayerRun run, FeedReader reader, PublicSuffixes suffixes, RebuildOptions options) {
        this.reader = reader;
        this.suffixes = suffixes;
        List<KeySource> sources = run.sources().valid();
        feeds = sources.stream()
                .map(KeySource::feed)
                .filter(feed -> feed.promoteHosts() > 0)
                .distinct()
                .toList();
        canaries = feeds.isEmpty()
                ? Set.of()
                : Canaries.with(options.bounds().canaries()).hosts().stream()
                        .map(suffixes::registrable)
                        .collect(Collectors.toSet());
        Arrays.fill(feedOf, -1);
        for (KeySource source : sources) {
            feedOf[source.number()] = feeds.indexOf(source.feed());
            seen[source.number()] = source.seen().getEpochSecond();
        }
        newest = new int[feeds.size()];
        Arrays.fill(newest, -1);
    }

    /// The keys with the hosts among them.
    SortedKeys with(SortedKeys keys) throws IOException {
        if (feeds.isEmpty() || keys.keys(KeyKind.URL.wireCode()) == 0) {
            return keys;
        }
        try (ExtraKeys extra = keys.extra();
                KeyCursor key = keys.open()) {
            while (key.next()) {
                if (key.kindCode() == KeyKind.URL.wireCode()) {
                    take(key, extra);
                }
            }
            leave(extra);
            return extra.finish();
        }
    }

    /// Number of hosts that were promoted.
    long promoted() {
        return promoted;
    }

    private void take(KeyCursor key, ExtraKeys extra) throws IOException {
        int end = hostEnd(key);
        if (!Arrays.equals(host, 0, host.length, key.bytes(), 1, end)) {
            leave(extra);
            host = Arrays.copyOfRange(key.bytes(), 1, end);
        }
        boolean whole = end == key.end();
        listedWhole |= whole;
        boolean counts = false;
        for (int i = 0; i < key.sources() && !whole; i++) {
            int feed = feedOf[key.source(i)];
            if (feed >= 0) {
                counts = true;
                if (newest[feed] < 0 || seen[key.source(i)] > seen[newest[feed]]) {
                    newest[feed] = key.source(i);
                }
            }
        }
        urls += counts && pages.add(key.bytes(), 1, key.end()) ? 1 : 0;
    }

    /// Behind the slash that ends the host.
    private static int hostEnd(KeyCursor key) {
        int at = 1;
        while (at < key.end() && key.bytes()[at] != SLASH) {
            at++;
        }
        return Math.min(at + 1, key.end());
    }

    /// After the last URL of a host.
    private void leave(ExtraKeys extra) throws IOException {
        int[] sources = new int[newest.length];
        int size = 0;
        for (int feed = 0; feed < newest.length; feed++) {
            if (newest[feed] >= 0 && urls >= feeds.get(feed).promoteHosts()) {
                sources[size++] = newest[feed];
            }
        }
        if (size > 0 && isOnesOwn()) {
            int[] ascending = Arrays.copyOf(sources, size);
            Arrays.sort(ascending);
            extra.add(KeyKind.URL.wireCode(), host, ascending, urls, !listedWhole);
            promoted++;
        }
        Arrays.fill(newest, -1);
        urls = 0;
        listedWhole = false;
    }

    /// True if all pages of the host belong to one party, as far as is known.
    private boolean isOnesOwn() {
        Key whole = Key.ofBytes(KeyKind.URL, host, 0, host.length);
        String name = whole.text().substring(0, whole.text().length() - 1);
        String registrable = suffixes.registrable(name);
        return !suffixes.isPublicSuffix(name)
                && !reader.holds(whole)
                && !reader.holds(new Key(KeyKind.URL, registrable + "/"))
                && !canaries.contains(registrable);
    }
}
