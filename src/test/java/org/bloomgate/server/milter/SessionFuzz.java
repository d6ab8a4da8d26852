package org.bloomgate.server.milter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.decision.evaluation.MessageEvaluator;
import org.bloomgate.decision.evaluation.Site;
import org.bloomgate.decision.journal.Decision;
import org.bloomgate.decision.keyjournal.KeyJournal;
import org.bloomgate.server.quarantine.TestIntake;
import org.bloomgate.server.smtp.ListedDomains;
import org.bloomgate.server.smtp.RelayWorld;
import org.bloomgate.server.spool.MailMetrics;
import org.bloomgate.server.spool.MailRecords;
import org.bloomgate.server.spool.MemoryBudget;
import org.bloomgate.server.spool.MessageContext;
import org.slf4j.LoggerFactory;

/// What holds for a whole session whatever a mail server sends: the answers are packets of the protocol, the
/// same ones however the bytes are cut on their way, every message ends and gives back what it took, and no
/// command fails.
///
/// An input is taken as the bytes of a connection. One that begins with [#FRAMED] is a negotiation of four
/// bytes and then commands with that byte between them, each of which gets the length word it needs: changed at
/// random, most are frames still.
public final class SessionFuzz {
    private static final byte FRAMED = (byte) 0xff;
    private static final int NEGOTIATION = 5;

    /// A mail of an input goes into the file and beyond the bound.
    private static final String CONFIGURATION = """
        smtp: { maxMessageBytes: 2k, maxRecipients: 10 }
        policy:
          listed: { text: quarantine, schemeless: defer, originator: discard, messageId: tag, raw: tag }
          subjectPrefix: "[listed]"
        """;

    /// A listed client is refused at once.
    private static final Site SITE = new Site(Set.of(), List.of(), Set.of("sample"));

    private static final String NAMED = "[!-9;-~]+\0[^\0]*\0";

    /// What may stand behind the letter of an answer. Texts of replies have their percent signs in pairs; a
    /// field that is deleted is called what the mail server calls it.
    private static final Map<Character, Pattern> ANSWERS = Map.of(
            'O', Pattern.compile("\0\0\0[\2-\6].{8}(\0{3}[\0-\6][^\0]+\0)*", Pattern.DOTALL),
            'c', Pattern.compile(""),
            'd', Pattern.compile(""),
            't', Pattern.compile(""),
            'y', Pattern.compile("[45]\\d\\d [45]\\.\\d\\.\\d+ (?:[ -$&-~]|%%)*\0"),
            'i', Pattern.compile("\0{4}" + NAMED, Pattern.DOTALL),
            'm', Pattern.compile("\0\0..(?<!\0\0)[^\0]+\0[^\0]*\0", Pattern.DOTALL),
            '-', Pattern.compile("[^\0]*\0", Pattern.DOTALL));

    private static final String EDITS = "im-";
    private static final Pattern TOKEN = Pattern.compile("[0-9A-HJKMNP-TV-Z]{12}");
    private static final MailMetrics MAIL_METRICS = new MailMetrics(new SimpleMeterRegistry());
    private static final MilterMetrics METRICS = new MilterMetrics(new SimpleMeterRegistry());
    private static final ListAppender<ILoggingEvent> LOG = log();
    private static final Path FOLDER = folder();
    private static final Configuration WITH = configuration();
    private static final MilterSettings SETTINGS = MilterWorld.settings(WITH, FOLDER.resolve("tmp"));
    private static final MessageEvaluator JUDGE = MilterWorld.evaluator(WITH, SITE);

    private SessionFuzz() {}

    private static ListAppender<ILoggingEvent> log() {
        ListAppender<ILoggingEvent> appender = new ListAppender<>();
        for (String name : List.of(SessionFuzz.class.getPackageName(), MessageContext.class.getName())) {
            Logger logger = (Logger) LoggerFactory.getLogger(name);
            logger.setLevel(Level.ERROR);
            logger.addAppender(appender);
        }
        appender.start();
        return appender;
    }

