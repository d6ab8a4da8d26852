package org.bloomgate.server.smtp;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.bloomgate.base.config.Inline;
import org.bloomgate.base.config.NotASetting;
import org.bloomgate.base.config.RequiresRestart;
import org.bloomgate.base.net.IpLiteral;
import org.bloomgate.base.net.ListenAddress;
import org.bloomgate.base.net.Network;
import org.bloomgate.base.tls.TlsFiles;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.decision.policy.PolicyOverrides;
import org.bloomgate.server.spool.MessageContext;

/// The `smtp` section of the configuration: the first listener, and the settings that the others inherit.
///
/// @param access of the first listener
/// @param hostname in the greeting, in replies and in the Received field
/// @param maxSnapshotAge of the newest snapshot; if it is older, `policy.onNoSnapshot` applies to messages
///     without a finding
/// @param listeners the further listeners by name: 1 to 32 of `a-z 0-9 -`
public record RelayOptions(
        @Inline Access access,
        @RequiresRestart("in the greeting") String hostname,
        @Inline Sessions sessions,
        Rates rates,
        @Inline Limits limits,
        @Inline Memory memory,
        Timeouts timeouts,
        BareLineEnds bareLineEnds,
        Duration maxSnapshotAge,
        Map<String, ListenerOptions> listeners) {

    /// The section of the first listener; those of the others are `smtp.listeners.NAME`.
    private static final String FIRST = "smtp";

    private static final String FURTHER = FIRST + ".listeners.";

    /// The address of a listener, and what its clients may do.
    ///
    /// @param listen an IPv6 host in brackets; port 0 picks a free one
    /// @param relayDomains recipient domains that any client may send to: a name, `*.name` for everything below
    ///     it, or `*` for every domain, from `clientNetworks` if these are set and from any client otherwise
    /// @param routedLocalParts whether a client outside `clientNetworks` may send to `user%other@` a named
    ///     domain
    /// @param clientNetworks networks whose clients may send to every domain
    /// @param trusted networks whose XFORWARD, XCLIENT and PROXY header are accepted
    /// @param proxyProtocol whether every connection begins with a PROXY header, version 1 or 2
    public record Access(
            @RequiresRestart ListenAddress listen,
            Tls tls,
            List<RelayDomain> relayDomains,
            boolean routedLocalParts,
            List<Network> clientNetworks,
            List<Network> trusted,
            boolean proxyProtocol) {
        public Access {
            relayDomains = List.copyOf(relayDomains);
            clientNetworks = List.copyOf(clientNetworks);
            trusted = List.copyOf(trusted);
            RelayControl.check(listen, relayDomains, clientNetworks);
            if (proxyProtocol && trusted.isEmpty()) {
                throw new IllegalArgumentException("proxyProtocol: name the proxies in trusted");
            }
        }

        /// The domains whose users may log in here, each with all names below it.
        public Set<String> loginDomains() {
            return relayDomains.stream()
                    .filter(domain -> !domain.equals(RelayDomain.EVERY))
                    .map(RelayDomain::name)
                    .collect(Collectors.toUnmodifiableSet());
        }

        static Access defaults() {
            Tls tls = new Tls(TlsMode.STARTTLS, "", "");
            return new Access(
                    ListenAddress.of("127.0.0.1:2525"),
                    tls,
                    List.of(RelayDomain.EVERY),
                    false,
                    List.of(),
                    List.of(),
                    false);
        }
    }

    /// TLS for clients.
    ///
    /// @param mode when it begins; `starttls` without the files is not offered
    /// @param certificate PEM file of the chain, the server's own certificate first
    /// @param key PEM file of its unencrypted PKCS #8 key; empty if it is in the same file
    public record Tls(TlsMode mode, String certificate, String key) {
        public Tls {
            if (certificate.isEmpty() && !key.isEmpty()) {
                throw new IllegalArgumentException("certificate: set it too: key alone does nothing");
            }
            if (mode == TlsMode.IMPLICIT && certificate.isEmpty()) {
                throw new IllegalArgumentException("mode: implicit needs a certificate and a key");
            }
        }

        public boolean enabled() {
            return mode != TlsMode.NONE && !certificate.isEmpty();
        }

        TlsFiles files() {
            return new TlsFiles(certificate, key);
        }
    }

    /// Sessions over all listeners.
    ///
    /// @param maxSessions open at the same time; more are answered 421
    /// @param maxSessionsPerAddress open at the same time from one client address
    /// @param greetingDelay delay of the greeting; a client that sends something before gets 521. Zero: no
    ///     delay
    public record Sessions(@RequiresRestart int maxSessions, int maxSessionsPerAddress, Duration greetingDelay) {
        /// Well below the five minutes that a client waits (RFC 5321 4.5.3.2.1).
        private static final Duration LONGEST_GREETING_DELAY = Duration.ofMinutes(1);

        public Sessions {
            positive("maxSessions", maxSessions);
            positive("maxSessionsPerAddress", maxSessionsPerAddress);
            if (greetingDelay.isNegative() || greetingDelay.compareTo(LONGEST_GREETING_DELAY) > 0) {
                throw new IllegalArgumentException("greetingDelay must be from 0s to 1m");
            }
        }

        static Sessions defaults() {
            return new Sessions(8_192, 2_048, Duration.ZERO);
        }
    }

    /// Bounds for each client network, a /24 or an IPv6 /56, over all listeners; beyond them a client gets 421.
    ///
    /// @param connectionsPerMinute 0: no bound
    /// @param messagesPerMinute 0: no bound
    public record Rates(int connectionsPerMinute, int messagesPerMinute) {
        public Rates {
            if (connectionsPerMinute < 0 || messagesPerMinute < 0) {
                throw new IllegalArgumentException(
                        (connectionsPerMinute < 0 ? "connectionsPerMinute" : "messagesPerMinute")
                                + " must not be below 0");
            }
        }

        static Rates defaults() {
            return new Rates(0, 0);
        }
    }

    /// @param maxMessageBytes of a message after dot-unstuffing, announced as `SIZE`
    /// @param maxRecipients of one transaction
    /// @param badCommandLimit unknown, malformed or ill-timed commands in one session before 421
    public record Limits(
            long maxMessageBytes,
            int maxRecipients,
            @NotASetting int badCommandLimit) {
        public Limits {
            positive("maxMessageBytes", maxMessageBytes);
            positive("maxRecipients", maxRecipients);
            positive("badCommandLimit", badCommandLimit);
        }

        static Limits defaults() {
            return new Limits(25L << 20, 1_000, 100);
        }
    }

    /// The spool of messages while they are evaluated.
    ///
    /// @param memoryBytesPerMessage of a message kept in memory; what is larger goes to a temporary file
    /// @param memoryBytesTotal of the messages of all sessions kept in memory; beyond that they go to temporary
    ///     files
    /// @param temporary directory of those files
    public record Memory(
            @NotASetting int memoryBytesPerMessage,
            @NotASetting long memoryBytesTotal,
            @NotASetting Path temporary) {
        public Memory {
            positive("memoryBytesPerMessage", memoryBytesPerMessage);
            positive("memoryBytesTotal", memoryBytesTotal);
        }

        static Memory defaults(Path state) {
            return new Memory(256 << 10, 64L << 20, state.resolve("tmp"));
        }
    }

    /// The timeouts for clients. All are absolute: single bytes that arrive do not prolong them.
    ///
    /// @param command for one complete command line (RFC 5321 4.5.3.2.7)
    /// @param data for any one block of a message, and the head start before `minimumRate` counts
    /// @param minimumRate of a message in bytes a second, on average since the head start
    /// @param write for the client to read a reply
    /// @param drain for transactions to finish when the relay closes
    public record Timeouts(
            Duration command,
            Duration data,
            int minimumRate,
            @NotASetting Duration write,
            Duration drain) {
        public Timeouts {
            positive("command", command.toMillis());
            positive("data", data.toMillis());
            positive("minimumRate", minimumRate);
            positive("write", write.toMillis());
        }

        static Timeouts defaults() {
            return new Timeouts(
                    Duration.ofMinutes(5), Duration.ofMinutes(3), 1_024, Duration.ofMinutes(5), Duration.ofSeconds(30));
        }
    }

    private static final Pattern HOSTNAME = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?");
    private static final Pattern LISTENER = Pattern.compile("[a-z0-9-]{1,32}");

    public RelayOptions {
        listeners = Map.copyOf(listeners);
        positive("maxSnapshotAge", maxSnapshotAge.toMillis());
        if (hostname.length() > 255 || !HOSTNAME.matcher(hostname).matches()) {
            throw new IllegalArgumentException("hostname: '" + hostname + "' is not a host name");
        }
    }

    /// Our own names and addresses in lower case, which no other client uses in HELO.
    public Set<String> ownNames() {
        Set<String> names = new HashSet<>(Set.of(TextForms.lowerCase(hostname)));
        IpLiteral.parse(access.listen().host()).map(IpLiteral::text).ifPresent(names::add);
        return names;
    }

    /// The addresses of the listeners by key, the first listener first.
    public Map<String, ListenAddress> addresses() {
        Map<String, ListenAddress> addresses = new LinkedHashMap<>();
        sections()
                .forEach(section -> addresses.put(
                        section.name() + ".listen", section.options().access().listen()));
        return addresses;
    }

    /// The certificate files of the listeners with TLS, by configuration key.
    public Map<String, Path> certificates() {
        Map<String, Path> files = new TreeMap<>();
        for (ListenerSection section : sections()) {
            Tls tls = section.options().access().tls();
            if (tls.enabled()) {
                files.put(section.name() + ".tls.certificate", Path.of(tls.certificate()));
            }
        }
        return files;
    }

    /// Problems of the further listeners, including inherited settings.
    public List<String> problems() {
        List<String> problems = new ArrayList<>();
        new TreeMap<>(listeners).forEach((name, own) -> {
            try {
                if (!LISTENER.matcher(name).matches()) {
                    throw new IllegalArgumentException("a name has 1 to 32 of a-z 0-9 -");
                }
                Access _ = own.inheritFrom(access);
            } catch (IllegalArgumentException e) {
                problems.add("listeners." + name + ": " + e.getMessage());
            }
        });
        return problems;
    }

    /// The sections of all listeners, the first one first.
    List<ListenerSection> sections() {
        List<ListenerSection> sections = new ArrayList<>();
        sections.add(new ListenerSection(FIRST, this, false, PolicyOverrides.defaults()));
        new TreeMap<>(listeners)
                .forEach((name, own) -> sections.add(new ListenerSection(
                        FURTHER + name, with(own.inheritFrom(access)), own.submission(), own.policy())));
        return sections;
    }

    /// The settings of messages, which the milter shares.
    public MessageContext.Settings messages() {
        return new MessageContext.Settings(
                hostname, limits.maxRecipients(), memory.memoryBytesPerMessage(), memory.temporary());
    }

    RelayOptions with(Access other) {
        return with(other, memory);
    }

    /// These options with the folders of other options.
    public RelayOptions withFoldersOf(RelayOptions other) {
        return with(access, other.memory);
    }

    private RelayOptions with(Access other, Memory room) {
        return new RelayOptions(
                other, hostname, sessions, rates, limits, room, timeouts, bareLineEnds, maxSnapshotAge, listeners);
    }

    /// @param state folder of all state
    public static RelayOptions defaults(Path state) {
        return new RelayOptions(
                Access.defaults(),
                "localhost",
                Sessions.defaults(),
                Rates.defaults(),
                Limits.defaults(),
                Memory.defaults(state),
                Timeouts.defaults(),
                BareLineEnds.NORMALIZE,
                Duration.ofDays(7),
                Map.of());
    }

    private static void positive(String key, long value) {
        if (value <= 0) {
            throw new IllegalArgumentException(key + " must be above 0");
        }
    }
}
