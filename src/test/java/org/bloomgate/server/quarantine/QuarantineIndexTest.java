package org.bloomgate.server.quarantine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.bloomgate.base.io.Token;
import org.bloomgate.base.net.ClientMemory;
import org.bloomgate.core.smtp.ClientIdentity;
import org.bloomgate.server.nexthop.MessageBytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QuarantineIndexTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Instant NOON = Instant.parse("2026-03-05T12:00:00Z");
    private static final MessageBytes MESSAGE = new MessageBytes() {
        @Override
        public long sizeBytes() {
            return 1;
        }

        @Override
        public InputStream open() {
            return new ByteArrayInputStream(new byte[] {'x'});
        }
    };

    @TempDir
    private Path folder;

    private Quarantine quarantine = new Quarantine(Path.of(""));
    private final ClientMemory memory = new ClientMemory(64 << 20);

    @BeforeEach
    void open() {
        quarantine = new Quarantine(folder);
    }

    private QuarantineIndex index(long maxBytes) {
        return new QuarantineIndex(quarantine, memory, maxBytes, Duration.ZERO);
    }

    private static QuarantineEnvelope envelope(int number, List<String> to) {
        return new QuarantineEnvelope(
                Token.of(number),
                NOON.plusSeconds(number),
                new ClientIdentity("192.0.2.7", 1, "", "", ""),
                "a@sender.example",
                "FROM:<a@sender.example>",
                to.stream()
                        .map(one -> new QuarantineEnvelope.Recipient(one, "TO:<" + one + ">"))
                        .toList(),
                "listed",
                "reason",
                "from",
                "subject",
                "feed",
                "category",
                "value");
    }

    private void keep(int from, int to) throws IOException {
        for (int i = from; i < to; i++) {
            quarantine.store(envelope(i, List.of("b@rcpt.example")), new byte[0], MESSAGE);
        }
    }

    private static List<String> tokens(QuarantineIndex.Found found) {
        return found.messages().stream().map(QuarantineSummary::token).toList();
    }

    @Test
    void newAndRemovedMessages_areNoticed() throws IOException {
        QuarantineIndex index = index(QuarantineIndex.MAX_BYTES);
        assertEquals(0, index.find(_ -> true, LONG).total());
        keep(0, 3);
        assertEquals(List.of(Token.of(2), Token.of(1), Token.of(0)), tokens(index.find(_ -> true, LONG)));
        quarantine.remove(quarantine.find(Token.of(1)).orElseThrow());
        Files.move(folder.resolve("new", Token.of(0)), folder.resolve("cur", Token.of(0) + ":2,S"));
        assertEquals(List.of(Token.of(2), Token.of(0)), tokens(index.find(_ -> true, LONG)));
        assertEquals(Token.of(0), quarantine.find(Token.of(0)).orElseThrow().token());
    }

    @Test
    void memoryEnds_oldestAreLeftOut() throws IOException {
        keep(0, 1);
        QuarantineIndex one = index(QuarantineIndex.MAX_BYTES);
        one.find(_ -> true, LONG);
        long cost = memory.takenBytes();
        keep(1, 9);
        QuarantineIndex index = index(4 * cost);
        QuarantineIndex.Found found = index.find(_ -> true, LONG);
        assertEquals(List.of(Token.of(8), Token.of(7), Token.of(6), Token.of(5)), tokens(found));
        assertEquals(5, found.leftOut());
        assertEquals(9, found.total());
        assertTrue(memory.takenBytes() <= 5 * cost);
        keep(9, 10);
        assertEquals(Token.of(9), tokens(index.find(_ -> true, LONG)).getFirst());
        assertEquals(6, index.find(_ -> true, LONG).leftOut());
    }

    @Test
    void messagesGone_othersComeBack() throws IOException {
        keep(0, 1);
        index(QuarantineIndex.MAX_BYTES).find(_ -> true, LONG);
        long cost = memory.takenBytes();
        keep(1, 6);
        QuarantineIndex index = index(4 * cost);
        assertEquals(2, index.find(_ -> true, LONG).leftOut());
        quarantine.remove(quarantine.find(Token.of(5)).orElseThrow());
        quarantine.remove(quarantine.find(Token.of(4)).orElseThrow());
        index.find(_ -> true, LONG);
        assertEquals(0, index.find(_ -> true, LONG).leftOut());
    }

    @Test
    void withoutTime_messagesAreUnread() throws IOException {
        keep(0, 3);
        QuarantineIndex index = index(QuarantineIndex.MAX_BYTES);
        QuarantineIndex.Found found = index.find(_ -> true, Duration.ofSeconds(-1));
        assertEquals(3, found.unread());
        assertEquals(3, found.total());
    }

    @Test
    void recipientThatGotIt_isNotShown() throws IOException {
        keep(0, 1);
        QuarantineIndex index = index(QuarantineIndex.MAX_BYTES);
        List<QuarantineSummary> found = index.find(_ -> true, LONG).messages();
        quarantine.write(envelope(0, List.of()));
        Files.setLastModifiedTime(folder.resolve("envelopes", Token.of(0) + ".json"), FileTime.fromMillis(1));
        assertEquals(List.of(), index.current(found).getFirst().recipients());
    }
}
