package org.bloomgate.server.milter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import jdk.net.ExtendedSocketOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class PromptChannelIT {
    @Test
    void whatIsReadIsAcknowledgedAtOnceWhereTheSystemCan() throws IOException {
        try (ServerSocketChannel listener =
                        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0));
                SocketChannel mailServer = SocketChannel.open(listener.getLocalAddress());
                SocketChannel accepted = listener.accept();
                ByteChannel prompt = PromptChannel.of(accepted)) {
            boolean can = accepted.supportedOptions().contains(ExtendedSocketOptions.TCP_QUICKACK);
            if (can) {
                accepted.setOption(ExtendedSocketOptions.TCP_QUICKACK, false);
            }
            assertEquals(2, mailServer.write(ByteBuffer.wrap(new byte[] {1, 2})));
            ByteBuffer read = ByteBuffer.allocate(8);
            assertEquals(2, prompt.read(read));
            assertEquals(ByteBuffer.wrap(new byte[] {1, 2}), read.flip());
            assertTrue(!can || accepted.getOption(ExtendedSocketOptions.TCP_QUICKACK));
            assertEquals(1, prompt.write(ByteBuffer.wrap(new byte[] {3})));
            assertEquals(1, mailServer.read(read.clear()));
            assertTrue(prompt.isOpen());
            mailServer.shutdownOutput();
            assertEquals(-1, prompt.read(read.clear()));
        }
    }

    @Test
    void aUnixSocketStaysAsItIs(@TempDir Path folder) throws IOException {
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(folder.resolve("milter"));
        try (ServerSocketChannel listener =
                        ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(address);
                SocketChannel mailServer = SocketChannel.open(address);
                SocketChannel accepted = listener.accept()) {
            assertSame(accepted, PromptChannel.of(accepted));
            assertTrue(mailServer.isConnected());
        }
    }
}
