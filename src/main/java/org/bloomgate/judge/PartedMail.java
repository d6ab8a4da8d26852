package org.bloomgate.judge;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.disk.Sha256;

/// Remembers which sender's mail to which recipients was answered 451 because their rulings differ, so that it is
/// told who goes apart when the client comes again, and is never put off a third time.
///
/// Bounded: [#MAX_PAIRS] pairs, [#MAX_APART] recipients apart each, some 20 MB in all. What does not fit is not put off
/// at all, so that a sender who makes up pairs can only spare others a delay and never costs them a mail; nobody is
/// pushed out before [#FORGOTTEN_AFTER]. In memory alone: a restart costs a 451 more. Thread-safe; without a pair in
/// it, asking costs one read.
public final class PartedMail {
    static final int MAX_PAIRS = 20_000;
    static final int MAX_APART = 100;

    /// Clients try again for the first time within minutes, and mostly within the hour (RFC 5321 4.5.4.1).
    static final Duration FORGOTTEN_AFTER = Duration.ofHours(4);

    private final InstantSource clock;
    /// The oldest first.
    private final LinkedHashMap<String, Pair> byAll = new LinkedHashMap<>();

    private final Map<String, Pair> byBeginning = new HashMap<>();
    private volatile boolean empty = true;

    public PartedMail(InstantSource clock) {
        this.clock = clock;
    }

    /// A reverse-path with all of its forward-paths, that was answered 451 once.
    static final class Pair {
        private final String all;
        private final String beginning;
        private final long[] apart;
        private final Instant since;

        private Pair(String all, String beginning, long[] apart, Instant since) {
            this.all = all;
            this.beginning = beginning;
            this.apart = apart;
            this.since = since;
        }

        /// Whether this recipient is sent to on its own.
        boolean goesApart(String mailbox) {
            return Arrays.binarySearch(apart, number(mailbox)) >= 0;
        }
    }

    /// True while nobody is to be told anything at RCPT.
    boolean isEmpty() {
        return empty;
    }

    /// The pair that these recipients are the beginning of, in the order they came in, where the last one is the first
    /// that goes apart. It is answered so once: asked again, nothing is known of it.
    Optional<Pair> beginning(String reversePath, List<String> recipients) {
        String key = key(reversePath, recipients);
        synchronized (this) {
            forgetOld();
            return Optional.ofNullable(byBeginning.remove(key));
        }
    }

    /// True when this was the first time, and the client is to come again.
    ///
    /// @param apart those of the recipients that are sent to on their own, in the same order
    boolean putOff(String reversePath, List<String> recipients, List<String> apart) {
        String all = key(reversePath, sorted(recipients));
        int first = recipients.indexOf(apart.getFirst());
        Pair pair = new Pair(
                all,
                key(reversePath, recipients.subList(0, first + 1)),
                apart.stream().mapToLong(PartedMail::number).sorted().toArray(),
                clock.instant());
        Pair rest = new Pair(key(reversePath, sorted(apart)), "", new long[0], pair.since);
        synchronized (this) {
            forgetOld();
            if (byAll.containsKey(all) || byAll.size() + 2 > MAX_PAIRS || apart.size() > MAX_APART) {
                return false;
            }
            remember(pair);
            byBeginning.put(pair.beginning, pair);
            if (apart.size() > 1) {
                remember(rest);
            }
            return true;
        }
    }

    private void remember(Pair pair) {
        byAll.putIfAbsent(pair.all, pair);
        empty = false;
    }

    /// A clean message came of this sender to these recipients: the next one is a new message.
    void clean(String reversePath, List<String> recipients) {
        if (!empty) {
            String all = key(reversePath, sorted(recipients));
            synchronized (this) {
                Optional.ofNullable(byAll.get(all)).ifPresent(this::forget);
            }
        }
    }

    synchronized void forget(Pair pair) {
        byAll.remove(pair.all, pair);
        byBeginning.remove(pair.beginning, pair);
        empty = byAll.isEmpty();
    }

    private void forgetOld() {
        Instant before = clock.instant().minus(FORGOTTEN_AFTER);
        while (!byAll.isEmpty() && byAll.firstEntry().getValue().since.isBefore(before)) {
            forget(byAll.firstEntry().getValue());
        }
    }

    /// Pairs remembered now.
    synchronized int size() {
        return byAll.size();
    }

    private static List<String> sorted(List<String> recipients) {
        return recipients.stream().sorted().toList();
    }

    /// No path holds a line end.
    private static String key(String reversePath, List<String> recipients) {
        return HexFormat.of().formatHex(digest(reversePath + "\n" + String.join("\n", recipients)), 0, 16);
    }

    private static long number(String mailbox) {
        return ByteBuffer.wrap(digest(mailbox)).getLong();
    }

    private static byte[] digest(String text) {
        return Sha256.of(text.getBytes(StandardCharsets.UTF_8));
    }
}
