package org.bloomgate.remote;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.bloomgate.key.Key;
import org.bloomgate.key.KeyKind;
import org.bloomgate.lookup.ExactAnswer;
import org.bloomgate.lookup.ExactLookup;
import org.bloomgate.lookup.UnknownReason;
import org.bloomgate.remote.RemoteCounts.Total;
import org.bloomgate.verdict.Listing;
import org.bloomgate.wire.HashPrefix;
import org.bloomgate.wire.HashedKey;
import org.bloomgate.wire.PrefixPage;

/// One layer as lookup services know it, by pages of `/v1/prefix`: they learn the first 8 to 16 bits of a
/// suspect's hash and nothing else, and which of a page's keys was met is found here. Answers are those of
/// [HttpExactLookup]. Thread-safe.
///
/// "Not listed" is believed of a page whose generation is not older than that of the filter that asks.
public final class PrefixLookup implements ExactLookup {
    private static final Duration READY = Duration.ofSeconds(5);

    private final LookupServices services;
    private final String layer;
    private final String generation;
    private final Map<KeyKind, Long> listed;
    private final RemoteCounts counts;

    /// @param services shared by all layers, and not closed with this
    /// @param generation of the filter that asks
    /// @param listed number of keys of each kind in its filters
    public PrefixLookup(
            LookupServices services, String layer, String generation, Map<KeyKind, Long> listed, RemoteCounts counts) {
        this.services = services;
        this.layer = layer;
        this.generation = generation;
        this.listed = Map.copyOf(listed);
        this.counts = counts;
    }

    /// Has the services make pages of every kind, so that the first suspect need not wait for them. Asks for the first
    /// page of each, which tells nothing.
    public void ready() {
        byte[] first = new byte[HashedKey.BYTES];
        List<String> paths = listed.keySet().stream()
                .map(kind -> PrefixPage.path(layer, kind, prefix(kind, first)))
                .toList();
        List<LookupServices.Reply> _ = services.get(paths, PrefixPage.MAX_BYTES, READY);
    }

    private HashPrefix prefix(KeyKind kind, byte[] hash) {
        return HashPrefix.of(hash, listed.getOrDefault(kind, 0L));
    }

    @Override
    public List<ExactAnswer> lookup(List<Key> keys, Duration timeout) {
        List<String> paths = keys.stream().map(this::path).toList();
        List<String> pages = paths.stream().distinct().toList();
        List<LookupServices.Reply> replies = services.get(pages, PrefixPage.MAX_BYTES, timeout);
        List<Function<Key, ExactAnswer>> read = replies.stream().map(this::read).toList();
        List<ExactAnswer> answers = new ArrayList<>(keys.size());
        for (int i = 0; i < keys.size(); i++) {
            answers.add(read.get(pages.indexOf(paths.get(i))).apply(keys.get(i)));
        }
        return answers;
    }

    private String path(Key key) {
        return PrefixPage.path(layer, key.kind(), prefix(key.kind(), HashedKey.of(key)));
    }

    /// What the answer says of a key behind its page.
    private Function<Key, ExactAnswer> read(LookupServices.Reply reply) {
        counts.add(Total.PAGES, 1);
        return switch (reply) {
            case LookupServices.Reply.None(UnknownReason reason) -> _ -> reason.answer();
            case LookupServices.Reply.Body body ->
                LookupJson.page(body.octets())
                        .<Function<Key, ExactAnswer>>map(page -> {
                            counts.add(Total.CANDIDATES, page.candidates().size());
                            return key -> answer(page, key);
                        })
                        .orElse(_ -> UnknownReason.BAD_ANSWER.answer());
        };
    }

    private ExactAnswer answer(PrefixPage page, Key key) {
        if (page.reason().isPresent()) {
            return reason(page.reason().get()).answer();
        }
        try {
            String there = HttpExactLookup.generation(page.generation());
            List<Listing> listings =
                    page.of(key).stream().map(said -> said.listing(key)).toList();
            return listings.isEmpty() ? HttpExactLookup.notListed(there, generation) : new ExactAnswer.Listed(listings);
        } catch (IllegalArgumentException nonsense) {
            return UnknownReason.BAD_ANSWER.answer();
        }
    }

    /// A service without the layer, or whose pages are not made yet, works: nothing is wrong with it.
    private static UnknownReason reason(String word) {
        return word.equals(UnknownReason.NO_LAYER.label()) ? UnknownReason.NO_LAYER : UnknownReason.UNKNOWN_THERE;
    }

    @Override
    public void close() {}
}
