package org.bloomgate.lookup.local;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.bloomgate.lookup.local.EntryText.Field;
import org.bloomgate.lookup.tier.Entry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RemoteEntriesTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    @TempDir
    private Path folder;

    private static Entry entry(Entry.Type type, String domain, String category) throws EntryRefusedException {
        return EntryParser.parse(EntryTexts.of("domain", domain).with(Field.CATEGORY, category), type, NOW);
    }

    private static LocalEntries listings(String... domains) throws EntryRefusedException {
        LocalEntries all = LocalEntries.NONE;
        for (String domain : domains) {
            all = all.with(entry(Entry.Type.LISTING, domain, ""));
        }
        return all;
    }

    private static List<String> marks(List<EntryStatus> lines) {
        return lines.stream()
                .map(line -> line.text().get(Field.VALUE) + " " + line.mark())
                .toList();
    }

    @Test
    void whatMirrorsWereToldIsMarkedAndWhatTheyWereNotToldYetIsNot() throws EntryRefusedException {
        LocalEntries here = listings("told.example", "new.example");
        RemoteEntries mirrors = new RemoteEntries(LocalEntries.NONE, listings("told.example", "gone.example"));
        assertEquals(List.of("told.example published", "new.example "), marks(EntryStatus.listings(here, mirrors)));
        assertEquals(List.of(), EntryStatus.publisherListings(here, mirrors));
    }

    @Test
    void ofTheSameValueWhatIsSaidHereOverrulesWhatThePublisherSays() throws EntryRefusedException {
        LocalEntries here = listings("both.example", "here.example");
        RemoteEntries publisher = new RemoteEntries(listings("there.example", "both.example"), LocalEntries.NONE);
        assertEquals(List.of("both.example overrules", "here.example "), marks(EntryStatus.listings(here, publisher)));
        assertEquals(
                List.of("there.example publisher", "both.example overruled"),
                marks(EntryStatus.publisherListings(here, publisher)));
    }

    @Test
    void anExceptionIsOverruledByOneOfTheSameScopeAlone() throws EntryRefusedException {
        LocalEntries here = LocalEntries.NONE.with(entry(Entry.Type.EXCEPTION, "a.example", "malware"));
        LocalEntries theirs = LocalEntries.NONE
                .with(entry(Entry.Type.EXCEPTION, "a.example", "malware"))
                .with(entry(Entry.Type.EXCEPTION, "a.example", "phishing"));
        RemoteEntries publisher = new RemoteEntries(theirs, LocalEntries.NONE);
        ExceptionHits hits = new ExceptionHits(folder, () -> NOW);
        assertEquals(
                List.of("malware overruled", "phishing publisher"),
                EntryStatus.publisherExceptions(here, publisher, hits).stream()
                        .map(line -> line.text().get(Field.CATEGORY) + " " + line.mark())
                        .toList());
        assertEquals(
                List.of("overrules"),
                EntryStatus.exceptions(here, publisher, hits, Set.of()).stream()
                        .map(EntryStatus::mark)
                        .toList());
    }
}
