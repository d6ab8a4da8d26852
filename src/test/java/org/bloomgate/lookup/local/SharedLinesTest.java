package org.bloomgate.lookup.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.lookup.local.EntryText.Field;
import org.bloomgate.lookup.tier.Entry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SharedLinesTest {
    private static final Instant NOW = Instant.parse("2026-11-21T02:03:05Z");
    private static final String WELL = line("domain", "bad.example", "");

    private static String line(String kind, String value, String more) {
        return "{\"type\":\"listing\",\"kind\":\"%s\",\"value\":\"%s\",\"match\":\"suffix\",\"added\":\"2026-11-20T00:00:00Z\"%s}\n"
                .formatted(kind, value, more);
    }

    private static SharedLines read(String text) {
        return SharedLines.read(text, NOW);
    }

    private static String typed(KeyKind kind) {
        return switch (kind) {
            case ADDRESS -> "Ada@Bad.Example";
            case DOMAIN -> "Bad.Example";
            case URL -> "http://Bad.Example/a?b=c";
            case PASSWORD -> "hunter2";
            case HASH -> "ab".repeat(32);
            case KEYWORD -> "Lottery";
            case NETWORK -> "192.0.2.0/24";
            case DOMAIN_SHA1, ADDRESS_SHA1 -> "ab".repeat(20);
            case PHONE -> "+1 201 555 0123";
        };
    }

    @ParameterizedTest
    @EnumSource
    void anEntryOfEachKindComesAsItWasTypedWithoutWhoAndWhy(KeyKind kind) throws Exception {
        Entry entry = EntryParser.parse(
                EntryTexts.of(kind.label(), typed(kind))
                        .with(Field.MATCH, "exact")
                        .with(Field.CATEGORY, "spam")
                        .with(Field.REASON, "because")
                        .with(Field.EXPIRES, "7d"),
                Entry.Type.LISTING,
                NOW);
        String lines = SharedLines.write(new LocalEntries(List.of(entry)));
        assertFalse(lines.contains("ada\""), lines);
        assertFalse(lines.contains("because"));
        SharedLines read = SharedLines.read(lines, NOW);
        assertEquals(List.of(), read.firstErrors());
        Entry came = read.entries().all().getFirst();
        assertEquals(entry.key(), came.key());
        assertEquals(Match.EXACT, came.match());
        assertEquals(entry.scope(), came.scope());
        assertEquals(entry.terms().until(), came.terms().until());
        assertEquals(SharedLines.AUTHOR, came.terms().author());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nonsense",
                "null",
                "[]",
                "{\"type\":\"listing\"}",
                "{\"type\":\"word\",\"kind\":\"domain\",\"value\":\"bad.example\",\"match\":\"suffix\",\"added\":\"2026-11-20T00:00:00Z\"}"
            })
    void aLineThatIsNoEntryIsLeftOutAlone(String line) {
        assertLeftOut(line + "\n", "no entry that is known here");
    }

    private static void assertLeftOut(String line, String why) {
        SharedLines read = read(line + WELL);
        assertEquals(1, read.entries().size());
        assertEquals(List.of("line 1: " + why), read.firstErrors());
        assertEquals(1, read.leftOut());
    }

    @Test
    void whatNobodyCouldHaveTypedHereIsLeftOut() {
        assertLeftOut(line("planet", "mars", ""), "no entry that is known here");
        assertLeftOut(line("domain", "EVIL.example", ""), "not in canonical form");
        assertLeftOut(line("domain", "", ""), "no entry that is known here");
        assertTrue(read(line("domain", "com", "")).firstErrors().getFirst().contains("the value is"));
        assertTrue(read(line("domain", "a b", "")).firstErrors().getFirst().contains("the value is"));
        assertLeftOut(
                line("domain", "evil.example", ",\"category\":\"a\\nb\""),
                "the category must be 1 to 64 of A-Z a-z 0-9 . _ -");
        assertLeftOut(line("password", "ABAB", ""), "no password");
        assertLeftOut(line("password", "ab".repeat(20), ""), "no password");
        assertLeftOut(
                line("domain", "bad.example", "").replace("2026-11-20", "2028-11-20"), "of a time that cannot be");
        assertLeftOut(
                line("domain", "bad.example", "").replace("2026-11-20", "+1000000000-11-20"),
                "of a time that cannot be");
        assertLeftOut(
                line("domain", "bad.example", ",\"expires\":\"+1000000000-01-01T00:00:00Z\""),
                "of a time that cannot be");
    }

    @Test
    void theSameASecondTimeIsLeftOut() {
        SharedLines read = read(WELL + WELL);
        assertEquals(1, read.entries().size());
        assertEquals(List.of("line 2: the same a second time"), read.firstErrors());
    }

    @Test
    void aLineIsReadUpToItsBoundAndNotBeyond() {
        String at = line("domain", "evil.example", ",\"nothing\":\"\"").strip();
        int missing = SharedLines.MAX_LINE_CHARS - at.length();
        assertEquals(
                2,
                read(at.replace("\"nothing\":\"", "\"nothing\":\"" + "x".repeat(missing)) + "\n" + WELL)
                        .entries()
                        .size());
        assertLeftOut(
                at.replace("\"nothing\":\"", "\"nothing\":\"" + "x".repeat(missing + 1)) + "\n",
                "longer than 16384 characters");
    }

    @Test
    void asManyEntriesAreReadAsMayBeTypedAndNoMore() {
        String most = IntStream.range(0, LocalEntries.MAX_ENTRIES + 6)
                .mapToObj(i -> line("hash", "%064x".formatted(i), ""))
                .collect(Collectors.joining());
        SharedLines read = read(most);
        assertEquals(LocalEntries.MAX_ENTRIES, read.entries().size());
        assertEquals(6, read.leftOut());
        assertEquals(5, read.firstErrors().size());
        assertEquals("line 100001: more than 100000 entries", read.firstErrors().getFirst());
    }
}
