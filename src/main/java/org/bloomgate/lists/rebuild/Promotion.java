package org.bloomgate.lists.rebuild;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.format.FeedReader;
import org.bloomgate.lists.layer.KeySource;
import org.bloomgate.lists.sort.ExtraKeys;
import org.bloomgate.lists.sort.KeyCursor;
import org.bloomgate.lists.sort.SortBuffer;
import org.bloomgate.lists.sort.SortedKeys;

/// Lists a host as a whole, as the URL entry `host/`, if feeds with that option list enough distinct URLs of it
/// ([Feed#promoteHosts()]): an attacker who has taken over a host uses new paths faster than feeds can list
/// them.
///
/// The entry belongs to the feed and has the time of the newest URL; its count is the number of URLs, where a
/// page and its folder count as one. It is of kind url, so it never rejects a message because of its sender.
/// Shared hosts, which the allow list or the public suffix list contains, hosts below a popular name, and
/// canaries are never listed this way.
///
/// The keys of a host follow each other in the sort, so one pass needs constant memory.
final class Promotion {
    private static final int SLASH = '/';

    private final FeedReader reader;
    private final PublicSuffixes suffixes;
    private final Set<String> canaries;

    /// By number of a source: the position of its feed among `feeds`, or -1 if that feed promotes nothing.
    private final int[] feedOf = new int[SortBuffer.MAX_SOURCE + 1];

    private final long[] seen = new long[SortBuffer.MAX_SOURCE + 1];
    private final List<Feed> feeds;

    /// For the current host and each feed, the source with the newest URL, or -1.
    private final int[] newest;

    private byte[] host = new byte[0];
    private final CountedPages pages = new CountedPages();
    private long urls;
    private boolean listedWhole;
    private long promoted;

    Promotion(Rebuild rebuild, LayerRun run) {
        reader = rebuild.tools().reader();
        suffixes = rebuild.tools().suffixes();
        List<KeySource> sources = run.sorting().sources().listValid();
        feeds = sources.stream()
                .map(KeySource::feed)
                .filter(feed -> feed.promoteHosts() > 0)
                .distinct()
                .toList();
        canaries = feeds.isEmpty()
                ? Set.of()
                : Canaries.with(rebuild.settings().options().bounds().canaries()).hosts().stream()
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

    /// The keys and the promoted hosts.
    SortedKeys addHosts(SortedKeys keys) throws IOException {
        if (feeds.isEmpty() || keys.keys(KeyKind.URL.wireCode()) == 0) {
            return keys;
        }
        try (ExtraKeys extra = keys.extra();
                KeyCursor key = keys.open()) {
            while (key.next()) {
                if (key.kindCode() == KeyKind.URL.wireCode()) {
                    add(key, extra);
                }
            }
            finishHost(extra);
            return extra.finish();
        }
    }

    /// Number of hosts that were promoted.
    long promoted() {
        return promoted;
    }

    private void add(KeyCursor key, ExtraKeys extra) throws IOException {
        int end = hostEnd(key);
        if (!Arrays.equals(host, 0, host.length, key.bytes(), 1, end)) {
            finishHost(extra);
            host = Arrays.copyOfRange(key.bytes(), 1, end);
        }
        boolean isHost = end == key.end();
        listedWhole |= isHost;
        boolean counts = false;
        for (int i = 0; i < key.countSources() && !isHost; i++) {
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

    /// The position after the slash that ends the host.
    private static int hostEnd(KeyCursor key) {
        int at = 1;
        while (at < key.end() && key.bytes()[at] != SLASH) {
            at++;
        }
        return Math.min(at + 1, key.end());
    }

    /// Adds the entry for the current host if enough URLs of it are listed.
    private void finishHost(ExtraKeys extra) throws IOException {
        int[] sources = new int[newest.length];
        int size = 0;
        for (int feed = 0; feed < newest.length; feed++) {
            if (newest[feed] >= 0 && urls >= feeds.get(feed).promoteHosts()) {
                sources[size++] = newest[feed];
            }
        }
        if (size > 0 && hasOneOwner()) {
            int[] ascending = Arrays.copyOf(sources, size);
            Arrays.sort(ascending);
            extra.add(KeyKind.URL.wireCode(), host, ascending, urls, !listedWhole);
            promoted++;
        }
        Arrays.fill(newest, -1);
        urls = 0;
        listedWhole = false;
    }

    /// Whether all pages of the host belong to one party, as far as is known.
    private boolean hasOneOwner() {
        Key whole = Key.ofBytes(KeyKind.URL, host, 0, host.length);
        String name = whole.text().substring(0, whole.text().length() - 1);
        String registrable = suffixes.registrable(name);
        return !suffixes.isPublicSuffix(name)
                && !reader.isHeld(whole)
                && !reader.isHeld(new Key(KeyKind.URL, registrable + "/"))
                && !canaries.contains(registrable);
    }
}
