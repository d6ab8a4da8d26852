package org.bloomgate.smtp;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.bloomgate.background.Parts;
import org.bloomgate.disk.DurableFiles;
import org.bloomgate.journal.DecisionJournal;
import org.bloomgate.journal.HourlyKeyJournal;
import org.bloomgate.journal.JournalOptions;
import org.bloomgate.journal.JsonDecisionJournal;
import org.bloomgate.journal.KeyJournal;
import org.bloomgate.journal.KeyJournalOptions;
import org.bloomgate.judge.MessageJudge;
import org.bloomgate.lookup.LookupCounts;
import org.bloomgate.lookup.TwoTierLookup;
import org.bloomgate.net.ListenAddress;
import org.bloomgate.nexthop.ChangeableNextHop;
import org.bloomgate.nexthop.NextHop;
import org.bloomgate.nexthop.NextHopAddress;
import org.bloomgate.nexthop.NextHopDialect;
import org.bloomgate.nexthop.NextHopOptions;
import org.bloomgate.nexthop.SmtpNextHop;
import org.bloomgate.policy.Policy;
import org.bloomgate.policy.PolicyOptions;
import org.bloomgate.rehearsal.FiltersAlone;
import org.bloomgate.rehearsal.MadeUpMail;
import org.bloomgate.rehearsal.MadeUpNextHop;

/// A second relay in the process, on a free port of this machine, for made-up mail: sockets, threads, journals and the
/// connection to a next hop are real ones and its own, in a folder that goes with it. Of the relay it stands beside it
/// reads options and filters, and behind the filters nobody is asked.
///
/// It relays to the made-up domain alone, so a stranger who finds its port loses no mail there.
final class WarmUpRelay implements AutoCloseable {
    private static final String FOLDER = "warm-up";
    private static final Duration ASKED_WITHIN = Duration.ofSeconds(1);

    private final Path folder;
    private final Parts parts = new Parts();
    private final Relay relay;

    /// Listens from now on.
    ///
    /// @throws IOException when no port or folder can be had; nothing is left open then
    WarmUpRelay(Collaborators beside) throws IOException {
        folder = folder(beside.options());
        try {
            Files.createDirectories(folder);
            relay = relay(beside);
            relay.start();
        } catch (IOException | RuntimeException fault) {
            close();
            throw fault;
        }
    }

    /// What a process that was killed while it warmed up has left.
    static void removeLeftovers(RelayOptions options) throws IOException {
        DurableFiles.deleteTree(folder(options));
    }

    private static Path folder(RelayOptions options) {
        return options.memory().temporary().resolve(FOLDER);
    }

    private Relay relay(Collaborators beside) throws IOException {
        MadeUpNextHop taker = parts.add(new MadeUpNextHop());
        NextHopAddress.Servers server = new NextHopAddress.Servers(NextHopDialect.SMTP, List.of(taker.address()));
        NextHop nextHop = parts.add(new ChangeableNextHop(new SmtpNextHop(server, NextHopOptions.defaults())));
        JournalOptions files = journals();
        DecisionJournal decisions = parts.add(JsonDecisionJournal.withoutLog(files, beside.clock()));
        KeyJournal keys = parts.add(new HourlyKeyJournal(files.keys(), beside.clock()));
        return parts.add(new Relay(
                options(beside.options()),
                nextHop,
                new FiltersAlone(beside.layers()),
                judge(beside),
                decisions,
                keys,
                new SimpleMeterRegistry(),
                beside.clock()));
    }

    private JournalOptions journals() {
        KeyJournalOptions keys = KeyJournalOptions.defaults();
        JournalOptions usual = JournalOptions.defaults();
        return new JournalOptions(
                folder.resolve("decisions"),
                usual.keepDays(),
                usual.maxBytes(),
                usual.subjects(),
                new KeyJournalOptions(folder.resolve("keys"), keys.keep(), keys.maxBytes()));
    }

    private static MessageJudge judge(Collaborators beside) {
        return new MessageJudge(
                new TwoTierLookup(ASKED_WITHIN, new LookupCounts()),
                new Policy(PolicyOptions.defaults(), Map.of()),
                beside.judge().reader(),
                beside.judge().maxSnapshotAge(),
                beside.clock());
    }

    private RelayOptions options(RelayOptions beside) {
        RelayOptions usual = RelayOptions.defaults();
        RelayOptions.Sessions sessions = usual.sessions();
        return new RelayOptions(
                access(),
                beside.hostname(),
                new RelayOptions.Sessions(
                        sessions.maxSessions(),
                        sessions.maxSessionsPerAddress(),
                        Duration.ZERO,
                        beside.sessions().virtualThreads(),
                        Duration.ZERO),
                usual.rates(),
                beside.limits(),
                new RelayOptions.Memory(
                        beside.memory().memoryBytesPerMessage(),
                        beside.memory().memoryBytesTotal(),
                        folder.resolve("tmp")),
                beside.timeouts(),
                beside.bareLineEnds(),
                beside.maxSnapshotAge(),
                folder.resolve("quarantine"),
                Map.of());
    }

    private static RelayOptions.Access access() {
        String here = InetAddress.getLoopbackAddress().getHostAddress();
        return new RelayOptions.Access(
                ListenAddress.of((here.contains(":") ? "[" + here + "]" : here) + ":0"),
                RelayOptions.Access.defaults().tls(),
                List.of(MadeUpMail.DOMAIN),
                List.of(),
                List.of(),
                false);
    }

    int port() {
        return relay.port();
    }

    @Override
    public void close() throws IOException {
        parts.close();
        DurableFiles.deleteTree(folder);
    }
}
