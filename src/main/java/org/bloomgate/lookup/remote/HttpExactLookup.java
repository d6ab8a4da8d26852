package org.bloomgate.lookup.remote;

import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.bloomgate.core.key.Key;
import org.bloomgate.lookup.tier.ExactAnswer;
import org.bloomgate.lookup.tier.ExactLookup;
import org.bloomgate.lookup.tier.Listing;
import org.bloomgate.lookup.tier.UnknownReason;

/// One layer of lookup services, queried by `POST /v1/lookup`. Thread-safe.
///
/// "Not listed" is accepted from a service whose generation of the layer is not older than that of the filter:
/// ids of generations sort by time. From an older one it is [UnknownReason#BEHIND].
public final class HttpExactLookup implements ExactLookup {
    /// Below the default limits of a service for items and for the size of a body.
    static final int MAX_ITEMS = 100;

    static final int MAX_CHARACTERS = 64 * 1024;

    /// Room for a few hundred listings of one key, or a few of each of many keys.
    private static final long MAX_ANSWER_BYTES = 64 * 1024;

    private static final long MAX_ANSWER_BYTES_A_KEY = 2 * 1024;
    private static final Pattern GENERATION = Pattern.compile("\\d{8}T\\d{6}Z-[0-9a-f]{4}");

    private final LookupServices services;
    private final String layer;
    private final String generation;

    /// @param services shared by all layers, and not closed with this
    /// @param generation of the filter
    public HttpExactLookup(LookupServices services, String layer, String generation) {
        this.services = services;
        this.layer = layer;
        this.generation = generation;
    }

    @Override
    public List<ExactAnswer> lookup(List<Key> keys, Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        List<ExactAnswer> answers = new ArrayList<>(keys.size());
        while (answers.size() < keys.size()) {
            List<Key> some = keys.subList(answers.size(), end(keys, answers.size()));
            answers.addAll(ask(some, Duration.ofNanos(deadline - System.nanoTime())));
        }
        return answers;
    }

    /// The end of the request that begins at `start`.
    private static int end(List<Key> keys, int start) {
        int end = start;
        int characters = 0;
        while (end < keys.size() && end - start < MAX_ITEMS && (end == start || characters < MAX_CHARACTERS)) {
            characters += keys.get(end++).text().length();
        }
        return end;
    }

    private List<ExactAnswer> ask(List<Key> keys, Duration left) {
        long maxBytes = MAX_ANSWER_BYTES + MAX_ANSWER_BYTES_A_KEY * keys.size();
        return switch (services.ask(LookupJson.question(layer, keys), maxBytes, left)) {
            case LookupServices.Reply.Body(InputStream bytes) ->
                read(bytes, keys).orElseGet(() -> all(keys, UnknownReason.BAD_ANSWER));
            case LookupServices.Reply.None(UnknownReason reason) -> all(keys, reason);
        };
    }

    private static List<ExactAnswer> all(List<Key> keys, UnknownReason reason) {
        return Collections.nCopies(keys.size(), reason.answer());
    }

    /// Empty if the answer is malformed.
    private Optional<List<ExactAnswer>> read(InputStream bytes, List<Key> keys) {
        Optional<LookupReply> reply =
                LookupJson.reply(bytes).filter(whole -> whole.answers().size() == keys.size());
        if (reply.isEmpty()) {
            return Optional.empty();
        }
        try {
            Optional<String> there = Optional.ofNullable(reply.get().layers().get(layer));
            List<ExactAnswer> answers = new ArrayList<>(keys.size());
            for (int i = 0; i < keys.size(); i++) {
                answers.add(answer(keys.get(i), reply.get().answers().get(i), there));
            }
            return Optional.of(answers);
        } catch (IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }

    private ExactAnswer answer(Key key, LookupReply.KeyAnswer keyAnswer, Optional<String> there) {
        List<Listing> listings = keyAnswer.listings().orElse(List.of()).stream()
                .map(one -> one.listing(key))
                .toList();
        boolean listed = keyAnswer.answer().equals(LookupReply.LISTED);
        if (listed == listings.isEmpty()) {
            throw new IllegalArgumentException("listings of " + keyAnswer.answer());
        }
        return switch (keyAnswer.answer()) {
            case LookupReply.LISTED -> {
                String _ = generation(there);
                yield new ExactAnswer.Listed(listings);
            }
            case LookupReply.NOT_LISTED -> notListed(generation(there), generation);
            case LookupReply.UNKNOWN ->
                (there.isEmpty() ? UnknownReason.NO_LAYER : UnknownReason.UNKNOWN_THERE).answer();
            default -> throw new IllegalArgumentException(keyAnswer.answer());
        };
    }

    /// @param own generation of the filter
    static ExactAnswer notListed(String there, String own) {
        return there.compareTo(own) < 0 ? UnknownReason.BEHIND.answer() : new ExactAnswer.NotListed();
    }

    /// A service that answers for a layer states its generation.
    static String generation(Optional<String> there) {
        return there.filter(id -> GENERATION.matcher(id).matches())
                .orElseThrow(() -> new IllegalArgumentException("generation"));
    }

    @Override
    public void close() {}
}
