package org.bloomgate.judge;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.dns.ListedHosts;
import org.bloomgate.key.PublicSuffixes;
import org.bloomgate.lookup.Layer;
import org.bloomgate.lookup.LayerLease;
import org.bloomgate.lookup.LayerSource;
import org.bloomgate.lookup.LocalRules;
import org.bloomgate.lookup.LookupCounts;
import org.bloomgate.lookup.TwoTierLookup;
import org.bloomgate.message.MessageReader;
import org.bloomgate.net.IpLiteral;
import org.bloomgate.policy.Action;
import org.bloomgate.policy.Policy;
import org.bloomgate.policy.PolicyOptions;
import org.bloomgate.text.MessageLimits;
import org.bloomgate.verdict.Exemption;

/// Mails before a judge at the layers of a test, in the order SMTP brings them; keeps what the lease was told.
final class Court implements LayerSource {
    static final Duration MAX_AGE = Duration.ofHours(36);
    static final Set<String> OWN_NAMES = Set.of("mx.corp.example");
    static final Set<String> AT_CONNECT = Set.of("nets");

    /// What the judge's clock says.
    Instant now = ListedHosts.CREATED;

    /// What operators say, instead of what the layers bring.
    Optional<LocalRules> rules = Optional.empty();

    /// Exemptions the lease was told of.
    final List<Exemption> met = new ArrayList<>();

    /// Leases that are not closed.
    int open;

    private final LayerSource layers;

    Court(LayerSource layers) {
        this.layers = layers;
    }

    static Caller client(String address) {
        return client(address, "mail.client.example");
    }

    static Caller client(String address, String helo) {
        return Caller.of(IpLiteral.parse(address), helo);
    }

    MessageJudge judge(PolicyOptions options) {
        return judge(options, new MessageReader(MessageLimits.defaults()));
    }

    MessageJudge judge(PolicyOptions options, MessageReader reader) {
        return new MessageJudge(
                new TwoTierLookup(Duration.ofSeconds(1), new LookupCounts()),
                new Policy(options, Map.of("default", Action.TAG)),
                reader,
                MAX_AGE,
                () -> now,
                new Site(OWN_NAMES, List.of(), AT_CONNECT));
    }

    /// Up to the final dot: what [Hearing#rule] says is the test's to ask.
    Hearing hear(MessageJudge judge, Caller caller, String sender, String message, String... recipients) {
        Hearing hearing = judge.open(lease(), caller);
        hearing.sender(sender);
        List.of(recipients).forEach(hearing::recipient);
        return read(hearing, message);
    }

    /// The ruling on a mail whose hearing is over then.
    Ruled rule(MessageJudge judge, Caller caller, String sender, String message, String... recipients) {
        try (Hearing hearing = hear(judge, caller, sender, message, recipients)) {
            return hearing.rule();
        }
    }

    static Hearing read(Hearing hearing, String message) {
        try {
            hearing.read(new ByteArrayInputStream(message.getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        hearing.ask();
        return hearing;
    }

    @Override
    public LayerLease lease() {
        LayerLease lease = layers.lease();
        open++;
        return new LayerLease() {
            @Override
            public List<Layer> layers() {
                return lease.layers();
            }

            @Override
            public PublicSuffixes suffixes() {
                return lease.suffixes();
            }

            @Override
            public LocalRules local() {
                return rules.orElseGet(lease::local);
            }

            @Override
            public void met(Exemption by) {
                met.add(by);
            }

            @Override
            public void close() {
                open--;
            }
        };
    }
}
