package org.bloomgate.dns;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/// A socket that datagrams are taken from, as many as are there, and answered on. One thread receives, reads, answers
/// and flushes; sending and stopping is for any.
sealed interface UdpSocket extends AutoCloseable permits ChannelSocket, LinuxSocket {
    int RECEIVE_BUFFER_BYTES = 1 << 20;

    /// Binds one by the calls of Linux where they can be made, else by those of the JDK.
    ///
    /// @param shared whether others of this process are bound to the same address
    static UdpSocket bind(InetSocketAddress at, boolean shared) throws IOException {
        if (LinuxCalls.areThere()) {
            LinuxSocket socket = LinuxSocket.bind(at, shared);
            if (socket.works()) {
                return socket;
            }
            socket.close();
        }
        return ChannelSocket.bind(at, shared);
    }

    /// Whether several may be bound to one address, so that the system parts the datagrams among them.
    static boolean canBeShared() {
        return LinuxCalls.areThere() || ChannelSocket.canBeShared();
    }

    static boolean isIpv4(InetSocketAddress address) {
        return address.getAddress() instanceof Inet4Address;
    }

    /// Waits for a datagram and takes what is there; what was taken before is forgotten.
    ///
    /// @return how many; 0 when the wait was ended
    int receive() throws IOException;

    /// Copies a datagram as far as there is room.
    ///
    /// @param datagram from 0
    /// @return octets copied
    int read(int datagram, byte[] into);

    InetAddress client(int datagram);

    InetSocketAddress sender(int datagram);

    /// Sends to the datagram's sender, with [#flush] at the latest.
    ///
    /// @param length at most [Answer#MAX_UDP_BYTES]
    void answer(int datagram, byte[] octets, int length) throws IOException;

    /// @throws IOException when one could not be sent; the others are
    void flush() throws IOException;

    /// Sends at once.
    void send(byte[] octets, int length, InetSocketAddress to) throws IOException;

    /// Ends the wait, now and from now on; answers can still be sent.
    void stop() throws IOException;

    @Override
    void close() throws IOException;
}
