package org.bloomgate.server.smtp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.core.smtp.Capabilities;
import org.bloomgate.core.smtp.ClientIdentity;
import org.bloomgate.core.smtp.Reply;
import org.bloomgate.server.nexthop.MessageBytes;
import org.bloomgate.server.nexthop.NextHop;
import org.bloomgate.server.nexthop.NextHopTransaction;

/// A next hop in memory that writes down what it gets and answers as it was told, otherwise 250.
public final class RecordingNextHop implements NextHop {
    private volatile Capabilities capabilities;
    private volatile Optional<NextHop> instead = Optional.empty();
    private final Map<String, Reply> replies;
    private final List<String> record = Collections.synchronizedList(new ArrayList<>());
    private final List<ClientIdentity> clients = Collections.synchronizedList(new ArrayList<>());
    private volatile int places = Integer.MAX_VALUE;
    private final List<byte[]> messages = Collections.synchronizedList(new ArrayList<>());

    /// @param replies by command, for instance `RCPT TO:<a@b.example>`
    public RecordingNextHop(Capabilities capabilities, Map<String, Reply> replies) {
        this.capabilities = capabilities;
        this.replies = replies;
    }

    /// Has so few places from now on.
    void nowHasPlaces(int most) {
        places = most;
    }

    @Override
    public int maxTransactions() {
        return places;
    }

    /// Announces something else from now on.
    void nowOffers(Capabilities other) {
        capabilities = other;
    }

    /// Passes everything on from now on.
    void become(NextHop other) {
        instead = Optional.of(other);
    }

    /// Commands in order; for a message its tags and bytes, `END` for a transaction closed without one.
    public List<String> record() {
        return List.copyOf(record);
    }

    /// Whom each transaction was said to be from.
    List<ClientIdentity> clients() {
        return List.copyOf(clients);
    }

    /// Messages with the fields that were put on top.
    public List<byte[]> messages() {
        return List.copyOf(messages);
    }

    @Override
    public Capabilities capabilities() {
        return instead.map(NextHop::capabilities).orElse(capabilities);
    }

    @Override
    public List<String> ehloLines() {
        return instead.map(NextHop::ehloLines).orElse(List.of());
    }

    @Override
    public NextHopTransaction begin(ClientIdentity client) {
        clients.add(client);
        return instead.map(other -> other.begin(client)).orElseGet(Transaction::new);
    }

    @Override
    public void close() {}

    private final class Transaction implements NextHopTransaction {
        private boolean complete;

        @Override
        public Reply mail(String arguments) {
            return answer("MAIL " + arguments, Reply.of(250, "2.1.0", "sender ok"));
        }

        @Override
        public Reply rcpt(String arguments) {
            return answer("RCPT " + arguments, Reply.of(250, "2.1.5", "recipient ok"));
        }

        private Reply answer(String command, Reply usual) {
            record.add(command);
            return replies.getOrDefault(command, usual);
        }

        @Override
        public Reply data(byte[] top, MessageBytes message) {
            byte[] bytes = bytes(message);
            byte[] whole = new byte[top.length + bytes.length];
            System.arraycopy(top, 0, whole, 0, top.length);
            System.arraycopy(bytes, 0, whole, top.length, bytes.length);
            messages.add(whole);
            for (String line : new String(top, ISO_8859_1).split("\r\n", -1)) {
                if (line.startsWith("X-")) {
                    record.add("TAG " + line);
                } else if (line.startsWith("Subject")) {
                    record.add("TOP " + line);
                }
            }
            complete = true;
            Reply usual = Reply.of(250, "2.0.0", "kept");
            Reply reply = replies.getOrDefault("DATA", usual);
            record.add("DATA " + RelayScript.escaped(new String(bytes, ISO_8859_1)));
            return reply;
        }

        private byte[] bytes(MessageBytes message) {
            try (InputStream stream = message.open()) {
                byte[] bytes = stream.readAllBytes();
                if (bytes.length != message.sizeBytes()) {
                    record.add("SIZE " + message.sizeBytes() + " IS WRONG");
                }
                return bytes;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {
            if (!complete) {
                record.add("END");
            }
        }
    }
}
