package org.bloomgate.server.smtp;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.bloomgate.base.net.ListenAddress;
import org.bloomgate.base.net.Network;
import org.bloomgate.content.mime.MessageReader;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.limit.MessageLimits;
import org.bloomgate.core.smtp.Capabilities;
import org.bloomgate.core.smtp.Reply;
import org.bloomgate.decision.evaluation.EvaluationRig;
import org.bloomgate.decision.evaluation.MessageEvaluator;
import org.bloomgate.decision.evaluation.Site;
import org.bloomgate.decision.journal.Decision;
import org.bloomgate.decision.journal.DecisionJournal;
import org.bloomgate.decision.keyjournal.KeyJournal;
import org.bloomgate.decision.policy.MailboxPattern;
import org.bloomgate.decision.policy.NewRecipientLimits;
import org.bloomgate.decision.policy.OverridesFor;
import org.bloomgate.decision.policy.Policy;
import org.bloomgate.decision.policy.PolicyOptions;
import org.bloomgate.decision.policy.PolicyOverrides;
import org.bloomgate.decision.policy.ReplyText;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.LookupCounts;
import org.bloomgate.lookup.tier.TwoTierLookup;
import org.bloomgate.server.quarantine.TestIntake;
import org.bloomgate.server.spool.MailMetrics;
import org.bloomgate.server.spool.MailRecords;

/// A relay on a free loopback port with everything around it in memory. Settings are the keys of [RelayOptions],
/// `tls=on` or files as `certificate` and `key`, `tlsMode`, `snapshot=none`, `offers=..` of the next hop, and
/// actions: by `category`, by place (`envelope=defer`), `unknown`, `onNoSnapshot`, `recipients.DOMAIN`,
/// `subjectPrefix`, `replyText`, `shadow=on`.
public final class RelayWorld implements AutoCloseable {
    public static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final char[] PASSWORD = "changeit".toCharArray();

    private Map<String, String> settings;
    private final Map<String, ListenerOptions> listeners;
    private final Path folder;
    final RecordingNextHop nextHop;
    final ListedDomains layers;
    final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    final List<Decision> decisions = Collections.synchronizedList(new ArrayList<>());
    final Relay relay;

    RelayWorld(Map<String, String> settings, Map<String, Reply> hopReplies, Path folder) throws IOException {
        this(settings, Map.of(), hopReplies, folder);
    }

    RelayWorld(
            Map<String, String> settings,
            Map<String, ListenerOptions> listeners,
            Map<String, Reply> hopReplies,
            Path folder)
            throws IOException {
        this.settings = settings;
        this.listeners = listeners;
        this.folder = folder;
        nextHop = new RecordingNextHop(offers(), hopReplies);
        layers = settings.containsKey("snapshot") ? ListedDomains.withoutSnapshot() : ListedDomains.inForce();
        relay = new Relay(options(), nextHop, layers, evaluator(), records(journal(), metrics, folder), metrics);
        relay.start();
    }

    static MailRecords records(DecisionJournal journal, MeterRegistry metrics, Path folder) {
        return new MailRecords(
                journal,
                KeyJournal.none(),
                new MailMetrics(metrics),
                TestIntake.below(folder),
                InstantSource.fixed(NOW),
                Optional.empty());
    }

    /// With the defaults of everything.
    static MessageEvaluator evaluator(RelayOptions options) throws IOException {
        return EvaluationRig.evaluator(
                new TwoTierLookup(Duration.ofSeconds(5), new LookupCounts()),
                new Policy(PolicyOptions.defaults(), Map.of()),
                new MessageReader(MessageLimits.defaults()),
                options.maxSnapshotAge(),
                InstantSource.fixed(NOW));
    }

    /// Other settings from now on.
    void reload(Map<String, String> other) throws IOException {
        settings = other;
        relay.reload(options(), evaluator());
    }

    private MessageEvaluator evaluator() throws IOException {
        return EvaluationRig.evaluator(
                new TwoTierLookup(Duration.ofSeconds(5), new LookupCounts()),
                policy(),
                new MessageReader(MessageLimits.defaults()),
                options().maxSnapshotAge(),
                InstantSource.fixed(NOW),
                new Site(Set.of(), List.of(), Set.copyOf(list("atConnect", "none"))));
    }

