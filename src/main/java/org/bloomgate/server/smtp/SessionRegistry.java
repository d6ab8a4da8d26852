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

/// The open sessions: bounds their number, runs them, and ends them when the relay closes. Thread-safe.
final class SessionRegistry implements SessionHandler {
    private static final SessionAcceptance TOO_MANY = SessionAcceptance.failure(421, "4.3.2 Too many sessions");
    private static final SessionAcceptance CLOSING = SessionAcceptance.failure(421, "4.3.2 Service shutting down");

    private static final SessionAcceptance TOO_OFTEN =
            SessionAcceptance.failure(421, "4.7.0 Too many connections from your network");

    /// The most sessions that have given up their place and have not ended: beside large messages the thread of
    /// such a session runs late.
    static final int MAX_REPLACED = 64;

    /// How long a new client waits for a replaced session to end if there are [#MAX_REPLACED].
    private static final Duration MAX_WAIT = Duration.ofMillis(500);

    private int maxSessions;
    private int maxPerAddress;
    private final RelayMetrics metrics;
    private final Set<ClientSession> sessions = new HashSet<>();
    private final Set<ClientSession> replaced = new HashSet<>();
    private final ClientShares byClient = new ClientShares();
    private final ClientMemory memory = ClientMemory.ofProcess();
    private boolean draining;

    SessionRegistry(RelayOptions options, RelayMetrics metrics) {
        this.metrics = metrics;
        setBounds(options);
        metrics.sessionsOpen(this::count);
    }

    /// Sets the bounds; open sessions beyond them continue.
    synchronized void setBounds(RelayOptions options) {
        maxSessions =
                Descriptors.SMTP.fit("smtp.maxSessions", options.sessions().maxSessions());
        maxPerAddress = options.sessions().maxSessionsPerAddress();
    }

    /// Called on the session's thread, and runs the whole session: PROXY header and implicit TLS come before
    /// the greeting, and the library would allocate 8 KB of buffers for a silent client. The library's own
    /// replies after the session are not sent.
    @Override
    public SessionAcceptance accept(Session session) {
        ClientSession client = of(session);
        if (!client.gate().identify()) {
            return CLOSING;
        }
        if (!client.gate().mayConnect()) {
            metrics.sessionRejected();
            client.abortIfTlsFromStart();
            return TOO_OFTEN;
        }
        SessionAcceptance acceptance = admit(client);
        if (!acceptance.accepted()) {
            client.abortIfTlsFromStart();
            return acceptance;
        }
        try {
            runToTheEnd(client);
        } finally {
            leave(client);
        }
        session.quit();
        return acceptance;
    }

    private void runToTheEnd(ClientSession client) {
        try {
            run(client);
        } finally {
            client.end();
        }
    }

    private void run(ClientSession client) {
        if (client.gate().isRejectedAtConnect()) {
            metrics.sessionRejected();
            client.rejectConnection(Replies.REFUSED_AT_CONNECT);
        } else if (client.sendsBeforeGreeting()) {
            metrics.sessionRejected();
            client.rejectConnection(Replies.TOO_EARLY);
        } else {
            client.secureFromStart();
            client.run();
        }
    }

    private synchronized SessionAcceptance admit(ClientSession client) {
        long deadline = System.nanoTime() + MAX_WAIT.toNanos();
        while (!draining && !takePlace(client.address())) {
            long left = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
            boolean mustWait = replaced.size() >= MAX_REPLACED;
            boolean mayEnter = left > 0 && byClient.held(client.address()) < maxPerAddress;
            if (!mayEnter || !(mustWait || replaceLongestSilent())) {
                metrics.sessionRejected();
                return TOO_MANY;
            }
            try {
                if (mustWait) {
                    wait(left);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return CLOSING;
            }
        }
        if (draining) {
            metrics.sessionRejected();
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

    /// Nothing to do: [#accept(Session)] has ended the session.
    @Override
    public void onSessionEnd(Session session) {}

    /// Ends the session that has been silent longest. Its place is free at once, whenever its thread runs. Returns
    /// false if all clients are active.
    private boolean replaceLongestSilent() {
        Optional<ClientSession> longest = sessions.stream()
                .filter(ClientSession::mayBeReplaced)
                .max(Comparator.comparing(session -> session.connection().silentFor()));
        longest.ifPresent(session -> {
            giveUpPlace(session);
            replaced.add(session);
            session.connection().endInput();
        });
        return longest.isPresent();
    }

    private synchronized void leave(ClientSession client) {
        if (!replaced.remove(client)) {
            giveUpPlace(client);
        }
        notifyAll();
    }

    private void giveUpPlace(ClientSession client) {
        sessions.remove(client);
        byClient.giveBack(client.address());
        memory.giveBack(ClientCost.SMTP_SESSION.bytes());
    }

    private static ClientSession of(Session session) {
        return ((ClientSocket) session.getSocket()).session();
    }

    synchronized int count() {
        return sessions.size() + replaced.size();
    }

    private synchronized Set<ClientSession> open() {
        Set<ClientSession> open = new HashSet<>(sessions);
        open.addAll(replaced);
        return open;
    }

    /// Accepts no more sessions, waits for open transactions up to the limit, and closes the remaining
    /// sessions.
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
        while (count() > 0 && left > 0) {
            try {
                wait(Math.max(1, Duration.ofNanos(left).toMillis()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
            left = deadline - System.nanoTime();
        }
    }

    /// Closes the connections of clients that do not read their replies.
    void abortStalled(Duration limit) {
        for (ClientSession session : open()) {
            if (session.connection().stalledFor().compareTo(limit) > 0) {
                session.abort();
            }
        }
    }
}
