package org.bloomgate.lookup.local;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.lookup.local.EntryText.Field;
import org.bloomgate.lookup.tier.Entry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EntryStatusTest {
    private static final String UNMET = "never hit in 90 days";
    private static final Set<String> FEEDS = Set.of("one", "local");

    @TempDir
    private Path folder;

    private Instant now = Instant.parse("2026-01-02T03:04:05Z");
    private LocalEntries entries = LocalEntries.NONE;

    @BeforeEach
    void begin() throws Exception {
        except("domain", "shop.example", "", "", "", "");
        hits().save(entries);
    }

    private ExceptionHits hits() {
        return new ExceptionHits(folder, () -> now);
    }

    private Entry except(String kind, String value, String match, String feed, String sender, String expires)
            throws EntryRefusedException {
        Entry made = EntryParser.parse(
                EntryTexts.of(kind, value)
                        .with(Field.MATCH, match)
                        .with(Field.FEED, feed)
                        .with(Field.SENDER, sender)
                        .with(Field.EXPIRES, expires),
                Entry.Type.EXCEPTION,
                now);
        entries = entries.with(made);
        return made;
    }

    private static void meet(ExceptionHits hits, Entry exception) {
        hits.recordHit(exception.key(), exception.scope());
    }

    private List<String> remarks(String value) {
        return EntryStatus.exceptions(entries, RemoteEntries.NONE, hits(), FEEDS).stream()
                .filter(line -> line.text().get(Field.VALUE).equals(value))
                .flatMap(line -> line.remarks().stream())
                .toList();
    }

    @Test
    void whatNobodyMetInNinetyDaysIsSaidToBeUnmet() {
        now = now.plus(ExceptionHits.UNUSED_AFTER);
        assertEquals(List.of(), remarks("shop.example"));
        now = now.plus(Duration.ofSeconds(1));
        assertEquals(List.of(UNMET), remarks("shop.example"));
    }

    @Test
    void aHitCountsForNinetyDaysAndOutlivesTheProcess() {
        now = now.plus(Duration.ofDays(60));
        ExceptionHits hits = hits();
        meet(hits, entries.all().getFirst());
        hits.save(entries);
        now = now.plus(Duration.ofDays(90));
        assertEquals(List.of(), remarks("shop.example"));
        assertEquals(
                Optional.of("2026-03-03"),
                EntryStatus.exceptions(entries, RemoteEntries.NONE, hits(), FEEDS)
                        .getFirst()
                        .lastHit());
        now = now.plus(Duration.ofDays(1));
        assertEquals(List.of(UNMET), remarks("shop.example"));
    }

    @Test
    void hitsOfTwoProcessesAreKeptTogether() throws Exception {
        Entry other = except("domain", "other.example", "", "", "", "");
        ExceptionHits one = hits();
        ExceptionHits two = hits();
        meet(one, entries.all().getFirst());
        meet(two, other);
        one.save(entries);
        two.save(entries);
        assertEquals(Optional.of(true), hits().lastHit(other).map(day -> true));
        assertEquals(Optional.of(true), hits().lastHit(entries.all().getFirst()).map(day -> true));
    }

    @Test
    void anExceptionThatWasRemovedLeavesNothing() {
        ExceptionHits hits = hits();
        Entry made = entries.all().getFirst();
        meet(hits, made);
        hits.save(LocalEntries.NONE);
        assertEquals(Optional.empty(), hits().lastHit(made));
    }

    @Test
    void withoutARecordOfNinetyDaysNothingIsSaidToBeUnmet() throws IOException {
        Files.delete(folder.resolve(ExceptionHits.NAME));
        now = now.plus(Duration.ofDays(400));
        assertEquals(List.of(), remarks("shop.example"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "null", "[]", "{\"since\":\"2020-01-01\"}", "{\"since\":\"x\",\"days\":{}}", "\u0000"})
    void aDamagedRecordBeginsAnew(String bytes) throws IOException {
        Files.writeString(folder.resolve(ExceptionHits.NAME), bytes);
        now = now.plus(Duration.ofDays(400));
        assertEquals(List.of(), remarks("shop.example"));
        hits().save(entries);
        now = now.plus(Duration.ofDays(91));
        assertEquals(List.of(UNMET), remarks("shop.example"));
    }

    @Test
    void aRecordBeyondItsBoundBeginsAnew() throws IOException {
        Path file = folder.resolve(ExceptionHits.NAME);
        String whole = Files.readString(file);
        now = now.plus(Duration.ofDays(400));
        Files.writeString(file, whole + " ".repeat(ExceptionHits.MAX_BYTES - whole.length()));
        assertEquals(List.of(UNMET), remarks("shop.example"));
        Files.writeString(file, whole + " ".repeat(ExceptionHits.MAX_BYTES - whole.length() + 1));
        assertEquals(List.of(), remarks("shop.example"));
    }

    @Test
    void theRecordIsBoundedByTheExceptionsThatThereMayBe() {
        int longest = "\"0123456789abcdef0123456789abcdef\":\"2026-01-02\",".length();
        assertEquals(true, LocalEntries.MAX_ENTRIES * (long) longest < ExceptionHits.MAX_BYTES);
    }

    @Test
    void anExceptionOfAFeedThatThereIsNotIsNamed() throws Exception {
        except("domain", "a.example", "", "one", "", "");
        except("domain", "b.example", "", "gone", "", "");
        assertEquals(List.of(), remarks("a.example"));
        assertEquals(List.of("there is no feed gone"), remarks("b.example"));
    }

    @Test
    void anExceptionThatAWiderOneCoversIsNamed() throws Exception {
        except("domain", "www.shop.example", "", "one", "from.example", "7d");
        except("address", "ada@shop.example", "", "", "", "");
        except("network", "192.0.2.0/24", "exact", "", "", "");
        except("network", "192.0.2.0/25", "", "", "", "");
        assertEquals(List.of("covered by that of shop.example"), remarks("www.shop.example"));
        assertEquals(List.of("covered by that of shop.example"), remarks("ada@shop.example"));
        assertEquals(List.of("covered by that of 192.0.2.0/24"), remarks("192.0.2.0/25"));
        assertEquals(List.of(), remarks("shop.example"));
    }

    @Test
    void whatAWiderOneDoesNotReachIsNotCovered() throws Exception {
        except("domain", "only.example", "exact", "", "", "");
        except("domain", "www.only.example", "", "", "", "");
        except("domain", "short.example", "", "", "", "7d");
        except("domain", "www.short.example", "", "", "", "");
        except("domain", "narrow.example", "", "one", "", "");
        except("domain", "www.narrow.example", "", "", "", "");
        except("", "", "", "", "shop.example", "");
        for (String value : List.of("www.only.example", "www.short.example", "www.narrow.example", "shop.example")) {
            assertEquals(List.of(), remarks(value), value);
        }
    }

    @Test
    void aLocalListingThatNeverCountsIsNamed() throws Exception {
        entries = entries.with(EntryTexts.listing("shop.example", now));
        assertEquals(List.of("a local listing of it never counts"), remarks("shop.example"));
    }
}
