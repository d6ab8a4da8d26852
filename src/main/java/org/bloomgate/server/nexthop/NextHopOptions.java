package org.bloomgate.server.nexthop;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import org.bloomgate.base.config.NotASetting;

/// The `nextHopOptions` section of the configuration: options of the connections to the next hop. A maildir
/// uses none of them.
///
/// @param heloName argument of EHLO, HELO or LHLO: a domain name or an address literal
/// @param connectTimeout of one address, until its reply to EHLO: connect, greeting, TLS and EHLO together
/// @param poolIdle time after which an unused connection is closed
/// @param poolSize the most connections at once, unused ones included
/// @param caFile PEM certificates that TLS trusts; empty for those of the Java runtime
/// @param xforward whether a next hop that offers XFORWARD receives the identity of the client
/// @param chunking whether a next hop that offers CHUNKING gets messages by BDAT
public record NextHopOptions(
        String heloName,
        @NotASetting Duration connectTimeout,
        @NotASetting Duration poolIdle,
        int poolSize,
        NextHopTls tls,
        Optional<Path> caFile,
        boolean xforward,
        boolean chunking,
        @NotASetting Timeouts timeouts) {

    private static final Pattern DOMAIN_OR_LITERAL =
            Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]{0,253})|\\[[A-Za-z0-9:.]{2,100}]");
    private static final int MAX_CONNECTIONS = 65_535;

    /// The timeouts of each step (RFC 5321 4.5.3.2).
    ///
    /// @param mail until the reply to MAIL, and to XFORWARD before it
    /// @param rcpt until the reply to RCPT
    /// @param data until the reply to DATA
    /// @param block for writing one block of the message
    /// @param dot until the reply to the final dot
    public record Timeouts(Duration mail, Duration rcpt, Duration data, Duration block, Duration dot) {
        public Timeouts {
            positive("mail", mail);
            positive("rcpt", rcpt);
            positive("data", data);
            positive("block", block);
            positive("dot", dot);
        }

        public static Timeouts defaults() {
            return new Timeouts(
                    Duration.ofMinutes(5),
                    Duration.ofMinutes(5),
                    Duration.ofMinutes(2),
                    Duration.ofMinutes(3),
                    Duration.ofMinutes(10));
        }
    }

    public NextHopOptions {
        if (!DOMAIN_OR_LITERAL.matcher(heloName).matches()) {
            throw new IllegalArgumentException(
                    "heloName: \"" + heloName + "\" is neither a domain name nor an [address literal]");
        }
        if (poolSize < 1 || poolSize > MAX_CONNECTIONS) {
            throw new IllegalArgumentException("poolSize: " + poolSize + " is not between 1 and " + MAX_CONNECTIONS);
        }
        positive("connectTimeout", connectTimeout);
        positive("poolIdle", poolIdle);
    }

    public static NextHopOptions defaults() {
        return new NextHopOptions(
                "localhost",
                Duration.ofSeconds(30),
                Duration.ofSeconds(20),
                256,
                NextHopTls.NONE,
                Optional.empty(),
                true,
                true,
                Timeouts.defaults());
    }

    private static void positive(String key, Duration value) {
        if (!value.isPositive() || value.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException(key + ": " + value + " is not above 0 and at most a day");
        }
    }
}
