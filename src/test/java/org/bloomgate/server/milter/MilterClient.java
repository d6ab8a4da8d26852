package org.bloomgate.server.milter;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/// The mail server's side of the protocol: sends frames, reads answers, and carries out what it is told.
public final class MilterClient implements AutoCloseable {
    /// All that Postfix 3.7 offers.
    public static final int ALL_ACTIONS = 0x1ff;

    public static final int ALL_STEPS = 0x1fffff;

    private static final int PIECE = 65_535;

    private final SocketChannel channel;

    private MilterClient(SocketChannel channel) {
        this.channel = channel;
    }

    public static MilterClient connect(SocketAddress address) throws IOException {
        SocketChannel channel = SocketChannel.open(address);
        if (address instanceof InetSocketAddress) {
            // as a mail server does: frames that wait for no answer must not wait for an acknowledgement
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        }
        return new MilterClient(channel);
    }

    public static MilterClient connect(int port) throws IOException {
        return connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    /// What became of a message.
    ///
    /// @param answers the decisive ones: to each recipient, and to the message when one was accepted
    /// @param message after the edits
    public record Outcome(List<String> answers, String message) {
        public String last() {
            return answers.getLast();
        }
    }

    /// Offers everything, as Postfix and Sendmail do.
    public void negotiate() throws IOException {
        send('O', word(6) + word(ALL_ACTIONS) + word(ALL_STEPS));
        read();
    }

    /// The same, and names the client.
    public void greet(String address, String helo) throws IOException {
        negotiate();
        send('C', "client.example\0" + "4" + "\u00c0\0" + address + "\0");
        read();
        send('H', helo + "\0");
    }

    /// One message, up to its end or to the refusal of its last recipient.
    public Outcome mail(String sender, List<String> recipients, String message) throws IOException {
        send('M', "<" + sender + ">\0");
        List<String> answers = new ArrayList<>(List.of(read()));
        boolean accepted = false;
        for (String recipient : recipients) {
            send('R', "<" + recipient + ">\0");
            answers.add(read());
            accepted |= answers.getLast().equals("c");
        }
        if (!accepted) {
            send('A', "");
            return new Outcome(answers, "");
        }
        ReceivedMessage received = ReceivedMessage.of(message);
        for (ReceivedMessage.Field field : received.fields()) {
            send('L', field.name() + "\0" + field.value() + "\0");
        }
        for (int at = 0; at < received.body().length(); at += PIECE) {
            send(
                    'B',
                    received.body()
                            .substring(at, Math.min(at + PIECE, received.body().length())));
        }
        send('E', "");
        return end(answers, received);
    }

    private Outcome end(List<String> answers, ReceivedMessage received) throws IOException {
        String answer = read();
        while ("im-".indexOf(answer.charAt(0)) >= 0) {
            received.edit(answer);
            answers.add(answer);
            answer = read();
        }
        answers.add(answer);
        return new Outcome(answers, received.text());
    }

    /// @param data one byte a character
    public void send(char command, String data) throws IOException {
        sendBytes(word(data.length() + 1) + command + data);
    }

    public void sendBytes(String bytes) throws IOException {
        ByteBuffer all = ByteBuffer.wrap(bytes.getBytes(ISO_8859_1));
        while (all.hasRemaining()) {
            channel.write(all);
        }
    }

    /// The next answer but for progress, one byte a character.
    public String read() throws IOException {
        String answer = readAny();
        while (answer.equals("p")) {
            answer = readAny();
        }
        return answer;
    }

    public String readAny() throws IOException {
        int length = ByteBuffer.wrap(bytes(Integer.BYTES)).getInt();
        return new String(bytes(length), ISO_8859_1);
    }

    private byte[] bytes(int count) throws IOException {
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        while (read.size() < count) {
            ByteBuffer piece = ByteBuffer.allocate(count - read.size());
            if (channel.read(piece) < 0) {
                throw new EOFException("closed by the milter");
            }
            read.write(piece.array(), 0, piece.position());
        }
        return read.toByteArray();
    }

    /// Four bytes.
    public static String word(int value) {
        return new String(ByteBuffer.allocate(Integer.BYTES).putInt(value).array(), ISO_8859_1);
    }

    /// Returns when the milter has closed: what it does after its last answer is done.
    public void quit() throws IOException {
        send('Q', "");
        while (channel.read(ByteBuffer.allocate(1)) >= 0) {
            // answers that nobody read
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
