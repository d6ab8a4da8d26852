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
import org.bloomgate.lists.fetch.FeedRefusedException;

/// Takes parsed lines, makes their keys, applies the entry gates, calls the sink and counts.
final class LineTally {
    /// Real lists have some tens in a line.
    static final int MOST_VALUES = 1_000;

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
    private long taken;

    LineTally(Feed feed, FeedKeys keys, EntryGates gates, WatchedSink sink) {
        this.feed = feed;
        this.keys = keys;
        this.gates = gates;
        this.sink = sink;
    }

    /// @param span how many lines from this one on were parsed together
    /// @param text of the first line, for the excerpt of a reject
    void take(long line, int span, ParsedLine parsed, String text) {
        lines += span;
        switch (parsed) {
            case ParsedLine.Comment _ -> comments += span;
            case ParsedLine.Exempt(List<String> values) -> except(line, span, values, text);
            case ParsedLine.Unreadable(String reason) -> count(span, reject(line, reason, text));
            case ParsedLine.Values values
            when values.values().size() > MOST_VALUES ->
                count(span, reject(line, "more than " + MOST_VALUES + " values in a line", text));
            case ParsedLine.Values values -> count(span, takeAll(line, values, text));
        }
    }

    /// Takes a line that is one key without conversion.
    void takePlain(long line, KeyKind kind, byte[] bytes, int from, int to, long count) {
        sink.key(line, kind, bytes, from, to, count);
        lines++;
        entries++;
        taken++;
    }

    /// Counts as a comment: it lists nothing. No gate has a say.
    private void except(long line, int span, List<String> values, String text) {
        boolean taken = false;
        for (String value : values.subList(0, Math.min(values.size(), MOST_VALUES))) {
            for (FeedValue restored : FeedValue.restored(feed.kind(), value)) {
                Optional<Key> key = keyOf(restored).made().filter(LineTally::canBeExcepted);
                key.ifPresent(made -> sink.except(line, made));
                taken |= key.isPresent();
            }
        }
        if (taken) {
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

    /// In order of what a line with several values counts as.
    private enum Fate {
        REJECTED,
        UNSUPPORTED,
        HELD,
        TAKEN
    }

    private void count(int span, Fate fate) {
        switch (fate) {
            case TAKEN -> entries += span;
            case HELD -> held += span;
            case REJECTED -> rejects += span;
            case UNSUPPORTED -> {
                rejects += span;
                unsupported += span;
            }
        }
    }

    /// The best that became of any value.
    private Fate takeAll(long line, ParsedLine.Values values, String text) {
        Fate best = Fate.REJECTED;
        for (String value : values.values()) {
            Fate fate = takeValue(line, value, values.count(), text);
            best = fate.compareTo(best) > 0 ? fate : best;
        }
        return best;
    }

    /// A value that makes its reader throw costs itself alone.
    private Fate takeValue(long line, String value, long count, String text) {
        Fate best = Fate.REJECTED;
        try {
            for (FeedValue restored : FeedValue.restored(feed.kind(), value)) {
                Fate fate = gate(line, restored, count, text);
                best = fate.compareTo(best) > 0 ? fate : best;
            }
        } catch (RuntimeException fault) {
            sink.rethrow(fault);
            return reject(line, FeedRefusedException.describe(fault), text);
        } catch (StackOverflowError fault) {
            return reject(line, FeedRefusedException.describe(fault), text);
        }
        return best;
    }

    private Fate reject(long line, String reason, String text) {
        sink.reject(line, reason, Excerpt.of(feed, text));
        return reason.startsWith(ParsedLine.UNSUPPORTED) ? Fate.UNSUPPORTED : Fate.REJECTED;
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

    private Fate gate(long line, FeedValue value, long count, String text) {
        return switch (keyOf(value)) {
            case FeedKey.Taken(Key made) -> allowed(line, made, count);
            case FeedKey.Held(Key made, String reason) -> {
                sink.held(line, reason, made);
                yield Fate.HELD;
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

    private Fate allowed(long line, Key key, long count) {
        Optional<String> reason = gates.holding(feed, key);
        if (reason.isPresent()) {
            sink.held(line, reason.get(), key);
            return Fate.HELD;
        }
        sink.key(line, key, count);
        taken++;
        return Fate.TAKEN;
    }

    /// Takes what was made of lines elsewhere.
    ///
    /// @param before lines before the first one of them
    void take(KeptEntries kept, long before, FeedCounts counted) {
        kept.tell(before, sink);
        lines += counted.lines();
        entries += counted.entries();
        comments += counted.comments();
        rejects += counted.rejects();
        unsupported += counted.unsupported();
        held += counted.held();
        taken += counted.keys();
    }

    FeedCounts counts() {
        return new FeedCounts(lines, entries, comments, rejects, unsupported, held, taken);
    }
}
