package org.bloomgate.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.bloomgate.base.audit.Actor;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.PasswordDigest;
import org.bloomgate.core.key.Use;
import org.bloomgate.lookup.local.EntryParser;
import org.bloomgate.lookup.local.EntryRefusedException;
import org.bloomgate.lookup.local.EntryText;
import org.bloomgate.lookup.local.EntryText.Field;
import org.bloomgate.lookup.local.EntryTexts;
import org.bloomgate.lookup.local.LiveEntries;
import org.bloomgate.lookup.local.LocalFile;
import org.bloomgate.lookup.local.LocalOptions;
import org.bloomgate.lookup.tier.Entry;
import org.bloomgate.lookup.tier.LayerSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Passwords that operators list, and those that they excepted, in the ranges of the snapshots.
class LocalRangesIT {
    private static final Actor BY = new Actor("ada", Actor.Way.COMMAND, "");

    private static final Key LISTED = key("hunter2");
    private static final String PREFIX = LISTED.text().substring(0, 5);
    private static final String SUFFIX = LISTED.text().substring(5);
    private static final String NEIGHBOUR = "F".repeat(35);

    @TempDir
    Path directory;

    private static Key key(String password) {
        return PasswordDigest.key(PasswordDigest.of(password.getBytes(StandardCharsets.UTF_8)));
    }

    private static LayerSource snapshot() {
        return new SmallLayer()
                .lists(KeyKind.PASSWORD, LISTED.text(), Use.LINK, 17_043)
                .lists(KeyKind.PASSWORD, PREFIX + NEIGHBOUR, Use.LINK, 3)
                .inForce();
    }

    private LiveEntries entries(LayerSource snapshots) throws IOException {
        return new LiveEntries(
                snapshots, new LocalFile(new LocalOptions(directory), LiveService.CLOCK), LiveService.CLOCK);
    }

    private static EntryText password(String password, String feed) {
        return EntryTexts.of("password", password).with(Field.FEED, feed).with(Field.AUTHOR, "test");
    }

    private static void list(LiveEntries entries, String password) throws IOException, EntryRefusedException {
        Entry listing = EntryParser.parse(password(password, ""), Entry.Type.LISTING, LiveService.CLOCK.instant());
        entries.change(BY, all -> all.with(listing));
    }

    private static void excepted(LiveEntries entries, String password, String feed)
            throws IOException, EntryRefusedException {
        Entry exception =
                EntryParser.parse(password(password, feed), Entry.Type.EXCEPTION, LiveService.CLOCK.instant());
        entries.change(BY, all -> all.with(exception));
    }

    private static HttpResponse<String> range(LiveService service, String prefix) {
        return service.get("/range/" + prefix);
    }

    @Test
    void operatorListing_isInTheRangeAtOnce() throws Exception {
        Key added = key("s3cret-of-ours");
        try (LiveEntries entries = entries(snapshot());
                LiveService service = new LiveService(entries, LiveService.OPTIONS)) {
            String prefix = added.text().substring(0, 5);
            assertEquals("", range(service, prefix).body());
            String before = range(service, prefix).headers().firstValue("ETag").orElse("");
            list(entries, "s3cret-of-ours");
            assertEquals(
                    added.text().substring(5) + ":1", range(service, prefix).body());
            assertNotEquals(
                    before, range(service, prefix).headers().firstValue("ETag").orElse(""));
        }
    }

    @Test
    void operatorListingWithoutSnapshot_isInTheRange() throws Exception {
        SmallLayer domains = new SmallLayer().lists(KeyKind.DOMAIN, "bad.example");
        try (LiveEntries entries = entries(domains.inForce());
                LiveService service = new LiveService(entries, LiveService.OPTIONS)) {
            assertEquals(503, range(service, PREFIX).statusCode());
            list(entries, "hunter2");
            assertEquals(SUFFIX + ":1", range(service, PREFIX).body());
            assertEquals(503, range(service, PREFIX + "?mode=ntlm").statusCode());
        }
    }

    @Test
    void exceptedPassword_isInNoRange() throws Exception {
        try (LiveEntries entries = entries(snapshot());
                LiveService service = new LiveService(entries, LiveService.OPTIONS)) {
            String whole = SUFFIX + ":17043\r\n" + NEIGHBOUR + ":3";
            assertEquals(whole, range(service, PREFIX).body());
            excepted(entries, "hunter2", "");
            assertEquals(NEIGHBOUR + ":3", range(service, PREFIX).body());
            entries.change(BY, all -> all.without(Entry.Type.EXCEPTION, password("hunter2", "")));
            assertEquals(whole, range(service, PREFIX).body());
        }
    }

    @Test
    void exceptionOfOneFeed_keepsOtherListings() throws Exception {
        try (LiveEntries entries = entries(snapshot());
                LiveService service = new LiveService(entries, LiveService.OPTIONS)) {
            list(entries, "hunter2");
            excepted(entries, "hunter2", "sample");
            assertEquals(
                    SUFFIX + ":1\r\n" + NEIGHBOUR + ":3", range(service, PREFIX).body());
            excepted(entries, "hunter2", "local");
            assertEquals(NEIGHBOUR + ":3", range(service, PREFIX).body());
        }
    }
}