    private static Path folder() {
        try {
            Path folder = Files.createTempDirectory("milter-fuzz");
            Files.createDirectory(folder.resolve("tmp"));
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Configuration configuration() {
        try {
            Configuration read = MilterWorld.read(FOLDER, CONFIGURATION);
            Files.delete(FOLDER.resolve("bloomgate.yaml"));
            return read;
        } catch (IOException | ConfigException e) {
            throw new IllegalStateException(e);
        }
    }

    /// The name that Jazzer looks for.
    public static void fuzzerTestOneInput(byte[] bytes) {
        byte[] wire = bytes.length >= NEGOTIATION && bytes[0] == FRAMED ? framed(bytes) : bytes;
        List<String> answers = talk(wire, wire.length);
        assertEquals(answers, talk(wire, 0), "answers depend on how the bytes are cut");
        for (int i = 0; i < answers.size(); i++) {
            check(answers.get(i), i == 0, i + 1 == answers.size());
        }
    }

    private static byte[] framed(byte[] bytes) {
        ByteArrayOutputStream wire = new ByteArrayOutputStream();
        wire.writeBytes(new byte[] {0, 0, 0, 13, 'O', 0, 0, 0, 6, 0, 0, 1, bytes[1], 0});
        wire.write(bytes, 2, 3);
        for (int from = NEGOTIATION; from < bytes.length; ) {
            int to = from;
            while (to < bytes.length && bytes[to] != FRAMED) {
                to++;
            }
            wire.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(to - from).array());
            wire.write(bytes, from, to - from);
            from = to + 1;
        }
        return wire.toByteArray();
    }

    private static void check(String answer, boolean first, boolean last) {
        char code = answer.charAt(0);
        Pattern data = Objects.requireNonNull(ANSWERS.get(code), "answer " + code);
        assertTrue(data.matcher(answer.substring(1)).matches(), answer);
        assertEquals(first, code == 'O', "the negotiation comes first, once");
        assertTrue(!last || EDITS.indexOf(code) < 0, "edits without the answer that ends the mail");
    }

    /// What a session says to the bytes, tokens masked.
    ///
    /// @param piece bytes that arrive at once; 0 for as many as they say themselves
    private static List<String> talk(byte[] wire, int piece) {
        ListedDomains layers = ListedDomains.inForce();
        MemoryBudget memory = new MemoryBudget(MilterWorld.MEMORY);
        List<Decision> decisions = new ArrayList<>();
        MilterContext with = new MilterContext(
                SETTINGS,
                new MessageContext(
                        layers,
                        JUDGE,
                        new MailRecords(
                                new MilterWorld.Kept(decisions),
                                KeyJournal.none(),
                                MAIL_METRICS,
                                TestIntake.below(FOLDER),
                                InstantSource.fixed(RelayWorld.NOW),
                                Optional.empty()),
                        memory,
                        SETTINGS.messages()),
                METRICS);
        Wire channel = new Wire(wire, piece);
        new MilterSession(new MtaConnection(channel), () -> with, new HashSet<>()).run();
        assertEquals(List.of(), LOG.list, () -> LOG.list.getFirst().getFormattedMessage());
        assertTrue(!channel.isOpen(), "the connection stays open");
        assertEquals(0, layers.openLeases(), "leases are kept");
        assertTrue(memory.take(MilterWorld.MEMORY), "memory is kept");
        memory.giveBack(MilterWorld.MEMORY);
        assertEquals(0, FOLDER.resolve("tmp").toFile().list().length, "files are kept");
        return channel.answers();
    }

    /// A connection in memory.
    private static final class Wire implements ByteChannel {
        private final byte[] wire;
        private final int piece;
        private final ByteArrayOutputStream written = new ByteArrayOutputStream();
        private int at;
        private boolean open = true;

        Wire(byte[] wire, int piece) {
            this.wire = wire;
            this.piece = piece;
        }

        @Override
        public int read(ByteBuffer into) {
            if (at == wire.length) {
                return -1;
            }
            int arrived = piece == 0 ? 1 + ((wire[at] & 0xff) * 31 + at) % 97 : piece;
            int taken = Math.min(Math.min(arrived, wire.length - at), into.remaining());
            into.put(wire, at, taken);
            at += taken;
            return taken;
        }

        @Override
        public int write(ByteBuffer from) {
            int count = from.remaining();
            while (from.hasRemaining()) {
                written.write(from.get());
            }
            return count;
        }

        List<String> answers() {
            List<String> answers = new ArrayList<>();
            ByteBuffer bytes = ByteBuffer.wrap(written.toByteArray());
            while (bytes.hasRemaining()) {
                byte[] answer = new byte[bytes.getInt()];
                bytes.get(answer);
                answers.add(TOKEN.matcher(new String(answer, StandardCharsets.ISO_8859_1))
                        .replaceAll("TOKEN"));
            }
            return answers;
        }

        @Override
        public boolean isOpen() {
            return open;
        }

        @Override
        public void close() {
            open = false;
        }
    }
}
