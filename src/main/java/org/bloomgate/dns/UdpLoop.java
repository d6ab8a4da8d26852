package org.bloomgate.dns;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.util.Arrays;
import java.util.function.Supplier;
import org.bloomgate.background.Background;
import org.bloomgate.dns.DnsCounts.Limit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads one datagram after the other and answers it, on a platform thread of its own: on a busy door a virtual one
/// would be parked and resumed for each.
final class UdpLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(UdpLoop.class);

    private final DatagramChannel channel;
    private final Supplier<Responder> responders;
    private final Supplier<Rules> rules;
    private final SuspectThreads suspects;
    private final DnsCounts counts;
    private final Background thread;
    private volatile boolean closing;

    /// @param channel bound; this loop's own from now on
    /// @param responders one for each thread
    UdpLoop(
            DatagramChannel channel,
            Supplier<Responder> responders,
            Supplier<Rules> rules,
            SuspectThreads suspects,
            DnsCounts counts) {
        this.channel = channel;
        this.responders = responders;
        this.rules = rules;
        this.suspects = suspects;
        this.counts = counts;
        this.thread = Background.start("dns-udp", this::run);
    }

    private void run() {
        Responder responder = responders.get();
        ByteBuffer in = ByteBuffer.allocateDirect(Question.MAX_OCTETS + 1);
        ByteBuffer out = ByteBuffer.allocateDirect(Answer.MAX_OCTETS);
        byte[] message = new byte[Question.MAX_OCTETS + 1];
        while (!closing) {
            try {
                in.clear();
                SocketAddress client = channel.receive(in);
                int length = in.position();
                in.get(0, message, 0, length);
                if (client instanceof InetSocketAddress sender && length <= Question.MAX_OCTETS) {
                    one(responder, message, length, sender, out);
                } else {
                    counts.ignored.increment();
                }
            } catch (ClosedChannelException closed) {
                return;
            } catch (IOException e) {
                // of one datagram: what a firewall or a client that left says to a send
                LOG.debug("dns: {}", e.toString());
            } catch (RuntimeException | InternalError fault) {
                counts.faults.increment();
                LOG.error("dns: a question was not answered", fault);
            }
        }
    }

    private void one(Responder responder, byte[] message, int length, InetSocketAddress sender, ByteBuffer out)
            throws IOException {
        InetAddress client = sender.getAddress();
        int answered = switch (rules.get().limit().permit(client, System.nanoTime())) {
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
            if (suspects.run(() -> suspect(kept, sender))) {
                return;
            }
            counts.reached(Limit.SUSPECTS);
            answered = responder.cannotSay(message, length);
        }
        if (answered > 0) {
            out.clear().put(responder.octets(), 0, answered).flip();
            channel.send(out, sender);
        }
    }

    private void suspect(byte[] message, InetSocketAddress sender) {
        try {
            Responder responder = responders.get();
            int answered = responder.answerInTime(message, message.length, sender.getAddress(), Transport.UDP);
            if (answered > 0) {
                channel.send(ByteBuffer.wrap(responder.octets(), 0, answered), sender);
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
    }

    @Override
    public void close() throws IOException {
        closing = true;
        channel.close();
        thread.close();
    }
}
