package org.bloomgate.lists.format;

import java.util.List;
import java.util.Optional;
import org.bloomgate.core.key.FeedKey;
import org.bloomgate.core.key.FeedKeys;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.PasswordDigest;
import org.bloomgate.lists.fetch.Excerpt;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedCounts;
import org.bloomgate.lists.fetch.FeedFormat;
import org.bloomgate.lists.fetch.FeedRefusedException;
import org.bloomgate.lookup.tier.ListExceptions;

/// Makes the keys of parsed lines, applies the entry gates, calls the sink and counts the lines.
final class LineTally {
    /// The most values of a line; real lists have some tens.
    static final int MAX_VALUES = 1_000;

    /// The most keys of a feed beyond one for each value: 4,096 ranges of 256 addresses in a list of hosts.
    static final int MAX_EXPANDED = 1 << 20;

    private static final String WILDCARD = "*.";

    private final Feed feed;
    private final FeedKeys keys;
    private final EntryGates gates;
    private final WatchedSink sink;

    private long lines;
    private long entries;
    private long comments;
    private long rejects;
    private long unsupported;
    private long held;
    private long acceptedKeys;
    private long expandedKeys;

    /// Thrown if ranges become too many keys.
    static final class TooManyKeysException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private TooManyKeysException() {
            super("ranges that become more than " + MAX_EXPANDED + " keys: a list of networks needs kind network");
        }
    }

    LineTally(Feed feed, FeedKeys keys, EntryGates gates, WatchedSink sink) {
        this.feed = feed;
        this.keys = keys;
        this.gates = gates;
        this.sink = sink;
    }

    /// @param span number of lines that were parsed together, from this one on
    /// @param text of the first line, for the excerpt of a reject
    void add(long line, int span, ParsedLine parsed, String text) {
        lines += span;
        switch (parsed) {
            case ParsedLine.Comment _ -> comments += span;
            case ParsedLine.Exceptions(List<String> values) -> except(line, span, values, text);
            case ParsedLine.Unreadable(String reason) -> count(span, reject(line, reason, text));
            case ParsedLine.Values values
            when values.values().size() > MAX_VALUES ->
                count(span, reject(line, "more than " + MAX_VALUES + " values in a line", text));
            case ParsedLine.Values values -> count(span, addAll(line, values, text));
        }
        requireFewExpanded();
    }

    private void requireFewExpanded() {
        if (expandedKeys > MAX_EXPANDED) {
            throw new TooManyKeysException();
        }
    }

    /// Adds a line that is one key without conversion.
    void addPlain(long line, KeyKind kind, byte[] bytes, int from, int to, long count) {
        sink.addKey(line, kind, bytes, from, to, count);
        lines++;
        entries++;
        acceptedKeys++;
    }

    /// Adds an exception. It counts as a comment, as it lists nothing, and passes no gate.
    private void except(long line, int span, List<String> values, String text) {
        boolean accepted = false;
        for (String value : values.subList(0, Math.min(values.size(), MAX_VALUES))) {
            for (FeedValue restored : FeedValue.restore(feed.kind(), value)) {
                Optional<Key> key = keyOf(restored)
                        .toKey()
                        .filter(LineTally::canBeExcepted)
                        .map(made -> isBelow(restored, value) ? ListExceptions.below(made) : made);
                key.ifPresent(made -> sink.except(line, made));
                accepted |= key.isPresent();
            }
        }
        if (accepted) {
            comments += span;
        } else {
            count(span, reject(line, ParsedLine.UNSUPPORTED + "an exception of what cannot be listed", text));
        }
    }

    private static boolean canBeExcepted(Key key) {
        return switch (key.kind()) {
            case DOMAIN, URL, NETWORK -> true;
            default -> false;
        };
    }

    /// The result for a value. A line with several values counts as the last of their results in this order.
    private enum Result {
        REJECTED,
        UNSUPPORTED,
        HELD,
        ACCEPTED
    }

    private void count(int span, Result result) {
        switch (result) {
            case ACCEPTED -> entries += span;
            case HELD -> held += span;
            case REJECTED -> rejects += span;
            case UNSUPPORTED -> {
                rejects += span;
                unsupported += span;
            }
        }
    }

    /// The best result of any value.
    private Result addAll(long line, ParsedLine.Values values, String text) {
        Result best = Result.REJECTED;
        // Only a network of rbldnsd becomes several values before it is here.
        expandedKeys += feed.format() == FeedFormat.RBLDNSD ? values.values().size() - 1 : 0;
        for (String value : values.values()) {
            Result result = addValue(line, value, values.count(), text);
            best = result.compareTo(best) > 0 ? result : best;
        }
        return best;
    }

    /// If reading a value throws an exception, only that value is rejected.
    private Result addValue(long line, String value, long count, String text) {
        Result best = Result.REJECTED;
        if (value.startsWith(WILDCARD) && feed.format().hasNoWildcards()) {
            return reject(line, ParsedLine.UNSUPPORTED + "a wildcard, which the format does not have", text);
        }
        try {
            List<FeedValue> all = FeedValue.restore(feed.kind(), value);
            expandedKeys += all.size() - 1;
            for (FeedValue restored : all) {
                boolean below = isBelow(restored, value);
                Result result = gate(line, restored, below, count, text);
                best = result.compareTo(best) > 0 ? result : best;
            }
        } catch (RuntimeException fault) {
            sink.rethrow(fault);
            return reject(line, FeedRefusedException.describe(fault), text);
        } catch (StackOverflowError fault) {
            return reject(line, FeedRefusedException.describe(fault), text);
        }
        return best;
    }

    /// Whether a value means only the names below a domain.
    private boolean isBelow(FeedValue restored, String value) {
        return restored.kind() == KeyKind.DOMAIN && feed.format().hasWildcardsBelow() && value.startsWith(WILDCARD);
    }

    private Result reject(long line, String reason, String text) {
        sink.reject(line, reason, Excerpt.of(feed, text));
        return reason.startsWith(ParsedLine.UNSUPPORTED) ? Result.UNSUPPORTED : Result.REJECTED;
    }

    private FeedKey keyOf(FeedValue value) {
        return switch (feed.format()) {
            case SHA1, SHA1_COUNT ->
                PasswordDigest.ofHex(value.text())
                        .<FeedKey>map(FeedKey.Taken::new)
                        .orElseGet(() -> new FeedKey.Rejected("not a SHA-1"));
            case NTLM_COUNT ->
                PasswordDigest.ofNtlmHex(value.text())
                        .<FeedKey>map(FeedKey.Taken::new)
                        .orElseGet(() -> new FeedKey.Rejected("not an NTLM digest"));
            case LINES, CIDR, HOSTS, ADBLOCK, WILDCARD, DNSMASQ, UNBOUND, RPZ, BIND, RBLDNSD, CSV, JSON, STIX, MISP ->
                keys.of(value.kind(), value.text());
        };
    }

    private Result gate(long line, FeedValue value, boolean below, long count, String text) {
        return switch (keyOf(value)) {
            case FeedKey.Taken(Key made) -> allowed(line, made, below, count);
            case FeedKey.Held(Key made, String reason) -> {
                sink.hold(line, reason, made);
                yield Result.HELD;
            }
            case FeedKey.Rejected(String reason) ->
                reject(
                        line,
                        OtherKind.is(feed.kind(), value.text())
                                ? ParsedLine.UNSUPPORTED + "of another kind, " + reason
                                : reason,
                        text);
        };
    }

    private Result allowed(long line, Key key, boolean below, long count) {
        Optional<String> reason = gates.findHoldReason(feed, key);
        if (reason.isPresent()) {
            sink.hold(line, reason.get(), key);
            return Result.HELD;
        }
        if (below) {
            sink.addBelow(line, key);
        } else {
            sink.addKey(line, key, count);
        }
        acceptedKeys++;
        return Result.ACCEPTED;
    }

    /// Adds the entries of lines that another tally counted.
    ///
    /// @param before number of lines before the first one of them
    void add(BufferedEntries buffered, long before, LineTally other) {
        expandedKeys += other.expandedKeys;
        requireFewExpanded();
        buffered.passTo(sink, before);
        lines += other.lines;
        entries += other.entries;
        comments += other.comments;
        rejects += other.rejects;
        unsupported += other.unsupported;
        held += other.held;
        acceptedKeys += other.acceptedKeys;
    }

    FeedCounts counts() {
        return new FeedCounts(lines, entries, comments, rejects, unsupported, held, acceptedKeys);
    }
}
