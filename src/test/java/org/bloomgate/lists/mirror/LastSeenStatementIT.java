package org.bloomgate.lists.mirror;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.bloomgate.lists.snapshot.PublishedState;
import org.bloomgate.lists.snapshot.PublishedStateWriter;
import org.bloomgate.lists.snapshot.SharedEntries;
import org.bloomgate.lists.snapshot.SharedEntriesWriter;
import org.bloomgate.lists.snapshot.SnapshotReader;
import org.bloomgate.lists.snapshot.SnapshotScope;
import org.bloomgate.lists.snapshot.Snapshots;
import org.bloomgate.lists.snapshot.Statement;
import org.bloomgate.lists.snapshot.StatementForm;
import org.bloomgate.lists.snapshot.TestKeys;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The rules of counter, expiry, tag and missing statements, which are the same for every kind of statement.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LastSeenStatementIT {
    private static final Duration LIFETIME = Duration.ofHours(36);

    @TempDir
    Path folder;

    private final AtomicReference<Instant> now = new AtomicReference<>(Snapshots.NOW);
    private Optional<ScriptedPublisher> scripted = Optional.empty();
    private Optional<Publisher> client = Optional.empty();
    private String trusted = "";
    private int published;

    @BeforeEach
    void open() throws IOException {
        trusted = "use: manifest\n" + keys().pair("manifest", "Ed25519") + "use: current\n"
                + keys().pair("current", "Ed25519");
        String _ = keys().pair("foreign", "Ed25519");
        scripted = Optional.of(new ScriptedPublisher(theirs()));
        publisher().publishWith(stateWriter("current"));
        client = Optional.of(new Publisher(new MirrorOptions(
                publisher().url(),
                LIFETIME,
                Optional.empty(),
                Duration.ofSeconds(20),
                1 << 24,
                MirrorOptions.OnExpired.ALARM,
                false,
                "")));
    }

    @AfterEach
    void close() throws IOException {
        client.orElseThrow().close();
        publisher().close();
    }

    static List<StatementForm<?>> forms() {
        return List.of(PublishedState.FORM, SharedEntries.FORM);
    }

    private TestKeys keys() {
        return new TestKeys(folder);
    }

    private Path theirs() {
        return folder.resolve("theirs");
    }

    private Path ours() {
        return folder.resolve("ours");
    }

    private ScriptedPublisher publisher() {
        return scripted.orElseThrow();
    }

    private PublishedStateWriter stateWriter(String key) throws IOException {
        return new PublishedStateWriter(theirs(), keys().signing(key), LIFETIME, now::get);
    }

    /// Publishes the next statement of each kind.
    private void publish(String key) throws IOException {
        published++;
        String _ = Snapshots.publish(theirs(), "nightly", "d" + published + ".example")
                .generation();
        assertTrue(stateWriter(key).publish());
        assertTrue(new SharedEntriesWriter(theirs(), keys().signing(key), Optional.empty(), LIFETIME, now::get)
                .publish(() -> SharedEntriesWriter.Entries.of(published + "\n")));
    }

    private void publishInstead(String key, StatementForm<?> form) throws IOException {
        for (StatementForm<?> each : forms()) {
            Files.deleteIfExists(theirs().resolve(each.fileName()));
        }
        publish(key);
        replyWith(form, form.readBytes(theirs()).orElseThrow());
    }

    private void replyWith(StatementForm<?> form, byte[] body) {
        publisher().reply(form.fileName(), (_, out) -> ScriptedPublisher.write(out, "200 OK", "", body));
    }

    private void replyWith(StatementForm<?> form, String status) {
        publisher().reply(form.fileName(), (_, out) -> ScriptedPublisher.write(out, status, "", new byte[0]));
    }

    private <T extends StatementForm.Content> LastSeenStatement<T> lastSeen(StatementForm<T> form) throws IOException {
        return new LastSeenStatement<>(
                ours(), new SnapshotReader(SnapshotScope.WHOLE, keys().trusted(trusted), now::get), form);
    }

    /// @return the counter of a statement that the publisher sent
    private <T extends StatementForm.Content> Optional<Long> fetch(StatementForm<T> form, Optional<String> tagInUse)
            throws Exception {
        return lastSeen(form).fetch(client.orElseThrow(), tagInUse, Statement::counter, now.get());
    }

    private Optional<String> storedTag(StatementForm<?> form) throws IOException {
        return form.readHead(ours()).map(Statement::tag);
    }

    private void assertRejected(StatementForm<?> form, String reason) throws IOException {
        byte[] before = form.readBytes(ours()).orElseThrow();
        Optional<String> tag = storedTag(form);
        IOException fault = assertThrows(IOException.class, () -> fetch(form, tag));
        assertTrue(fault.toString().contains(reason), fault::toString);
        assertArrayEquals(before, form.readBytes(ours()).orElseThrow());
    }

    @ParameterizedTest
    @MethodSource("forms")
    void newStatement_isStoredAndSentOnce(StatementForm<?> form) throws Exception {
        assertEquals(Optional.empty(), fetch(form, Optional.empty()), "none yet");
        publish("current");
        long first = fetch(form, Optional.empty()).orElseThrow();
        assertEquals(Optional.empty(), fetch(form, storedTag(form)), "304, also after a restart");
        publish("current");
        assertEquals(Optional.of(first + 1), fetch(form, storedTag(form)));
    }

    @ParameterizedTest
    @MethodSource("forms")
    void tagOfStaticServer_isSentForTheStatementInUse(StatementForm<?> form) throws Exception {
        publish("current");
        publisher().reply(form.fileName(), (request, out) -> {
            boolean isKnown = request.field("if-none-match").orElse("").endsWith(", \"6a-1\"");
            ScriptedPublisher.write(
                    out,
                    isKnown ? "304 Not Modified" : "200 OK",
                    "ETag: \"6a-1\"\r\n",
                    isKnown ? new byte[0] : publisher().bytes(request.path()));
        });
        long first = fetch(form, Optional.empty()).orElseThrow();
        assertEquals(Optional.empty(), fetch(form, storedTag(form)), "304");
        assertEquals(Optional.of(first), fetch(form, Optional.empty()), "another process uses none yet");
    }

    @ParameterizedTest
    @MethodSource("forms")
    void statementStoredByAnotherProcess_isReceived(StatementForm<?> form) throws Exception {
        publish("current");
        long first = fetch(form, Optional.empty()).orElseThrow();
        Optional<String> tagInUse = storedTag(form);
        publish("current");
        assertEquals(Optional.of(first + 1), fetch(form, tagInUse));
        assertEquals(Optional.of(first + 1), fetch(form, tagInUse), "for the process that uses the first one");
    }

    @ParameterizedTest
    @MethodSource("forms")
    void olderOtherExpiredOrForeignStatement_isRejected(StatementForm<?> form) throws Exception {
        publish("current");
        byte[] first = form.readBytes(theirs()).orElseThrow();
        publish("current");
        assertTrue(fetch(form, Optional.empty()).isPresent());
        replyWith(form, first);
        assertRejected(form, "rolled back");
        now.set(Snapshots.NOW.plusSeconds(1));
        publishInstead("current", form);
        assertRejected(form, "two statements");
        now.set(Snapshots.NOW.plusSeconds(2));
        publishInstead("foreign", form);
        assertRejected(form, form.fileName() + ": no Ed25519 signature by a key in snapshotKey for use: current");
        publishInstead("current", form);
        now.set(Snapshots.NOW.plusSeconds(3).plus(LIFETIME));
        assertRejected(form, "frozen");
    }

    @ParameterizedTest
    @MethodSource("forms")
    void statusWithoutStatement_isFault(StatementForm<?> form) throws Exception {
        publish("current");
        assertTrue(fetch(form, Optional.empty()).isPresent());
        replyWith(form, "404 Not Found");
        assertRejected(form, "status 404, but the publisher had a statement before");
        replyWith(form, "500 Error");
        assertRejected(form, "status 500");
        replyWith(form, "304 Not Modified");
        assertEquals(Optional.empty(), fetch(form, storedTag(form)));
        assertThrows(PublisherException.class, () -> fetch(form, Optional.empty()));
    }

    @ParameterizedTest
    @MethodSource("forms")
    void damagedFile_isFaultUntilItIsDeleted(StatementForm<?> form) throws Exception {
        publish("current");
        assertTrue(fetch(form, Optional.empty()).isPresent());
        Optional<String> tagInUse = storedTag(form);
        Files.writeString(ours().resolve(form.fileName()), "torn");
        IOException fault = assertThrows(PublisherException.class, () -> fetch(form, tagInUse));
        assertTrue(fault.toString().contains("cannot be read; delete it"), fault::toString);
        Files.delete(ours().resolve(form.fileName()));
        assertTrue(fetch(form, tagInUse).isPresent());
        assertEquals(tagInUse, storedTag(form));
    }
}
