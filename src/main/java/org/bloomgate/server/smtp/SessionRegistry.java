package org.bloomgate.server.smtp;

import java.net.InetAddress;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.base.net.ClientCost;
import org.bloomgate.base.net.ClientMemory;
import org.bloomgate.base.net.ClientShares;
import org.bloomgate.base.net.Descriptors;
import org.bloomgate.core.smtp.Replies;
import org.subethamail.smtp.server.Session;
import org.subethamail.smtp.server.SessionHandler;

/// The sessions that are open: bounds their number, holds their conversations, and ends them when the relay
/// closes. Thread-safe.
final class SessionRegistry implements SessionHandler {
    private static final SessionAcceptance TOO_MANY = SessionAcceptance.failure(421, "4.3.2 Too many sessions");
    private static final SessionAcceptance CLOSING = SessionAcceptance.failure(421, "4.3.2 Service shutting down");

    private static final SessionAcceptance TOO_OFTEN =
            SessionAcceptance.failure(421, "4.7.0 Too many connections from your network");

    /// How long a client waits for another to leave when all places are taken.
    private static final Duration PATIENCE = Duration.ofMillis(500);

    private int maxSessions;
    private int maxPerAddress;
    private final RelayMetrics metrics;
    private final Set<ClientSession> sessions = new HashSet<>();
    private final ClientShares byClient = new ClientShares();
    private final ClientMemory memory = ClientMemory.ofProcess();
    private boolean draining;

    SessionRegistry(RelayOptions options, RelayMetrics metrics) {
        this.metrics = metrics;
        bound(options);
        metrics.sessionsOpen(this::count);
    }

    /// Sets the bounds; sessions beyond new ones go on.
    synchronized void bound(RelayOptions options) {
        maxSessions =
                Descriptors.SMTP.fit("smtp.maxSessions", options.sessions().maxSessions());
        maxPerAddress = options.sessions().maxSessionsPerAddress();
    }

    /// Runs on the session's thread for the whole session: the client may have to identify itself and to begin
    /// TLS before its greeting, and the library would keep 8 KB of buffers for a silent client. The library's
    /// own replies after the session are not sent.
    @Override
    public SessionAcceptance accept(Session session) {
        ClientSession client = of(session);
        if (!client.arrival().identify()) {
            return CLOSING;
        }
        if (!client.arrival().mayConnect()) {
            metrics.sessionRefused();
            client.turnAway();
            return TOO_OFTEN;
        }
        SessionAcceptance acceptance = admit(client);
        if (!acceptance.accepted()) {
            client.turnAway();
            return acceptance;
        }
        try {
            talkToTheEnd(client);
        } finally {
            leave(client);
        }
        session.quit();
        return acceptance;
    }

    private void talkToTheEnd(ClientSession client) {
        try {
            talk(client);
        } finally {
            client.end();
        }
    }

    private void talk(ClientSession client) {
        if (client.arrival().isRefusedAtConnect()) {
            metrics.sessionRefused();
            client.refuse(Replies.REFUSED_AT_CONNECT);
        } else if (client.speaksTooEarly()) {
            metrics.sessionRefused();
            client.refuse(Replies.TOO_EARLY);
        } else {
            client.secureFromStart();
            client.converse();
        }
    }

    private synchronized SessionAcceptance admit(ClientSession client) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!draining && !takePlace(client.address())) {
            long left = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
            boolean mayWait = left > 0 && byClient.held(client.address()) < maxPerAddress && endLongestSilent();
            if (!mayWait) {
                metrics.sessionRefused();
                return TOO_MANY;
            }
            try {
                wait(left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return CLOSING;
            }
        }
        if (draining) {
            metrics.sessionRefused();
            return CLOSING;
        }
        sessions.add(client);
        metrics.sessionAccepted();
        return SessionAcceptance.success();
    }

    private boolean takePlace(InetAddress address) {
        if (sessions.size() >= maxSessions || !byClient.take(address, maxPerAddress)) {
            return false;
        }
        if (!memory.takeForMail(ClientCost.SMTP_SESSION.bytes())) {
            byClient.giveBack(address);
            return false;
        }
        return true;
    }

    /// It has left.
    @Override
    public void onSessionEnd(Session session) {}

    /// Makes room for a client that comes when all places or all memory is taken: one that says nothing goes.
    private boolean endLongestSilent() {
        Optional<ClientConnection> longest = sessions.stream()
                .filter(ClientSession::maySpareItsPlace)
                .map(ClientSession::connection)
                .max(Comparator.comparing(ClientConnection::silentFor));
        longest.ifPresent(ClientConnection::endInput);
        return longest.isPresent();
    }

    private synchronized void leave(ClientSession client) {
        sessions.remove(client);
        byClient.giveBack(client.address());
        memory.giveBack(ClientCost.SMTP_SESSION.bytes());
        notifyAll();
    }

    private static ClientSession of(Session session) {
        return ((ClientSocket) session.getSocket()).session();
    }

    synchronized int count() {
        return sessions.size();
    }

    private synchronized Set<ClientSession> open() {
        return Set.copyOf(sessions);
    }

    /// Takes no new session, lets transactions finish, and cuts off what is left at the end of the time.
    void drain(Duration limit) {
        synchronized (this) {
            draining = true;
        }
        open().forEach(ClientSession::drain);
        awaitNone(System.nanoTime() + limit.toNanos());
        open().forEach(ClientSession::abort);
    }

    private synchronized void awaitNone(long deadline) {
        long left = deadline - System.nanoTime();
        while (!sessions.isEmpty() && left > 0) {
            try {
                wait(Math.max(1, Duration.ofNanos(left).toMillis()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
            left = deadline - System.nanoTime();
        }
    }

    /// Cuts off clients that do not take their replies.
    void abortStalled(Duration limit) {
        for (ClientSession session : open()) {
            if (session.connection().stalledFor().compareTo(limit) > 0) {
                session.abort();
            }
        }
    }
}
