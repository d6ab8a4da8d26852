package org.bloomgate.server.dns;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.Arrays;
import java.util.function.Supplier;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.server.dns.DnsCounts.Limit;
import org.bloomgate.server.dns.RateLimit.Permit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads datagrams as they come and answers them, on a platform thread of its own: on a busy listener a virtual
/// one would be parked and resumed for each.
final class UdpLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(UdpLoop.class);

    private final UdpSocket socket;
    private final Supplier<Responder> responders;
    private final Supplier<Rules> rules;
    private final SuspectThreads suspects;
    private final DnsCounts counts;
    private final BackgroundTask thread;
    private volatile boolean closing;

    /// @param socket bound; this loop's own from now on
    /// @param responders one for each thread
    UdpLoop(
            UdpSocket socket,
            Supplier<Responder> responders,
            Supplier<Rules> rules,
            SuspectThreads suspects,
            DnsCounts counts) {
        this.socket = socket;
        this.responders = responders;
        this.rules = rules;
        this.suspects = suspects;
        this.counts = counts;
        this.thread = BackgroundTask.start("dns-udp", this::run);
    }

    private void run() {
        Responder responder = responders.get();
        byte[] message = new byte[Question.MAX_BYTES + 1];
        while (!closing) {
            try {
                if (socket.receive()) {
                    one(responder, message);
                }
            } catch (ClosedChannelException closed) {
                return;
            } catch (IOException e) {
                // of one datagram: what a firewall or a client that left says to a send
                LOG.debug("dns: {}", e.toString());
            }
        }
    }

    private void one(Responder responder, byte[] message) throws IOException {
        try {
            int length = socket.read(message);
            if (length <= Question.MAX_BYTES) {
                one(responder, message, length);
            } else {
                counts.ignored.increment();
            }
        } catch (RuntimeException | InternalError fault) {
            counts.faults.increment();
            LOG.error("dns: a question was not answered", fault);
        }
    }

    private void one(Responder responder, byte[] message, int length) throws IOException {
        InetAddress client = socket.sender().getAddress();
        int answered = switch (permit(client)) {
            case ANSWER -> responder.answer(message, length, client, Transport.UDP);
            case SLIP -> {
                counts.reached(Limit.RATE);
                yield responder.slip(message, length);
            }
            case DROP -> {
                counts.reached(Limit.RATE);
                yield 0;
            }
        };
        if (answered == Responder.SUSPECT) {
            counts.suspects.increment();
            byte[] kept = Arrays.copyOf(message, length);
            InetSocketAddress sender = socket.sender();
            if (suspects.run(() -> suspect(kept, sender))) {
                return;
            }
            counts.reached(Limit.SUSPECTS);
            answered = responder.cannotSay(message, length);
        }
        if (answered > 0) {
            socket.answer(responder.bytes(), answered);
        }
    }

    private Permit permit(InetAddress client) {
        RateLimit limit = rules.get().limit();
        return limit.isOff() ? Permit.ANSWER : limit.permit(client, System.nanoTime());
    }

    private void suspect(byte[] message, InetSocketAddress sender) {
        try {
            Responder responder = responders.get();
            int answered = responder.answerInTime(message, message.length, sender.getAddress(), Transport.UDP);
            if (answered > 0) {
                socket.send(responder.bytes(), answered, sender);
            }
        } catch (IOException e) {
            LOG.debug("dns: {}", e.toString());
        } catch (RuntimeException | InternalError fault) {
            counts.faults.increment();
            LOG.error("dns: a suspect was not answered", fault);
        }
    }

    /// Reads no more; what was read is answered.
    void stopReading() {
        closing = true;
        socket.stop();
    }

    @Override
    public void close() throws IOException {
        stopReading();
        thread.close();
        socket.close();
    }
}