    /// The port of a further listener.
    int port(String listener) {
        String address = relay.addresses().getOrDefault("smtp." + listener, "none");
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    /// The folder of temporary files.
    Path temporary() {
        return folder.resolve("tmp");
    }

    Path quarantine() {
        return folder.resolve("quarantine");
    }

    private Capabilities offers() {
        String text = settings.getOrDefault("offers", "8BITMIME SMTPUTF8 DSN ENHANCEDSTATUSCODES SIZE=0");
        Set<String> keywords = new TreeSet<>();
        long size = 0;
        for (String keyword : text.split(" ", -1)) {
            String[] parts = keyword.split("=", 2);
            keywords.add(parts[0]);
            size = parts.length > 1 ? Long.parseLong(parts[1]) : size;
        }
        return new Capabilities(keywords, size);
    }

    RelayOptions options() throws IOException {
        return new RelayOptions(
                new RelayOptions.Access(
                        ListenAddress.of(text("listen", "127.0.0.1:0")),
                        tls(),
                        list("relayDomains", "*").stream().map(RelayDomain::of).toList(),
                        settings.containsKey("routedLocalParts"),
                        networks("clientNetworks"),
                        networks("trusted"),
                        settings.containsKey("proxyProtocol")),
                "relay.example",
                new RelayOptions.Sessions(
                        number("maxSessions", 100),
                        number("maxSessionsPerAddress", 100),
                        duration("greetingDelay", "PT0S")),
                new RelayOptions.Rates(number("connectionsPerMinute", 0), number("messagesPerMinute", 0)),
                new RelayOptions.Limits(
                        number("maxMessageBytes", 1_000_000),
                        number("maxRecipients", 100),
                        number("badCommandLimit", 100)),
                new RelayOptions.Memory(
                        number("memoryBytesPerMessage", 65_536), number("memoryBytesTotal", 1_000_000), temporary()),
                new RelayOptions.Timeouts(
                        duration("command", "PT20S"),
                        duration("data", "PT20S"),
                        number("minimumRate", 1),
                        duration("write", "PT20S"),
                        duration("drain", "PT20S")),
                BareLineEnds.valueOf(text("bareLineEnds", "normalize").toUpperCase(Locale.ROOT)),
                duration("maxSnapshotAge", "PT1H"),
                listeners);
    }

    private RelayOptions.Tls tls() throws IOException {
        TlsMode mode = TlsMode.valueOf(text("tlsMode", "starttls").toUpperCase(Locale.ROOT));
        return settings.containsKey("tls")
                ? pemFiles(mode)
                : new RelayOptions.Tls(mode, text("certificate", ""), text("key", ""));
    }

    private Policy policy() {
        PolicyOptions defaults = PolicyOptions.defaults();
        Map<Place, Action> listed = new HashMap<>(defaults.listed());
        for (Place place : Place.values()) {
            if (settings.containsKey(place.label())) {
                listed.put(place, action(place.label(), Action.TAG));
            }
        }
        Map<MailboxPattern, PolicyOverrides> recipients = new HashMap<>();
        for (String key : settings.keySet()) {
            if (key.startsWith("recipients.")) {
                recipients.put(
                        MailboxPattern.of(key.substring("recipients.".length())),
                        OverridesFor.everyPlace(action(key, Action.TAG)));
            }
        }
        return new Policy(
                new PolicyOptions(
                        listed,
                        Map.of(
                                "phishing",
                                Action.valueOf(text("category", "reject").toUpperCase(Locale.ROOT))),
                        recipients,
                        Map.of(),
                        action("onNoSnapshot", Action.TAG),
                        Map.of(),
                        text("subjectPrefix", ""),
                        ReplyText.of(text("replyText", ReplyText.SHIPPED.template())),
                        settings.containsKey("shadow"),
                        new PolicyOptions.Helo(action("helo.ownName", Action.TAG), action("helo.syntax", Action.TAG)),
                        NewRecipientLimits.NOTHING,
                        Map.of()),
                Map.of("default", action("unknown", Action.TAG)));
    }

    private DecisionJournal journal() {
        return new DecisionJournal() {
            @Override
            public void record(Decision decision) {
                decisions.add(decision);
            }

            @Override
            public Optional<Decision> find(String token) {
                return decisions.stream()
                        .filter(decision -> decision.token().equals(token))
                        .findFirst();
            }

            @Override
            public void close() {}
        };
    }

    private String text(String key, String fallback) {
        return settings.getOrDefault(key, fallback);
    }

    private int number(String key, int fallback) {
        return Integer.parseInt(text(key, String.valueOf(fallback)));
    }

    private Duration duration(String key, String fallback) {
        return Duration.parse(text(key, fallback));
    }

    private List<String> list(String key, String fallback) {
        String text = text(key, fallback);
        return text.isEmpty() ? List.of() : List.of(text.split(",", -1));
    }

    private List<Network> networks(String key) {
        return list(key, "").stream().map(Network::of).toList();
    }

    private Action action(String key, Action fallback) {
        return Action.valueOf(text(key, fallback.label()).toUpperCase(Locale.ROOT));
    }

    private RelayOptions.Tls pemFiles(TlsMode mode) throws IOException {
        try (InputStream file = RelayWorld.class.getResourceAsStream("/tls/next-hop.p12")) {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(file, PASSWORD);
            String alias = keys.aliases().nextElement();
            Path certificate = pem("CERTIFICATE", keys.getCertificate(alias).getEncoded());
            Path key = pem("PRIVATE KEY", keys.getKey(alias, PASSWORD).getEncoded());
            return new RelayOptions.Tls(mode, certificate.toString(), key.toString());
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    private Path pem(String type, byte[] bytes) throws IOException {
        String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return Files.writeString(
                folder.resolve(type + ".pem"),
                "-----BEGIN " + type + "-----\n" + base64 + "\n-----END " + type + "-----\n");
    }

    @Override
    public void close() {
        relay.close();
    }
}
