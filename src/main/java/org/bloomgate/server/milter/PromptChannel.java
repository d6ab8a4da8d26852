package org.bloomgate.server.milter;

import java.io.IOException;
import java.net.SocketOption;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.SocketChannel;
import jdk.net.ExtendedSocketOptions;

/// A TCP connection whose bytes are acknowledged as they are read. A mail server writes several frames that get no
/// answer, each by itself; unless it has `TCP_NODELAY`, which Postfix has not, its system sends the second when the
/// first is acknowledged (RFC 896), and ours would acknowledge after 40 ms, in the hope of an answer to go with it.
///
/// Linux forgets the option with what it answers, so it is set with each read.
final class PromptChannel implements ByteChannel {
    private static final SocketOption<Boolean> PROMPT = ExtendedSocketOptions.TCP_QUICKACK;

    private final SocketChannel channel;

    private PromptChannel(SocketChannel channel) {
        this.channel = channel;
    }

    /// The channel itself where it is no TCP or the system has no such option.
    static ByteChannel of(SocketChannel channel) throws IOException {
        boolean can = channel.supportedOptions().contains(PROMPT)
                && !(channel.getLocalAddress() instanceof UnixDomainSocketAddress);
        return can ? new PromptChannel(channel) : channel;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        int read = channel.read(into);
        if (read > 0) {
            channel.setOption(PROMPT, true);
        }
        return read;
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        return channel.write(from);
    }

    @Override
    public boolean isOpen() {
        return channel.isOpen();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
