package org.bloomgate.app.gateway.options;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.base.config.ConfigReader;
import org.bloomgate.base.config.EmptyIsDefault;
import org.bloomgate.base.config.RequiresRestart;
import org.bloomgate.base.net.ListenAddress;
import org.bloomgate.core.key.PhoneNumbers;
import org.bloomgate.core.limit.MessageLimits;
import org.bloomgate.decision.authentication.AuthenticationOptions;
import org.bloomgate.decision.journal.JournalOptions;
import org.bloomgate.decision.policy.PolicyOptions;
import org.bloomgate.lists.export.ExportOptions;
import org.bloomgate.lists.layer.FilterOptions;
import org.bloomgate.lists.layer.RebuildOptions;
import org.bloomgate.lists.mirror.MirrorOptions;
import org.bloomgate.lookup.local.LocalOptions;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.server.dns.DnsListenerOptions;
import org.bloomgate.server.http.HttpOptions;
import org.bloomgate.server.milter.MilterAddress;
import org.bloomgate.server.milter.MilterOptions;
import org.bloomgate.server.nexthop.NextHopOptions;
import org.bloomgate.server.nexthop.NextHops;
import org.bloomgate.server.quarantine.QuarantineOptions;
import org.bloomgate.server.smtp.RelayOptions;

