package org.bloomgate.lookup.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bloomgate.base.audit.Actor;
import org.bloomgate.core.key.Identifier;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Place;
import org.bloomgate.lookup.local.EntryText.Field;
import org.bloomgate.lookup.tier.Entry;
import org.bloomgate.lookup.tier.LayerLease;
import org.bloomgate.lookup.tier.LookupCounts;
import org.bloomgate.lookup.tier.NoLayers;
import org.bloomgate.lookup.tier.TwoTierLookup;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LiveEntriesTest {
    private static final Actor BY = new Actor("ada", Actor.Way.COMMAND, "");

    @TempDir
    private Path folder;

    private Instant now = Instant.parse("2026-01-02T03:04:05Z");
    private final List<LiveEntries> opened = new ArrayList<>();

    @AfterEach
    void close() {
        opened.forEach(LiveEntries::close);
    }

    private LocalFile file() {
        return new LocalFile(new LocalOptions(folder), () -> now);
    }

    private LiveEntries live() throws IOException {
        LiveEntries live = new LiveEntries(NoLayers::lease, file(), () -> now);
        opened.add(live);
        return live;
    }

    @Test
    void aClockThatLeapsAndComesBackDropsNothing() throws Exception {
        list("evil.example", "7d");
        LiveEntries live = live();
        assertEquals(1, live.entries().size());
        now = now.plus(Duration.ofDays(4000));
        assertEquals(0, live.entries().size());
        now = now.minus(Duration.ofDays(4000));
        assertEquals(1, live.entries().size());
        assertEquals(file().read(), live.entries());
    }

    private void list(String domain, String expires) throws IOException, EntryRefusedException {
        Entry listing = EntryParser.parse(
                EntryTexts.of("domain", domain).with(Field.EXPIRES, expires), Entry.Type.LISTING, now);
        file().change(BY, entries -> entries.with(listing));
    }

    private static String verdict(LayerLease lease, String domain) {
        KeyBatch batch = new KeyBatch();
        batch.begin(new Identifier(KeyKind.DOMAIN, domain, Place.LINK, "link"));
        batch.append(domain).endKey(KeyKind.DOMAIN, true);
        return new TwoTierLookup(Duration.ofSeconds(1), new LookupCounts())
                .evaluate(batch, lease)
                .verdict()
                .kind()
                .label();
    }

    private static String verdict(LiveEntries live, String domain) {
        try (LayerLease lease = live.lease()) {
            return verdict(lease, domain);
        }
    }

    @Test
    void aTransactionKeepsTheEntriesItBeganWith() throws Exception {
        LiveEntries live = live();
        try (LayerLease before = live.lease()) {
            list("bad.example", "");
            live.checkNow();
            assertEquals("unresolved", verdict(before, "bad.example"));
            assertEquals("listed", verdict(live, "bad.example"));
        }
    }

    @Test
    void expiredEntry_ends_droppedFromTheFileAtTheNextChange() throws Exception {
        list("bad.example", "30m");
        LiveEntries live = live();
        assertEquals("listed", verdict(live, "bad.example"));
        now = now.plus(Duration.ofMinutes(30));
        assertEquals("unresolved", verdict(live, "bad.example"));
        assertEquals(LocalEntries.NONE, file().read());
        list("other.example", "");
        assertFalse(Files.readString(file().path()).contains("bad.example"));
    }

    @Test
    void aDamagedFileKeepsWhatWasInForceAndSaysSo() throws Exception {
        list("bad.example", "");
        LiveEntries live = live();
        byte[] bytes = Files.readAllBytes(file().path());
        Files.writeString(file().path(), "rubbish");
        live.checkNow();
        assertEquals("listed", verdict(live, "bad.example"));
        assertTrue(live.fault().orElseThrow().why().contains("not a file of local entries"));
        assertThrows(DamagedFileException.class, () -> list("other.example", ""));
        assertThrows(DamagedFileException.class, this::live);
        assertEquals("rubbish", Files.readString(file().path()));
        Files.write(file().path(), bytes);
        live.checkNow();
        assertEquals(Optional.empty(), live.fault());
    }

    @Test
    void vanishedFile_keepsEntriesAndIsWrittenAtTheNextChange() throws Exception {
        list("bad.example", "");
        LiveEntries live = live();
        Files.delete(file().path());
        live.checkNow();
        assertEquals("listed", verdict(live, "bad.example"));
        assertTrue(live.fault().orElseThrow().why().contains("is gone"));
        Entry more = EntryTexts.listing("more.example", now);
        live.change(BY, entries -> entries.with(more));
        assertEquals(2, file().read().of(Entry.Type.LISTING).size());
        assertEquals(Optional.empty(), live.fault());
    }

    @Test
    void aFileThatVanishedIsNotBegunAnewByACommand() throws Exception {
        list("bad.example", "");
        LiveEntries live = live();
        byte[] bytes = Files.readAllBytes(file().path());
        Files.delete(file().path());
        live.checkNow();
        DamagedFileException gone = assertThrows(DamagedFileException.class, () -> list("other.example", ""));
        assertTrue(String.valueOf(gone.getMessage()).contains("entries.jsonl: is gone"), gone::getMessage);
        assertThrows(DamagedFileException.class, () -> file().read());
        assertThrows(DamagedFileException.class, this::live, "nor does a gateway start without");
        assertFalse(Files.exists(file().path()));
        live.checkNow();
        assertEquals("listed", verdict(live, "bad.example"));
        Files.write(file().path(), bytes);
        live.checkNow();
        assertEquals(Optional.empty(), live.fault());
        list("other.example", "");
        live.checkNow();
        assertEquals("listed", verdict(live, "bad.example"));
        assertEquals("listed", verdict(live, "other.example"));
    }

    @Test
    void whoMovesTheFolderAwayBeginsAnew() throws Exception {
        list("bad.example", "");
        LiveEntries live = live();
        Files.delete(file().path());
        Files.delete(folder.resolve(".lock"));
        live.checkNow();
        assertEquals("listed", verdict(live, "bad.example"), "until the gateway reads another file");
        list("other.example", "");
        live.checkNow();
        assertEquals("unresolved", verdict(live, "bad.example"));
        assertEquals("listed", verdict(live, "other.example"));
        assertEquals("unresolved", verdict(live(), "bad.example"));
    }

    @Test
    void whatWasInForceAndIsNotInTheNextFileIsCounted() throws Exception {
        LocalEntries one = LocalEntries.NONE.with(EntryTexts.listing("one.example", now));
        LocalEntries both = one.with(EntryTexts.exception("two.example", now));
        assertEquals(1, both.countMissingIn(one));
        assertEquals(2, both.countMissingIn(LocalEntries.NONE));
        assertEquals(0, one.countMissingIn(both));
    }

    @Test
    void moreThanTheBoundIsRefused() throws Exception {
        List<Entry> full = new ArrayList<>();
        for (int i = 0; i < LocalEntries.MAX_ENTRIES; i++) {
            Key key = new Key(KeyKind.DOMAIN, "d" + i + ".example");
            full.add(new Entry(
                    Entry.Type.LISTING,
                    key,
                    Match.SUFFIX,
                    Entry.Scope.EVERYTHING,
                    new Entry.Terms("", "ada", now, Optional.empty(), Optional.empty(), true)));
        }
        LocalEntries entries = new LocalEntries(full);
        Entry more = EntryTexts.listing("more.example", now);
        EntryRefusedException refused = assertThrows(EntryRefusedException.class, () -> entries.with(more));
        assertTrue(String.valueOf(refused.getMessage()).contains("no more are taken"));
        Entry again = EntryParser.parse(
                EntryTexts.of("domain", "d7.example").with(Field.AUTHOR, "bob"), Entry.Type.LISTING, now);
        assertEquals(LocalEntries.MAX_ENTRIES, entries.with(again).size());
        file().change(BY, none -> entries);
        LiveEntries live = live();
        assertEquals("listed", verdict(live, "d99999.example"));
        assertEquals("unresolved", verdict(live, "d100000.example"));
    }

    @Test
    void whatIsNoEntryIsRefusedWithAReason() {
        for (EntryText text : List.of(
                EntryTexts.of("colour", "red"),
                EntryTexts.of("domain", " "),
                EntryTexts.of("domain", "co.uk"),
                EntryTexts.of("domain", "x.example").with(Field.MATCH, "regex"),
                EntryTexts.of("domain", "x.example").with(Field.CATEGORY, "a b"),
                EntryTexts.of("domain", "x.example").with(Field.REASON, "two\nlines"),
                EntryTexts.of("domain", "x.example").with(Field.REASON, "x".repeat(501)),
                EntryTexts.of("domain", "x.example").with(Field.EXPIRES, "soon"),
                EntryTexts.of("domain", "x.example").with(Field.EXPIRES, "0d"),
                EntryTexts.of("domain", "x.example").with(Field.EXPIRES, "2026-01-02"),
                EntryTexts.of("domain", "x.example").with(Field.AUTHOR, ""))) {
            assertThrows(
                    EntryRefusedException.class,
                    () -> EntryParser.parse(text, Entry.Type.LISTING, now),
                    () -> text.get(Field.VALUE));
        }
        assertThrows(
                EntryRefusedException.class,
                () -> EntryParser.parse(
                        EntryTexts.of("keyword", "word").with(Field.RECIPIENT_DOMAIN, "to.example"),
                        Entry.Type.EXCEPTION,
                        now));
    }

    @Test
    void anExceptionIsMetByWhatItKeepsFromCountingAndByNothingElse() throws Exception {
        list("bad.example", "");
        Entry exception = EntryTexts.exception("bad.example", now);
        file().change(BY, entries -> entries.with(exception));
        LiveEntries live = live();
        assertEquals("unresolved", verdict(live, "good.example"));
        assertEquals(Optional.empty(), live.hits().lastHit(exception));
        assertEquals("unresolved", verdict(live, "bad.example"));
        assertEquals(Optional.of("2026-01-02"), live.hits().lastHit(exception).map(String::valueOf));
        live.saveHits();
        assertEquals(Optional.of("2026-01-02"), live().hits().lastHit(exception).map(String::valueOf));
    }
}
