package org.bloomgate.lists.mirror;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.bloomgate.base.audit.Actor;
import org.bloomgate.core.key.Identifier;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Place;
import org.bloomgate.lists.mirror.ScriptedPublisher.Reply;
import org.bloomgate.lists.snapshot.SharedEntries;
import org.bloomgate.lists.snapshot.SharedEntriesWriter;
import org.bloomgate.lists.snapshot.SigningKey;
import org.bloomgate.lists.snapshot.SnapshotReader;
import org.bloomgate.lists.snapshot.SnapshotScope;
import org.bloomgate.lists.snapshot.Snapshots;
import org.bloomgate.lists.snapshot.TestKeys;
import org.bloomgate.lookup.local.EntryParser;
import org.bloomgate.lookup.local.EntryRefusedException;
import org.bloomgate.lookup.local.EntryText;
import org.bloomgate.lookup.local.EntryTexts;
import org.bloomgate.lookup.local.LiveEntries;
import org.bloomgate.lookup.local.LocalEntries;
import org.bloomgate.lookup.local.LocalFile;
import org.bloomgate.lookup.local.LocalOptions;
import org.bloomgate.lookup.local.SharedLines;
import org.bloomgate.lookup.tier.Entry;
import org.bloomgate.lookup.tier.LayerLease;
import org.bloomgate.lookup.tier.LookupCounts;
import org.bloomgate.lookup.tier.NoLayers;
import org.bloomgate.lookup.tier.TwoTierLookup;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What is typed at a publisher, on its mirrors.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ListingsEverywhereIT {
    private static final Actor BY = new Actor("ada", Actor.Way.COMMAND, "");

    private static final Duration LIFETIME = Duration.ofHours(36);
    private static final Reply CUT_OFF = (request, out) -> {
        throw new IOException("nobody is there");
    };

    @TempDir
    Path folder;

    private final AtomicReference<Instant> now = new AtomicReference<>(Snapshots.NOW);
    private final List<AutoCloseable> opened = new ArrayList<>();
    private Optional<ScriptedPublisher> scripted = Optional.empty();
    private Optional<String> owner = Optional.of("manifest");
    private String trusted = "";
    private boolean exceptions;

    @BeforeEach
    void makeKeys() throws IOException {
        trusted = "use: manifest\n" + keys().pair("manifest", "Ed25519") + "use: current\n"
                + keys().pair("current", "Ed25519");
        String _ = keys().pair("foreign", "Ed25519");
        scripted = Optional.of(new ScriptedPublisher(theirs()));
        opened.add(publisher());
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : opened.reversed()) {
            one.close();
        }
    }

    private TestKeys keys() {
        return new TestKeys(folder);
    }

    private Path theirs() {
        return folder.resolve("theirs");
    }

    private ScriptedPublisher publisher() {
        return scripted.orElseThrow();
    }

    private LocalFile localFile(String machine) {
        return new LocalFile(new LocalOptions(folder.resolve(machine + "-local")), now::get);
    }

    private void addEntry(String machine, Entry.Type type, String domain) throws Exception {
        Entry entry = EntryParser.parse(EntryTexts.of("domain", domain), type, now.get());
        localFile(machine).change(BY, entries -> entries.with(entry));
    }

    private void removeEntry(String machine, Entry.Type type, String domain) throws Exception {
        localFile(machine).change(BY, entries -> entries.without(type, EntryText.of(KeyKind.DOMAIN, domain)));
    }

    private boolean publish() throws IOException {
        return publish("current", SharedLines.write(localFile("publisher").readAll()));
    }

    private boolean publish(String key, String lines) throws IOException {
        Optional<SigningKey> owns = owner.isPresent() ? keys().signing(owner.get()) : Optional.empty();
        return new SharedEntriesWriter(theirs(), keys().signing(key), owns, LIFETIME, now::get)
                .publish(() -> SharedEntriesWriter.Entries.of(lines));
    }

    /// A mirror that runs, with a folder of its own.
    private final class Machine {
        private final LiveEntries live;
        private final SharedEntriesFollower follower;
        private final Path snapshots;

        Machine(String name) throws IOException {
            snapshots = folder.resolve(name);
            live = new LiveEntries(NoLayers::lease, localFile(name), now::get);
            SnapshotReader reader = trusted.isEmpty()
                    ? new SnapshotReader()
                    : new SnapshotReader(SnapshotScope.WHOLE, keys().trusted(trusted), now::get);
            MirrorOptions options = new MirrorOptions(
                    publisher().url(),
                    Duration.ofHours(1),
                    Optional.empty(),
                    Duration.ofSeconds(20),
                    1 << 24,
                    MirrorOptions.OnExpired.ALARM,
                    exceptions,
                    "");
            follower = new SharedEntriesFollower(
                    options,
                    new PublisherEntries(snapshots, reader, exceptions, OneSharedHost::new, now::get),
                    live::share,
                    now::get);
            opened.add(live);
            opened.add(follower);
        }

        boolean runRound() throws InterruptedException {
            return follower.runRound();
        }

        String faults() {
            return follower.readStatus().faults().toString();
        }

        boolean lists(String domain) {
            KeyBatch batch = new KeyBatch();
            batch.begin(new Identifier(KeyKind.DOMAIN, domain, Place.LINK, "link"));
            batch.append(domain).endKey(KeyKind.DOMAIN, true);
            try (LayerLease lease = live.lease()) {
                return new TwoTierLookup(Duration.ofSeconds(1), new LookupCounts())
                        .evaluate(batch, lease)
                        .verdict()
                        .kind()
                        .label()
                        .equals("listed");
            }
        }
    }

    @Test
    void publishersListing_appliesOnMirrors_afterRestart() throws Exception {
        List<Machine> mirrors = new ArrayList<>(List.of(new Machine("one"), new Machine("two"), new Machine("three")));
        addEntry("publisher", Entry.Type.LISTING, "bad.example");
        assertTrue(publish());
        for (Machine mirror : mirrors) {
            assertFalse(mirror.lists("bad.example"));
            assertTrue(mirror.runRound(), mirror::faults);
            assertTrue(mirror.lists("bad.example"));
        }
        publisher().reply(SharedEntries.FILE_NAME, CUT_OFF);
        addEntry("publisher", Entry.Type.LISTING, "evil.example");
        assertTrue(publish());
        mirrors.set(0, new Machine("one"));
        for (Machine mirror : mirrors) {
            assertFalse(mirror.runRound());
            assertTrue(mirror.lists("bad.example"), "the last seen entries stay in use");
            assertFalse(mirror.lists("evil.example"));
            assertTrue(mirror.faults().contains("subject=listings"), mirror::faults);
        }
        publisher().clearReplies();
        for (Machine mirror : mirrors) {
            assertTrue(mirror.runRound(), mirror::faults);
            assertTrue(mirror.lists("evil.example"));
            assertEquals("[]", mirror.faults());
        }
        removeEntry("publisher", Entry.Type.LISTING, "bad.example");
        assertTrue(publish());
        for (Machine mirror : mirrors) {
            assertTrue(mirror.runRound());
            assertFalse(mirror.lists("bad.example"));
        }
    }

    @Test
    void unchangedStatement_isRequestedWithTagAndSentOnce() throws Exception {
        addEntry("publisher", Entry.Type.LISTING, "bad.example");
        assertTrue(publish());
        Machine mirror = new Machine("one");
        assertTrue(mirror.runRound());
        assertTrue(mirror.runRound());
        assertTrue(publisher().requests.getLast().field("if-none-match").isPresent());
        publisher()
                .reply(
                        SharedEntries.FILE_NAME,
                        (request, out) -> ScriptedPublisher.write(out, "404 Not Found", "", new byte[0]));
        assertFalse(mirror.runRound());
        assertTrue(mirror.faults().contains("but the publisher had a statement before"), mirror::faults);
        assertTrue(new Machine("two").runRound(), "a publisher that never had entries");
    }

    @Test
    void ownEntry_overridesEntryOfPublisher() throws Exception {
        exceptions = true;
        addEntry("publisher", Entry.Type.LISTING, "excepted-here.example");
        addEntry("publisher", Entry.Type.EXCEPTION, "listed-here.example");
        addEntry("publisher", Entry.Type.LISTING, "both.example");
        addEntry("publisher", Entry.Type.EXCEPTION, "both.example");
        assertTrue(publish());
        addEntry("one", Entry.Type.EXCEPTION, "excepted-here.example");
        addEntry("one", Entry.Type.LISTING, "www.listed-here.example");
        addEntry("one", Entry.Type.LISTING, "listed-here.example");
        Machine mirror = new Machine("one");
        assertTrue(mirror.runRound(), mirror::faults);
        assertFalse(mirror.lists("excepted-here.example"));
        assertTrue(mirror.lists("listed-here.example"));
        assertTrue(mirror.lists("www.listed-here.example"), "an exception of a name above");
        assertFalse(mirror.lists("both.example"), "at the publisher an exception overrides a listing");
        assertEquals(3, mirror.live.entries().size());
    }

    @Test
    void exception_isAcceptedIfEnabledAndVouched() throws Exception {
        addEntry("publisher", Entry.Type.EXCEPTION, "both.example");
        addEntry("publisher", Entry.Type.LISTING, "both.example");
        assertTrue(publish());
        Machine without = new Machine("one");
        assertTrue(without.runRound(), without::faults);
        assertTrue(without.lists("both.example"));
        exceptions = true;
        Machine with = new Machine("two");
        assertTrue(with.runRound(), with::faults);
        assertFalse(with.lists("both.example"));
        owner = Optional.empty();
        removeEntry("publisher", Entry.Type.LISTING, "both.example");
        addEntry("publisher", Entry.Type.LISTING, "both.example");
        addEntry("publisher", Entry.Type.LISTING, "new.example");
        assertTrue(publish());
        assertTrue(with.runRound());
        assertTrue(with.lists("both.example"), "the online key alone makes no exceptions");
        assertTrue(
                with.faults().contains("exception of both.example: no key for manifests vouches for it"), with::faults);
    }

    @Test
    void unvouchedListings_passGatesUpToABound() throws Exception {
        owner = Optional.empty();
        addEntry("publisher", Entry.Type.LISTING, "shared.example");
        addEntry("publisher", Entry.Type.LISTING, "bad.example");
        assertTrue(publish());
        Machine mirror = new Machine("one");
        assertTrue(mirror.runRound());
        assertTrue(mirror.lists("bad.example"));
        assertFalse(mirror.lists("shared.example"));
        assertTrue(mirror.faults().contains("listing of shared.example: strangers share it"), mirror::faults);
        owner = Optional.of("manifest");
        assertTrue(publish());
        assertTrue(mirror.runRound());
        assertTrue(mirror.lists("shared.example"), "its operators mean it");
        assertEquals("[]", mirror.faults());
        owner = Optional.empty();
        assertEquals(PublisherEntries.MAX_UNVOUCHED, countAccepted(PublisherEntries.MAX_UNVOUCHED, mirror));
        assertEquals("[]", mirror.faults());
        assertEquals(PublisherEntries.MAX_UNVOUCHED, countAccepted(PublisherEntries.MAX_UNVOUCHED + 1, mirror));
        assertTrue(mirror.faults().contains("more than 1000 entries"), mirror::faults);
        trusted = "";
        Machine trusting = new Machine("trusts-no-key");
        assertTrue(trusting.runRound());
        assertEquals(
                PublisherEntries.MAX_UNVOUCHED, trusting.follower.readStatus().listings());
    }

    private int countAccepted(int count, Machine mirror) throws Exception {
        List<Entry> many = IntStream.range(0, count).mapToObj(this::createEntry).toList();
        assertTrue(publish("current", SharedLines.write(new LocalEntries(many))));
        assertTrue(mirror.runRound());
        return mirror.follower.readStatus().listings();
    }

    private Entry createEntry(int number) {
        try {
            return EntryParser.parse(EntryTexts.of("hash", "%064x".formatted(number)), Entry.Type.LISTING, now.get());
        } catch (EntryRefusedException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Test
    void oldExpiredForeignOrDamagedStatement_isRejected() throws Exception {
        addEntry("publisher", Entry.Type.LISTING, "bad.example");
        assertTrue(publish());
        byte[] old = SharedEntries.FORM.readBytes(theirs()).orElseThrow();
        Machine mirror = new Machine("one");
        assertTrue(mirror.runRound());
        removeEntry("publisher", Entry.Type.LISTING, "bad.example");
        addEntry("publisher", Entry.Type.LISTING, "evil.example");
        assertTrue(publish());
        byte[] next = SharedEntries.FORM.readBytes(theirs()).orElseThrow();
        assertTrue(mirror.runRound());
        assertRefused(mirror, old, "rolled back");
        assertRefused(new Machine("one"), old, "rolled back");
        assertRefused(mirror, replaced(next, "evil", "good"), "is not what a publisher writes");
        assertRefused(mirror, Arrays.copyOf(next, next.length - 1), "is not what a publisher writes");
        Files.delete(theirs().resolve(SharedEntries.FILE_NAME));
        now.set(Snapshots.NOW.plusSeconds(60));
        assertTrue(publish("foreign", "\n"));
        assertRefused(mirror, SharedEntries.FORM.readBytes(theirs()).orElseThrow(), "no Ed25519 signature by a key");
        publisher()
                .reply(
                        SharedEntries.FILE_NAME,
                        (request, out) -> ScriptedPublisher.write(out, "200 OK", "", 1L << 40, new byte[9]));
        assertFalse(mirror.runRound());
        now.set(Snapshots.NOW.plus(LIFETIME).plusSeconds(1));
        assertRefused(mirror, next, "frozen");
    }

    private static byte[] replaced(byte[] bytes, String from, String to) {
        return new String(bytes, UTF_8).replace(from, to).getBytes(UTF_8);
    }

    private void assertRefused(Machine mirror, byte[] bytes, String why) throws Exception {
        publisher().reply(SharedEntries.FILE_NAME, (request, out) -> ScriptedPublisher.write(out, "200 OK", "", bytes));
        assertFalse(mirror.runRound());
        assertTrue(mirror.faults().contains(why), mirror::faults);
        assertTrue(mirror.lists("evil.example"));
        assertFalse(mirror.lists("bad.example"));
    }

    /// A holder of the online key publishes other entries, and then those that were vouched for before.
    @Test
    void removedVouchedEntry_cannotBeRestored() throws Exception {
        exceptions = true;
        addEntry("publisher", Entry.Type.EXCEPTION, "partner.example");
        assertTrue(publish());
        String head = new String(SharedEntries.FORM.readBytes(theirs()).orElseThrow(), UTF_8);
        Machine mirror = new Machine("one");
        assertTrue(mirror.runRound());
        removeEntry("publisher", Entry.Type.EXCEPTION, "partner.example");
        addEntry("publisher", Entry.Type.LISTING, "partner.example");
        assertTrue(publish());
        assertTrue(mirror.runRound());
        owner = Optional.empty();
        assertTrue(publish("current", ""));
        assertTrue(mirror.runRound());
        String entries = head.replaceAll("(?s).*(entries .*?\n).*", "$1");
        String text = head.replaceAll("counter .*", "counter 1999999999").replaceAll("(?s)entries .*", "") + entries;
        byte[] signature = ResealedManifest.signature(text.getBytes(UTF_8), keys().file("current"));
        String body = head.substring(head.indexOf("\n\n") + 2);
        String stolen = text + "signature ed25519 " + new String(signature, UTF_8) + "\n\n" + body;
        publisher()
                .reply(
                        SharedEntries.FILE_NAME,
                        (request, out) -> ScriptedPublisher.write(out, "200 OK", "", stolen.getBytes(UTF_8)));
        assertFalse(mirror.runRound());
        assertTrue(mirror.faults().contains("rolled back"), mirror::faults);
        assertEquals(0, mirror.follower.readStatus().exceptions());
    }

    @Test
    void damagedStoredStatement_isFault() throws Exception {
        addEntry("publisher", Entry.Type.LISTING, "bad.example");
        assertTrue(publish());
        Machine mirror = new Machine("one");
        assertTrue(mirror.runRound());
        Files.writeString(mirror.snapshots.resolve(SharedEntries.FILE_NAME), "torn");
        Machine again = new Machine("one");
        assertTrue(again.faults().contains("cannot be read; delete it"), again::faults);
        assertFalse(again.runRound());
        Files.delete(mirror.snapshots.resolve(SharedEntries.FILE_NAME));
        assertTrue(again.runRound(), again::faults);
        Files.writeString(mirror.snapshots.resolve(PublisherEntries.VOUCHED_FILE), "torn");
        addEntry("publisher", Entry.Type.LISTING, "evil.example");
        assertTrue(publish());
        assertFalse(again.runRound());
        assertTrue(again.faults().contains("listings.vouched: cannot be read"), again::faults);
        assertTrue(again.lists("bad.example"));
    }
}