/// The settings of `bloomgate.yaml`, one component for each section. Relative paths are relative to the working
/// directory.
///
/// @param state folder of everything that a gateway writes, except mail for its next hop
/// @param snapshots root of the snapshot directories
/// @param snapshotKey PEM file of the public keys that must have signed snapshots and published state; empty:
///     no signature needed
/// @param nextHop `maildir:PATH`, `smtp://HOST:PORT` or `lmtp://HOST:PORT`
/// @param exports files of the lists for resolvers, proxies and firewalls, by name
/// @param feeds the file that lists the feeds
public record Configuration(
        @RequiresRestart Path state,
        @RequiresRestart @EmptyIsDefault Path snapshots,
        @RequiresRestart Optional<Path> snapshotKey,
        RelayOptions smtp,
        String nextHop,
        NextHopOptions nextHopOptions,
        HttpOptions http,
        DnsListenerOptions dns,
        ExactOptions exact,
        @RequiresRestart MirrorOptions mirror,
        @RequiresRestart PublisherOptions publisher,
        PolicyOptions policy,
        AuthenticationOptions authentication,
        MessageLimits message,
        @RequiresRestart JournalOptions journal,
        @RequiresRestart LocalOptions local,
        @RequiresRestart LogOptions log,
        GatewayOptions gateway,
        RebuildOptions rebuild,
        FilterOptions filters,
        MilterOptions milter,
        QuarantineOptions quarantine,
        ProtectOptions protect,
        MemoryOptions memory,
        ReportsOptions reports,
        Map<String, ExportOptions> exports,
        Path feeds) {

    public Configuration {
        exports = Map.copyOf(exports);
        NextHops.check(nextHop);
        milter.check(smtp.access().clientNetworks());
    }

    /// Contradictory settings, by the key to change.
    public List<String> problems() {
        List<String> problems = new ArrayList<>();
        new OwnListeners(this)
                .find(nextHop)
                .ifPresent(server -> problems.add("nextHop: " + server.getHostString() + ":" + server.getPort()
                        + " is this gateway's own listener, which would make a mail loop; name the server behind it"));
        Map<String, ListenAddress> earlier = new LinkedHashMap<>();
        listeners().forEach((key, address) -> {
            earlier.forEach((other, otherAddress) -> {
                if (otherAddress.overlaps(address)) {
                    problems.add(key + ": " + address + " is the address of " + other + " too; change one of the two");
                }
            });
            earlier.put(key, address);
        });
        if (gateway.rebuild()) {
            mirrored("rebuild").ifPresent(why -> problems.add("gateway.rebuild: " + why));
        }
        if (publisher.directory().isPresent()) {
            mirrored("publish").ifPresent(why -> problems.add("publisher.directory: " + why));
        }
        if (quarantinesForMailServer()) {
            ConfigReader.effective(this).forEach((key, value) -> {
                if ((key.startsWith("policy.") || key.equals("exact.onUnknown")) && quarantines(value)) {
                    problems.add(key + ": quarantine with milter.listen needs a nextHop to release messages to, and "
                            + nextHop + " is a folder; name a listener of the mail server without this milter, as"
                            + " smtp://127.0.0.1:10026");
                }
            });
        }
        if (exact.store() == ExactOptions.Store.STORAGE
                && (snapshotKey.isEmpty() || storageUrl().isEmpty())) {
            problems.add(
                    "exact.store: storage needs a web server with published files (mirror.url, or exact.storage.url)"
                            + " and, as it is not trusted, snapshotKey");
        }
        problems.addAll(ExportChecks.problems(this));
        return problems;
    }

    /// Whether the milter quarantines messages although the next hop is a folder: a release would go there,
    /// where the mail server does not read it.
    boolean quarantinesForMailServer() {
        return milter.listen().isPresent() && NextHops.maildir(nextHop).isPresent();
    }

    private static boolean quarantines(Object value) {
        return value instanceof Map<?, ?> rules
                ? rules.values().stream().anyMatch(Configuration::quarantines)
                : value.equals(Action.QUARANTINE.label());
    }

    /// The addresses of all listeners, by key.
    private Map<String, ListenAddress> listeners() {
        Map<String, ListenAddress> listeners = new LinkedHashMap<>(smtp.addresses());
        listeners.put("http.listen", http.listen());
        dns.listen().ifPresent(address -> listeners.put("dns.listen", address));
        milter.listen().ifPresent(listen -> {
            if (listen instanceof MilterAddress.Tcp(ListenAddress address)) {
                listeners.put("milter.listen", address);
            }
        });
        return listeners;
    }

    /// The reason why a command must not change snapshots on this machine; empty if they are built from feeds.
    /// A mirror has the snapshots of its publisher, and its next round would restore them.
    ///
    /// @param operation what the command does, for example `rebuild`
    public Optional<String> mirrored(String operation) {
        return mirror.isEnabled()
                ? Optional.of("snapshots come from mirror.url, there is nothing to " + operation)
                : Optional.empty();
    }

    /// The address of the files of exact stores; empty if there is none.
    public String storageUrl() {
        return exact.storage().url().isEmpty() ? mirror.url() : exact.storage().url();
    }

    /// The regions whose phone numbers are recognised without country code.
    public PhoneNumbers phones() {
        return message.phones();
    }

    public static Configuration defaults() {
        return defaults(Path.of("var"));
    }

    /// The defaults with state in another folder.
    static Configuration defaults(Path state) {
        return new Configuration(
                state,
                state.resolve("snapshots"),
                Optional.empty(),
                RelayOptions.defaults(state),
                "maildir:var/mail",
                NextHopOptions.defaults(),
                HttpOptions.defaults(),
                DnsListenerOptions.defaults(),
                ExactOptions.defaults(),
                MirrorOptions.defaults(),
                PublisherOptions.defaults(),
                PolicyOptions.defaults(),
                AuthenticationOptions.defaults(),
                MessageLimits.defaults(),
                JournalOptions.defaults(state),
                LocalOptions.defaults(state),
                LogOptions.defaults(),
                GatewayOptions.defaults(),
                RebuildOptions.defaults(),
                FilterOptions.defaults(),
                MilterOptions.defaults(),
                QuarantineOptions.defaults(state),
                ProtectOptions.defaults(),
                MemoryOptions.defaults(state),
                ReportsOptions.defaults(state),
                Map.of(),
                Path.of("config/feeds.yaml"));
    }
}
