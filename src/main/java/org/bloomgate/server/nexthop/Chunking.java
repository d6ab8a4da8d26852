package org.bloomgate.server.nexthop;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.bloomgate.core.smtp.Reply;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Decides which connections to a next hop receive a message by BDAT. Thread-safe.
final class Chunking {
    private static final Logger LOG = LoggerFactory.getLogger(Chunking.class);

    /// A connection on which a reply arrived within this time is not stale: half of the time that Postfix under
    /// stress waits for a command, which is the shortest timeout in use.
    static final Duration RECENT = Duration.ofSeconds(5);

    private final boolean enabled;
    private final Duration recent;
    /// Servers that offer CHUNKING but do not know BDAT, mostly because a proxy in between does not.
    private final Set<String> serversWithoutBdat = ConcurrentHashMap.newKeySet();

    Chunking(boolean enabled, Duration recent) {
        this.enabled = enabled;
        this.recent = recent;
    }

    boolean isUsableFor(SmtpConnection connection) {
        return enabled
                && connection.hello().offers("CHUNKING")
                && !serversWithoutBdat.contains(connection.name())
                && connection.repliedWithin(recent);
    }

    /// True if the reply to a first chunk means that the server does not know BDAT; remembers the server then.
    boolean recordIfBdatUnknown(SmtpConnection connection, Reply reply) {
        boolean unknown = reply.code() == 500 || reply.code() == 502 || reply.code() == 503;
        if (unknown && serversWithoutBdat.add(connection.name())) {
            LOG.warn(
                    "next hop {}: offers CHUNKING but answered BDAT with {} (messages go by DATA from now on)",
                    connection.name(),
                    reply.text());
        }
        return unknown;
    }
}
