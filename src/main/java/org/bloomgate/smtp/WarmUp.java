package org.bloomgate.smtp;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.bloomgate.background.Background;
import org.bloomgate.envelope.Capabilities;
import org.bloomgate.envelope.ClientIdentity;
import org.bloomgate.envelope.Reply;
import org.bloomgate.journal.Decision;
import org.bloomgate.journal.DecisionJournal;
import org.bloomgate.journal.KeyJournal;
import org.bloomgate.judge.MessageJudge;
import org.bloomgate.lookup.LookupCounts;
import org.bloomgate.lookup.TwoTierLookup;
import org.bloomgate.nexthop.DotStuffer;
import org.bloomgate.nexthop.MessageOctets;
import org.bloomgate.nexthop.NextHop;
import org.bloomgate.nexthop.NextHopTransaction;
import org.bloomgate.nexthop.ReadWatch;
import org.bloomgate.policy.Policy;
import org.bloomgate.policy.PolicyOptions;
import org.bloomgate.rehearsal.FiltersAlone;
import org.bloomgate.rehearsal.MadeUpClient;
import org.bloomgate.rehearsal.MadeUpMail;
import org.bloomgate.transit.MemoryBudget;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes made-up mail through the code of the relay, so that the JVM compiles it before the first real mail comes. It
/// ends with the first real session, when its time is over or its mails are through, and leaves half of one core to
/// others.
///
/// What it uses of the relay is read alone: options and filters. Journals, metrics, memory, who may send to whom and
/// the judge with its rules are its own, the next hop takes everything, and behind the filters nobody is asked.
final class WarmUp {
    /// More change nothing: by then what mail makes busy is compiled.
    private static final int MOST_MAILS = 10_000;

    private static final Duration LONGEST_NAP = Duration.ofMillis(50);
    private static final Path CPU_MAX = Path.of("/sys/fs/cgroup/cpu.max");
    private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);

    private final Collaborators own;
    private final BooleanSupplier mailHasCome;
    private final MadeUpMail mails = new MadeUpMail();

    WarmUp(Collaborators relays, BooleanSupplier mailHasCome) {
        this.own = ofItsOwn(relays);
        this.mailHasCome = mailHasCome;
    }

    private static Collaborators ofItsOwn(Collaborators relays) {
        MessageJudge judge = new MessageJudge(
                new TwoTierLookup(Duration.ofSeconds(1), new LookupCounts()),
                new Policy(PolicyOptions.defaults(), Map.of()),
                relays.judge().reader(),
                relays.judge().maxSnapshotAge(),
                relays.clock());
        return new Collaborators(
                relays.options(),
                RelayControl.open(),
                List.of(),
                Optional.empty(),
                new TakesAll(),
                new FiltersAlone(relays.layers()),
                judge,
                new Forgets(),
                KeyJournal.none(),
                relays.quarantine(),
                new MemoryBudget(relays.options().memory().memoryBytesTotal()),
                new ClientRates(RelayOptions.Rates.defaults()),
                new RelayMetrics(new SimpleMeterRegistry()),
                relays.clock());
    }

    /// Empty when the options say so, or when there is less than a core to compile on.
    static Optional<Background> start(Collaborators relays, Duration time, BooleanSupplier mailHasCome) {
        return time.isZero() || !holdsWholeCore(CPU_MAX)
                ? Optional.empty()
                : Optional.of(Background.start("warm-up", () -> new WarmUp(relays, mailHasCome).run(time)));
    }

    /// Whether a quota in the form of Linux' control groups, `max 100000` or `50000 100000`, leaves one. Without one
    /// nothing is known against it.
    static boolean holdsWholeCore(Path quota) {
        try {
            String[] words = Files.readString(quota).strip().split(" ", -1);
            return words.length != 2 || words[0].equals("max") || Long.parseLong(words[0]) >= Long.parseLong(words[1]);
        } catch (IOException | NumberFormatException unknown) {
            return true;
        }
    }

    void run(Duration time) throws InterruptedException {
        long began = System.nanoTime();
        int played = 0;
        int taken = 0;
        try (ReadWatch watch = new ReadWatch("warm-up-reads")) {
            while (played < MOST_MAILS && System.nanoTime() - began < time.toNanos() && !mailHasCome.getAsBoolean()) {
                long mailBegan = System.nanoTime();
                MadeUpClient client = new MadeUpClient(mails.session(), watch);
                play(client);
                played++;
                taken += client.handedOver() ? 1 : 0;
                Thread.sleep(Duration.ofNanos(Math.min(LONGEST_NAP.toNanos(), System.nanoTime() - mailBegan)));
            }
        } catch (IOException impossible) {
            LOG.warn("warm-up: {}", impossible.toString());
        }
        LOG.info(
                "warmed up with {} made-up messages in {} ms{}",
                taken,
                (System.nanoTime() - began) / 1_000_000,
                mailHasCome.getAsBoolean() ? ", until the first session" : "");
    }

    void play(MadeUpClient client) throws IOException {
        ClientSession session = new ClientSession(client, () -> own);
        session.converse();
        session.connection().close();
        session.end();
    }

    private static final class TakesAll implements NextHop {
        private static final Reply OK = Reply.of(250, "2.0.0", "Ok");

        @Override
        public Capabilities capabilities() {
            return new Capabilities(Set.of("8BITMIME", "SIZE"), 0);
        }

        @Override
        public NextHopTransaction begin(ClientIdentity client) {
            return new NextHopTransaction() {
                @Override
                public Reply mail(String arguments) {
                    return OK;
                }

                @Override
                public Reply rcpt(String arguments) {
                    return OK;
                }

                @Override
                public Reply data(byte[] top, MessageOctets message) {
                    return stuffed(top, message) ? OK : Reply.of(451, "4.3.0", "No");
                }

                @Override
                public void close() {}
            };
        }

        private static boolean stuffed(byte[] top, MessageOctets message) {
            DotStuffer stuffer = new DotStuffer(OutputStream.nullOutputStream());
            try (InputStream octets = message.open()) {
                stuffer.write(top, 0, top.length);
                byte[] whole = octets.readAllBytes();
                stuffer.write(whole, 0, whole.length);
                stuffer.finish();
                return true;
            } catch (IOException unreadable) {
                return false;
            }
        }

        @Override
        public void close() {}
    }

    private static final class Forgets implements DecisionJournal {
        @Override
        public void record(Decision decision) {}

        @Override
        public Optional<Decision> find(String token) {
            return Optional.empty();
        }

        @Override
        public void close() {}
    }
}
