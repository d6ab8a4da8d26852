package org.bloomgate.smtp;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bloomgate.net.ListenAddress;
import org.bloomgate.net.Network;
import org.bloomgate.policy.PolicyOverrides;
import org.bloomgate.tls.TlsFiles;

/// The `smtp` section of the configuration. It describes the first listener, and what the others inherit.
///
/// @param listen of the first listener: `host:port`, an IPv6 host in brackets; port 0 picks a free one
/// @param hostname in the greeting, in replies and in the Received field
/// @param maxMessageBytes of a message after dot-unstuffing, announced as `SIZE`
/// @param relayDomains recipient domains anybody may send to: a name, `*.name` for everything below it, or `*` for
/// every
///     domain, from `clientNetworks` when they are set and from everybody otherwise
/// @param clientNetworks addresses or networks in CIDR notation whose clients may send to every domain
/// @param trusted addresses or networks whose XFORWARD, XCLIENT and PROXY header are believed
/// @param proxyProtocol whether every connection begins with a PROXY header, version 1 or 2
/// @param maxSessions at one time over all listeners; more are answered 421
/// @param maxSessionsPerAddress at one time over all listeners from one client address
/// @param maxRecipients of one transaction
/// @param memoryBytesPerMessage of a message kept in memory; what is larger goes to a temporary file
/// @param memoryBytesTotal of the messages of all sessions kept in memory; beyond that they go to temporary files
/// @param temporary directory of those files
/// @param maxSnapshotAge of the newest snapshot; beyond it mail is treated as without one, besides what is found
/// @param greetingDelay how long a client has to wait for its greeting; one that speaks before gets 521. Zero: not at
/// all
/// @param badCommandLimit unknown, malformed or ill-timed commands in one session before 421
/// @param quarantine Maildir for messages whose policy is `quarantine`
/// @param virtualThreads false runs each session on a platform thread
/// @param listeners the further listeners by name: 1 to 32 of `a-z 0-9 -`
public record RelayOptions(
        ListenAddress listen,
        String hostname,
        long maxMessageBytes,
        List<String> relayDomains,
        List<Network> clientNetworks,
        List<Network> trusted,
        boolean proxyProtocol,
        int maxSessions,
        int maxSessionsPerAddress,
        int maxRecipients,
        int memoryBytesPerMessage,
        long memoryBytesTotal,
        Path temporary,
        Timeouts timeouts,
        BareLineEnds bareLineEnds,
        Duration maxSnapshotAge,
        Duration greetingDelay,
        int badCommandLimit,
        Tls tls,
        Path quarantine,
        boolean virtualThreads,
        Map<String, ListenerOptions> listeners) {

    /// The section of the first listener; those of the others are `smtp.listeners.NAME`.
    private static final String FIRST = "smtp";

    /// Of the five minutes that a client waits (RFC 5321 4.5.3.2.1).
    private static final Duration LONGEST_GREETING_DELAY = Duration.ofMinutes(1);

    private static final String FURTHER = FIRST + ".listeners.";

    /// How long a client may take. All of them are absolute: octets that trickle in do not prolong them.
    ///
    /// @param command for one complete command line (RFC 5321 4.5.3.2.7)
    /// @param data for any one block of a message, and the head start before `minimumRate` counts
    /// @param minimumRate of a message in octets a second, on average since the head start
    /// @param write for the client to take a reply
    /// @param drain for transactions to finish when the relay closes
    public record Timeouts(Duration command, Duration data, int minimumRate, Duration write, Duration drain) {
        public Timeouts {
            positive("smtp.timeouts.command", command.toMillis());
            positive("smtp.timeouts.data", data.toMillis());
            positive("smtp.timeouts.minimumRate", minimumRate);
            positive("smtp.timeouts.write", write.toMillis());
        }
    }

    /// TLS towards clients.
    ///
    /// @param mode when it begins; `starttls` without the files is not offered
    /// @param certificate PEM file of the chain, the server's own first
    /// @param key PEM file of its unencrypted PKCS #8 key
    public record Tls(TlsMode mode, String certificate, String key) {
        public Tls {
            if (certificate.isEmpty() != key.isEmpty()) {
                throw new IllegalArgumentException("smtp.tls: set both certificate and key, or neither");
            }
            if (mode == TlsMode.IMPLICIT && key.isEmpty()) {
                throw new IllegalArgumentException("smtp.tls: mode implicit needs a certificate and a key");
            }
        }

        boolean enabled() {
            return mode != TlsMode.NONE && !certificate.isEmpty();
        }

        TlsFiles files() {
            return new TlsFiles(certificate, key);
        }
    }

    public RelayOptions {
        relayDomains = List.copyOf(relayDomains);
        clientNetworks = List.copyOf(clientNetworks);
        trusted = List.copyOf(trusted);
        listeners = Map.copyOf(listeners);
        positive("smtp.maxMessageBytes", maxMessageBytes);
        positive("smtp.maxSessions", maxSessions);
        positive("smtp.maxSessionsPerAddress", maxSessionsPerAddress);
        positive("smtp.maxRecipients", maxRecipients);
        positive("smtp.memoryBytesPerMessage", memoryBytesPerMessage);
        positive("smtp.memoryBytesTotal", memoryBytesTotal);
        positive("smtp.maxSnapshotAge", maxSnapshotAge.toMillis());
        positive("smtp.badCommandLimit", badCommandLimit);
        if (greetingDelay.isNegative() || greetingDelay.compareTo(LONGEST_GREETING_DELAY) > 0) {
            throw new IllegalArgumentException("smtp.greetingDelay must be from 0s to 1m");
        }
        if (!hostname.matches("[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?") || hostname.length() > 255) {
            throw new IllegalArgumentException("smtp.hostname: '" + hostname + "' is not a host name");
        }
        RelayControl.check(listen, relayDomains, clientNetworks);
        if (proxyProtocol && trusted.isEmpty()) {
            throw new IllegalArgumentException("smtp.proxyProtocol: name the proxies in smtp.trusted");
        }
    }

    /// What is wrong with the further listeners, each with what it inherits.
    public List<String> problems() {
        List<String> problems = new ArrayList<>();
        new TreeMap<>(listeners).forEach((name, own) -> {
            try {
                if (!name.matches("[a-z0-9-]{1,32}")) {
                    throw new IllegalArgumentException("a name has 1 to 32 of a-z 0-9 -");
                }
                RelayOptions _ = of(own);
            } catch (IllegalArgumentException e) {
                problems.add("listeners." + name + ": " + e.getMessage());
            }
        });
        return problems;
    }

    /// Of every listener, the first one first.
    List<ListenerSection> sections() {
        List<ListenerSection> sections = new ArrayList<>();
        sections.add(new ListenerSection(FIRST, this, PolicyOverrides.defaults()));
        new TreeMap<>(listeners)
                .forEach((name, own) -> sections.add(new ListenerSection(FURTHER + name, of(own), own.policy())));
        return sections;
    }

    /// The options of a further listener: its own where it has them, these otherwise.
    RelayOptions of(ListenerOptions own) {
        return new RelayOptions(
                own.listen().orElseThrow(() -> new IllegalArgumentException("listen: host:port is needed")),
                hostname,
                maxMessageBytes,
                own.relayDomains().orElse(relayDomains),
                own.clientNetworks().orElse(clientNetworks),
                own.trusted().orElse(trusted),
                own.proxyProtocol(),
                maxSessions,
                maxSessionsPerAddress,
                maxRecipients,
                memoryBytesPerMessage,
                memoryBytesTotal,
                temporary,
                timeouts,
                bareLineEnds,
                maxSnapshotAge,
                greetingDelay,
                badCommandLimit,
                own.tls().over(tls),
                quarantine,
                virtualThreads,
                Map.of());
    }

    public static RelayOptions defaults() {
        return new RelayOptions(
                ListenAddress.of("127.0.0.1:2525"),
                "localhost",
                26_214_400,
                List.of("*"),
                List.of(),
                List.of(),
                false,
                8_192,
                8_192,
                1_000,
                256 * 1024,
                64L * 1024 * 1024,
                Path.of("var/tmp"),
                new Timeouts(
                        Duration.ofMinutes(5),
                        Duration.ofMinutes(3),
                        1_024,
                        Duration.ofMinutes(5),
                        Duration.ofSeconds(30)),
                BareLineEnds.NORMALIZE,
                Duration.ofDays(7),
                Duration.ZERO,
                100,
                new Tls(TlsMode.STARTTLS, "", ""),
                Path.of("var/quarantine"),
                true,
                Map.of());
    }

    private static void positive(String key, long value) {
        if (value <= 0) {
            throw new IllegalArgumentException(key + " must be above 0");
        }
    }
}
