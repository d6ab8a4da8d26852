package org.bloomgate.server.milter;

import java.io.IOException;
import java.net.SocketOption;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.SocketChannel;
import jdk.net.ExtendedSocketOptions;

/// A TCP connection that acknowledges bytes as soon as they are read. A mail server writes several frames
/// without waiting for a response, each by itself. Without `TCP_NODELAY`, as in Postfix, its system sends the
/// second frame only after the first is acknowledged (RFC 896), and this system would delay the acknowledgement
/// by 40 ms to send it with a response.
///
/// Linux resets the option, so it is set with each read.
final class PromptChannel implements ByteChannel {
    private static final SocketOption<Boolean> QUICK_ACK = ExtendedSocketOptions.TCP_QUICKACK;

    private final SocketChannel channel;

    private PromptChannel(SocketChannel channel) {
        this.channel = channel;
    }

    /// Returns the channel itself if it is not TCP or the system does not have the option.
    static ByteChannel of(SocketChannel channel) throws IOException {
        boolean isSupported = channel.supportedOptions().contains(QUICK_ACK)
                && !(channel.getLocalAddress() instanceof UnixDomainSocketAddress);
        return isSupported ? new PromptChannel(channel) : channel;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        int read = channel.read(into);
        if (read > 0) {
            channel.setOption(QUICK_ACK, true);
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
