package org.bloomgate.judge;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.bloomgate.key.Identifier;
import org.bloomgate.key.KeyBatch;
import org.bloomgate.lookup.Finding;
import org.bloomgate.lookup.Judgement;
import org.bloomgate.lookup.LayerLease;
import org.bloomgate.lookup.LayerSource;
import org.bloomgate.lookup.TwoTierLookup;
import org.bloomgate.message.EnvelopeKeys;
import org.bloomgate.message.MessageReader;
import org.bloomgate.policy.Policy;
import org.bloomgate.policy.Ruling;
import org.bloomgate.verdict.Verdict;

/// What the gateway would make of a message, without relaying it. Thread-safe.
public final class MessageScan {
    /// The limit a message reaches that holds more keys than one batch takes.
    private static final String KEYS = "keys";

    private final LayerSource layers;
    private volatile Means means;

    /// What is judged with.
    private record Means(TwoTierLookup lookup, Policy policy, MessageReader reader) {}

    public MessageScan(LayerSource layers, TwoTierLookup lookup, Policy policy, MessageReader reader) {
        this.layers = layers;
        this.means = new Means(lookup, policy, reader);
    }

    /// Judges with these from now on.
    public void use(TwoTierLookup lookup, Policy policy, MessageReader reader) {
        means = new Means(lookup, policy, reader);
    }

    /// The envelope a message is judged with.
    ///
    /// @param mailFrom reverse-path without brackets; empty when none was given and for the null reverse-path
    /// @param recipients forward-paths without brackets; the hardest action of all of them counts
    public record Envelope(Optional<String> mailFrom, List<String> recipients) {
        public static final Envelope NONE = new Envelope(Optional.empty(), List.of());

        public Envelope {
            recipients = List.copyOf(recipients);
        }
    }

    /// Reads the message to its end and judges every identifier of it and of the envelope.
    ///
    /// @param file what the result calls the message
    /// @throws IOException only when the stream fails
    public ScanResult scan(String file, InputStream message, Envelope envelope) throws IOException {
        KeyBatch batch = new KeyBatch();
        try (LayerLease lease = layers.lease()) {
            envelope.mailFrom().ifPresent(path -> EnvelopeKeys.sender(path, lease.suffixes(), batch));
            Set<String> limits = new TreeSet<>(means.reader()
                    .read(message, lease.suffixes(), lease.kinds(), batch)
                    .limits());
            if (batch.overflowed()) {
                limits.add(KEYS);
            }
            return judged(file, batch, limits, envelope, lease);
        }
    }

    /// Without a snapshot only what operators list themselves was asked, so nothing is clean.
    private ScanResult judged(String file, KeyBatch batch, Set<String> limits, Envelope envelope, LayerLease lease) {
        Judgement judgement = means.lookup().judge(batch, lease);
        boolean asked = !lease.layers().isEmpty();
        Verdict unlisted = asked ? new Verdict.Clean() : new Verdict.Unresolved("no snapshot", Set.of());
        Verdict verdict = judgement.verdict() instanceof Verdict.Clean ? unlisted : judgement.verdict();
        Ruling ruling = Ruling.PASS;
        for (String recipient : recipients(envelope)) {
            ruling = ruling.or(means.policy().rule(judgement, limits, recipient));
            ruling = asked ? ruling : ruling.or(means.policy().withoutSnapshot(recipient));
        }
        String[] verdicts = new String[batch.identifiers().size()];
        Arrays.fill(verdicts, unlisted.word());
        for (Finding finding : judgement.findings()) {
            Verdict of = finding.verdict();
            verdicts[finding.position()] = of instanceof Verdict.Clean ? unlisted.word() : of.word();
        }
        return new ScanResult(
                file,
                verdict.word(),
                ruling.action().label(),
                identified(batch, verdicts),
                List.copyOf(limits),
                judgement,
                ruling,
                Generations.of(lease.layers()));
    }

    private static List<String> recipients(Envelope envelope) {
        return envelope.recipients().isEmpty() ? List.of("") : envelope.recipients();
    }

    private static List<ScanResult.Identified> identified(KeyBatch batch, String[] verdicts) {
        List<ScanResult.Identified> identified = new ArrayList<>(verdicts.length);
        for (Identifier identifier : batch.identifiers()) {
            identified.add(new ScanResult.Identified(
                    identifier.kind().label(), identifier.value(), identifier.where(), verdicts[identified.size()]));
        }
        return identified;
    }
}
