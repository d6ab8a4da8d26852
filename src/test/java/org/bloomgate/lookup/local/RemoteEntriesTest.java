package org.bloomgate.lookup.local;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.bloomgate.lookup.tier.Entry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RemoteEntriesTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    @TempDir
    private Path folder;

    private static Entry entry(Entry.Type type, String domain, String category) throws EntryRefusedException {
        return new EntryText("domain", domain, "", "", category, "", "", "", "ada").entry(type, NOW);
    }

    private static LocalEntries listings(String... domains) throws EntryRefusedException {
        LocalEntries all = LocalEntries.NONE;
        for (String domain : domains) {
            all = all.with(entry(Entry.Type.LISTING, domain, ""));
        }
        return all;
    }

    private static List<String> marks(List<ListingLine> lines) {
        return lines.stream()
                .map(line -> line.entry().value() + " " + line.mark())
                .toList();
    }

    @Test
    void whatMirrorsWereToldIsMarkedAndWhatTheyWereNotToldYetIsNot() throws EntryRefusedException {
        LocalEntries here = listings("told.example", "new.example");
        RemoteEntries mirrors = new RemoteEntries(LocalEntries.NONE, listings("told.example", "gone.example"));
        assertEquals(List.of("told.example published", "new.example "), marks(ListingLine.ours(here, mirrors)));
        assertEquals(List.of(), ListingLine.theirs(here, mirrors));
    }

    @Test
    void ofTheSameValueWhatIsSaidHereOverrulesWhatThePublisherSays() throws EntryRefusedException {
        LocalEntries here = listings("both.example", "here.example");
        RemoteEntries publisher = new RemoteEntries(listings("there.example", "both.example"), LocalEntries.NONE);
        assertEquals(List.of("both.example overrules", "here.example "), marks(ListingLine.ours(here, publisher)));
        assertEquals(
                List.of("there.example publisher", "both.example overruled"),
                marks(ListingLine.theirs(here, publisher)));
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
                ExceptionLine.theirs(here, publisher, hits).stream()
                        .map(line -> line.entry().category() + " " + line.mark())
                        .toList());
        assertEquals(
                List.of("overrules"),
                ExceptionLine.ours(here, publisher, hits, Set.of()).stream()
                        .map(ExceptionLine::mark)
                        .toList());
    }
}
