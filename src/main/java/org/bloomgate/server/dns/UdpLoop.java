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

/// Receives datagrams and answers them, on its own platform thread: on a busy listener a virtual thread would
/// be parked and resumed for each.
final class UdpLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(UdpLoop.class);

    private final UdpSocket socket;
    private final Supplier<Responder> responders;
    private final Supplier<ActiveConfiguration> configuration;
    private final SuspectThreads suspects;
    private final DnsCounts counts;
    private final BackgroundTask thread;
    private volatile boolean closing;

    /// @param socket bound; closed by this loop
    /// @param responders creates one for each thread
    UdpLoop(
            UdpSocket socket,
            Supplier<Responder> responders,
            Supplier<ActiveConfiguration> configuration,
            SuspectThreads suspects,
            DnsCounts counts) {
        this.socket = socket;
        this.responders = responders;
        this.configuration = configuration;
        this.suspects = suspects;
        this.counts = counts;
        this.thread = BackgroundTask.keepRunning("dns-udp", this::run);
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
                // concerns one datagram: an ICMP error of a firewall, or of a client that has closed its socket
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
            LOG.error("dns: query not answered", fault);
        }
    }

    private void one(Responder responder, byte[] message, int length) throws IOException {
        InetAddress client = socket.sender().getAddress();
        int answerBytes = switch (permit(client)) {
            case ANSWER -> responder.answer(message, length, client, Transport.UDP);
            case SLIP -> {
                counts.countLimit(Limit.RATE);
                yield responder.slip(message, length);
            }
            case DROP -> {
                counts.countLimit(Limit.RATE);
                yield 0;
            }
        };
        if (answerBytes == Responder.SUSPECT) {
            counts.suspects.increment();
            byte[] copy = Arrays.copyOf(message, length);
            InetSocketAddress sender = socket.sender();
            if (suspects.run(() -> answerSuspect(copy, sender))) {
                return;
            }
            counts.countLimit(Limit.SUSPECTS);
            answerBytes = responder.servfail(message, length);
        }
        if (answerBytes > 0) {
            socket.answer(responder.bytes(), answerBytes);
        }
    }

    private Permit permit(InetAddress client) {
        RateLimit limit = configuration.get().limit();
        return limit.isOff() ? Permit.ANSWER : limit.permit(client, System.nanoTime());
    }

    private void answerSuspect(byte[] message, InetSocketAddress sender) {
        try {
            Responder responder = responders.get();
            int answerBytes = responder.answerBlocking(message, message.length, sender.getAddress(), Transport.UDP);
            if (answerBytes > 0) {
                socket.send(responder.bytes(), answerBytes, sender);
            }
        } catch (IOException e) {
            LOG.debug("dns: {}", e.toString());
        } catch (RuntimeException | InternalError fault) {
            counts.faults.increment();
            LOG.error("dns: query not answered", fault);
        }
    }

    /// Receives no more datagrams; those received are answered.
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
