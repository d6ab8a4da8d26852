package org.bloomgate.lookup.local;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lookup.local.EntryText.Field;
import org.bloomgate.lookup.tier.Entry;

/// Entries as a publisher sends them to its mirrors: an [EntryText] as JSON a line, without reason and author,
/// as every client of a publisher could read them.
///
/// Received lines are untrusted input, signed or not. A line that an operator could not have entered here in
/// canonical form is left out; the other lines count. So a kind of key that only the publisher knows does no harm.
///
/// @param entries that are valid here
/// @param firstErrors the first invalid lines with their errors
/// @param leftOut number of invalid lines
public record SharedLines(LocalEntries entries, List<String> firstErrors, int leftOut) {
    /// The author of entries that come from a publisher.
    static final String AUTHOR = "publisher";

    static final int MAX_LINE_CHARS = 16 * 1024;

    private static final int MAX_ERRORS = 5;
    private static final Instant EARLIEST = Instant.parse("2000-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("9999-01-01T00:00:00Z");
    private static final Duration CLOCK_SKEW = Duration.ofDays(1);
    private static final Pattern PASSWORD = Pattern.compile("[0-9A-F]{40}");

    public SharedLines {
        firstErrors = List.copyOf(firstErrors);
    }

    public static String write(LocalEntries entries) {
        byte[] lines = LocalFormat.writeLines(entries.all().stream().map(SharedLines::shared));
        return new String(lines, StandardCharsets.UTF_8);
    }

    /// Without the author and the reason, which stay where the entry was made.
    private static EntryText shared(Entry entry) {
        return EntryText.of(entry).with(Field.REASON, "").with(Field.AUTHOR, "").with(Field.ERROR, "");
    }

    /// A received line as if an operator had typed it here. An unauthenticated exception needs a reason, which is
    /// not sent.
    private static EntryText typed(EntryText line) {
        return line.with(Field.AUTHOR, AUTHOR).with(Field.REASON, line.isAuthenticated() ? "" : "unauthenticated");
    }

    public static SharedLines read(String lines, Instant now) {
        Reading reading = new Reading(now);
        lines.lines().forEach(reading::add);
        return new SharedLines(new LocalEntries(reading.entries), reading.firstErrors, reading.leftOut);
    }

    private static final class Reading {
        private final Instant now;
        private final List<Entry> entries = new ArrayList<>();
        private final Set<Entry.Place> places = new HashSet<>();
        private final List<String> firstErrors = new ArrayList<>();
        private int leftOut;
        private int number;

        Reading(Instant now) {
            this.now = now;
        }

        void add(String line) {
            number++;
            try {
                if (entries.size() == LocalEntries.MAX_ENTRIES) {
                    throw new EntryRefusedException("more than " + LocalEntries.MAX_ENTRIES + " entries");
                }
                Entry entry = parse(line, now);
                if (!places.add(entry.place())) {
                    throw new EntryRefusedException("the same a second time");
                }
                entries.add(entry);
            } catch (EntryRefusedException refused) {
                leftOut++;
                if (firstErrors.size() < MAX_ERRORS) {
                    firstErrors.add("line " + number + ": " + refused.getMessage());
                }
            }
        }
    }

    private static Entry parse(String json, Instant now) throws EntryRefusedException {
        if (json.length() > MAX_LINE_CHARS) {
            throw new EntryRefusedException("longer than " + MAX_LINE_CHARS + " characters");
        }
        try {
            EntryText line = LocalFormat.parseLine(json);
            Entry received = line.entry();
            EntryText text = typed(line);
            if (!hasPossibleTimes(received, now)) {
                throw new EntryRefusedException("of a time that cannot be");
            }
            return received.key().kind() == KeyKind.PASSWORD
                    ? password(received, text)
                    : requireCanonical(
                            received,
                            EntryParser.parse(
                                    text, received.type(), received.terms().added()));
        } catch (JsonProcessingException | IllegalArgumentException | DateTimeException malformed) {
            throw new EntryRefusedException("no entry that is known here");
        }
    }

    private static boolean hasPossibleTimes(Entry entry, Instant now) {
        return entry.terms().added().isAfter(EARLIEST)
                && entry.terms().added().isBefore(now.plus(CLOCK_SKEW))
                && entry.terms().until().map(LATEST::isAfter).orElse(true);
    }

    private static Entry requireCanonical(Entry received, Entry parsed) throws EntryRefusedException {
        if (!parsed.key().equals(received.key())) {
            throw new EntryRefusedException("not in canonical form");
        }
        return parsed;
    }

    /// The entry of a password has the digest as its value, as the password is unknown.
    private static Entry password(Entry received, EntryText text) throws EntryRefusedException {
        Entry.Scope scope = EntryParser.scope(text);
        if (!PASSWORD.matcher(received.key().text()).matches()
                || scope.recipientDomain().isPresent()
                || scope.sender().isPresent()) {
            throw new EntryRefusedException("no password");
        }
        return new Entry(
                received.type(),
                received.key(),
                received.match(),
                scope,
                new Entry.Terms(
                        "",
                        AUTHOR,
                        received.terms().added(),
                        received.terms().until(),
                        received.terms().error(),
                        true));
    }
}
