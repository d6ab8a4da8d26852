package org.bloomgate.server.nexthop;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.bloomgate.core.smtp.Reply;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Which connections to a next hop take a message by BDAT. Thread-safe.
final class Chunking {
    private static final Logger LOG = LoggerFactory.getLogger(Chunking.class);

    /// A connection that sent a reply within this time is not stale: half of the time that Postfix under stress
    /// waits for a command, the shortest in use.
    static final Duration HEARD_WITHIN = Duration.ofSeconds(5);

    private final boolean wanted;
    private final Duration heardWithin;
    /// Servers that offer CHUNKING and do not know BDAT: something in between does not.
    private final Set<String> strangers = ConcurrentHashMap.newKeySet();

    Chunking(boolean wanted, Duration heardWithin) {
        this.wanted = wanted;
        this.heardWithin = heardWithin;
    }

    boolean suits(SmtpConnection connection) {
        return wanted
                && connection.hello().offers("CHUNKING")
                && !strangers.contains(connection.name())
                && connection.heardWithin(heardWithin);
    }

    /// Whether the reply to a first chunk says that BDAT is not known there, which is remembered.
    boolean unknown(SmtpConnection connection, Reply reply) {
        boolean unknown = reply.code() == 500 || reply.code() == 502 || reply.code() == 503;
        if (unknown && strangers.add(connection.name())) {
            LOG.warn(
                    "next hop {} offers CHUNKING and answers BDAT with {}; it gets messages by DATA from now on",
                    connection.name(),
                    reply.text());
        }
        return unknown;
    }
}
