package org.bloomgate.dns;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;

/// A socket that takes and sends up to [#BATCH] datagrams by one call of the system: a busy door spends most of its
/// time in such calls, and in waking who waits for an answer.
///
/// Memory is laid out as `struct mmsghdr`, `iovec` and `sockaddr_in` or `sockaddr_in6` of 64-bit Linux are. The address
/// of a sender is never decoded but to ask who it is, and an object is made of it only when it differs from the one
/// before.
final class LinuxSocket implements UdpSocket {
    /// Datagrams by one call. More would keep the first answer waiting for the last one.
    static final int BATCH = 16;

    // struct mmsghdr: the address and its length, the pieces and their number, nothing aside, octets received
    private static final int HEADER_BYTES = 64;
    private static final int HEADER_NAME_LENGTH = 8;
    private static final int HEADER_PIECES = 16;
    private static final int HEADER_PIECE_COUNT = 24;
    private static final int HEADER_RECEIVED = 56;

    // struct iovec
    private static final int PIECE_BYTES = 16;
    private static final int PIECE_LENGTH = 8;

    // struct sockaddr_in and sockaddr_in6
    private static final int NAME_BYTES = 32;
    private static final int NAME_PORT = 2;
    private static final int NAME_IPV4 = 4;
    private static final int NAME_IPV6 = 8;
    private static final int NAME_SCOPE = 24;
    private static final int IPV4_NAME_LENGTH = 16;
    private static final int IPV6_NAME_LENGTH = 28;

    private static final int IN_BYTES = Question.MAX_OCTETS + 8;
    private static final ValueLayout.OfShort PORT = JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);

    private final int socket;
    private final int family;
    private final MemorySegment fault = LinuxCalls.fault();
    private final Batch in = new Batch(BATCH, IN_BYTES, Question.MAX_OCTETS + 1);
    private final Batch out = new Batch(BATCH, Answer.MAX_UDP_BYTES, 0);
    private int pending;
    private InetAddress last = InetAddress.ofLiteral("::");
    private long lastHigh;
    private long lastLow;

    private final MemorySegment lateFault = LinuxCalls.fault();
    private final Batch late = new Batch(1, Answer.MAX_UDP_BYTES, 0);
    private boolean closed;

    /// Headers, addresses and octets of some datagrams.
    private static final class Batch {
        final MemorySegment headers;
        final MemorySegment names;
        final MemorySegment pieces;
        final MemorySegment octets;
        final int slotBytes;

        Batch(int count, int slotBytes, int room) {
            Arena arena = Arena.ofAuto();
            this.slotBytes = slotBytes;
            headers = arena.allocate((long) count * HEADER_BYTES, 8);
            names = arena.allocate((long) count * NAME_BYTES, 8);
            pieces = arena.allocate((long) count * PIECE_BYTES, 8);
            octets = arena.allocate((long) count * slotBytes, 8);
            for (long i = 0; i < count; i++) {
                headers.set(ADDRESS, i * HEADER_BYTES, names.asSlice(i * NAME_BYTES));
                headers.set(JAVA_INT, i * HEADER_BYTES + HEADER_NAME_LENGTH, NAME_BYTES);
                headers.set(ADDRESS, i * HEADER_BYTES + HEADER_PIECES, pieces.asSlice(i * PIECE_BYTES));
                headers.set(JAVA_LONG, i * HEADER_BYTES + HEADER_PIECE_COUNT, 1);
                pieces.set(ADDRESS, i * PIECE_BYTES, octets.asSlice(i * slotBytes));
                pieces.set(JAVA_LONG, i * PIECE_BYTES + PIECE_LENGTH, room);
            }
        }

        int nameLength(int slot) {
            return headers.get(JAVA_INT, (long) slot * HEADER_BYTES + HEADER_NAME_LENGTH);
        }

        void nameLength(int slot, int length) {
            headers.set(JAVA_INT, (long) slot * HEADER_BYTES + HEADER_NAME_LENGTH, length);
        }

        void fill(int slot, byte[] from, int length) {
            MemorySegment.copy(from, 0, octets, JAVA_BYTE, (long) slot * slotBytes, length);
            pieces.set(JAVA_LONG, (long) slot * PIECE_BYTES + PIECE_LENGTH, length);
        }
    }

    private LinuxSocket(int socket, int family) {
        this.socket = socket;
        this.family = family;
    }

    static LinuxSocket bind(InetSocketAddress at, boolean shared) throws IOException {
        int family = UdpSocket.isIpv4(at) ? LinuxCalls.AF_INET : LinuxCalls.AF_INET6;
        int socket = LinuxCalls.socket(family, shared, RECEIVE_BUFFER_BYTES);
        try {
            MemorySegment name = Arena.ofAuto().allocate(NAME_BYTES, 8);
            LinuxCalls.bind(socket, name, write(at, family, name, 0));
            return new LinuxSocket(socket, family);
        } catch (IOException e) {
            LinuxCalls.close(socket);
            throw e;
        }
    }

    /// Whether a datagram can be asked for; a sandbox may know the call and deny it.
    boolean works() {
        return LinuxCalls.receive(fault, socket, in.headers, 1, LinuxCalls.MSG_DONTWAIT | LinuxCalls.MSG_PEEK) >= 0
                || LinuxCalls.code(fault) == LinuxCalls.EAGAIN;
    }

    @Override
    public int receive() throws IOException {
        for (int i = 0; i < BATCH; i++) {
            in.nameLength(i, NAME_BYTES);
        }
        int count = LinuxCalls.receive(fault, socket, in.headers, BATCH, LinuxCalls.MSG_WAITFORONE);
        if (count >= 0) {
            return withoutEnd(count);
        }
        int code = LinuxCalls.code(fault);
        if (code == LinuxCalls.EINTR || code == LinuxCalls.EAGAIN) {
            return 0;
        }
        throw LinuxCalls.refused(code);
    }

    /// A socket that was stopped gives datagrams of nobody.
    private int withoutEnd(int count) {
        int left = count;
        while (left > 0 && in.nameLength(left - 1) == 0) {
            left--;
        }
        return left;
    }

    @Override
    public int read(int datagram, byte[] into) {
        int received = in.headers.get(JAVA_INT, (long) datagram * HEADER_BYTES + HEADER_RECEIVED);
        int length = Math.min(received, into.length);
        MemorySegment.copy(in.octets, JAVA_BYTE, (long) datagram * IN_BYTES, into, 0, length);
        return length;
    }

    @Override
    public InetAddress client(int datagram) {
        long at = (long) datagram * NAME_BYTES;
        boolean ipv4 = in.names.get(JAVA_SHORT, at) == LinuxCalls.AF_INET;
        long high = ipv4 ? 0 : in.names.get(JAVA_LONG, at + NAME_IPV6);
        long low = ipv4 ? in.names.get(JAVA_INT, at + NAME_IPV4) : in.names.get(JAVA_LONG, at + NAME_IPV6 + 8);
        if (high != lastHigh || low != lastLow) {
            last = sender(datagram).getAddress();
            lastHigh = high;
            lastLow = low;
        }
        return last;
    }

    @Override
    public InetSocketAddress sender(int datagram) {
        MemorySegment name = in.names.asSlice((long) datagram * NAME_BYTES, NAME_BYTES);
        int port = Short.toUnsignedInt(name.get(PORT, NAME_PORT));
        boolean ipv4 = name.get(JAVA_SHORT, 0) == LinuxCalls.AF_INET;
        byte[] octets =
                name.asSlice(ipv4 ? NAME_IPV4 : NAME_IPV6, ipv4 ? 4 : 16).toArray(JAVA_BYTE);
        try {
            InetAddress address = InetAddress.getByAddress(octets);
            int scope = ipv4 ? 0 : name.get(JAVA_INT, NAME_SCOPE);
            return new InetSocketAddress(scope == 0 ? address : Inet6Address.getByAddress(null, octets, scope), port);
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException("four or sixteen octets are an address", impossible);
        }
    }

    @Override
    public void answer(int datagram, byte[] octets, int length) {
        out.fill(pending, octets, length);
        MemorySegment.copy(in.names, (long) datagram * NAME_BYTES, out.names, (long) pending * NAME_BYTES, NAME_BYTES);
        out.nameLength(pending, in.nameLength(datagram));
        pending++;
    }

    @Override
    public void flush() throws IOException {
        int sent = 0;
        int failed = 0;
        while (sent < pending) {
            MemorySegment rest = out.headers.asSlice((long) sent * HEADER_BYTES);
            int count = LinuxCalls.send(fault, socket, rest, pending - sent);
            if (count < 0 && LinuxCalls.code(fault) != LinuxCalls.EINTR) {
                failed = LinuxCalls.code(fault);
                sent++;
            } else {
                sent += Math.max(0, count);
            }
        }
        pending = 0;
        if (failed != 0) {
            throw LinuxCalls.refused(failed);
        }
    }

    @Override
    public synchronized void send(byte[] octets, int length, InetSocketAddress to) throws IOException {
        if (closed) {
            throw new IOException("closed");
        }
        late.fill(0, octets, length);
        late.nameLength(0, write(to, family, late.names, 0));
        if (LinuxCalls.send(lateFault, socket, late.headers, 1) < 0) {
            throw LinuxCalls.refused(LinuxCalls.code(lateFault));
        }
    }

    /// @return octets of the address
    private static int write(InetSocketAddress address, int family, MemorySegment names, long at) {
        byte[] octets = address.getAddress().getAddress();
        names.set(JAVA_SHORT, at, (short) family);
        names.set(PORT, at + NAME_PORT, (short) address.getPort());
        if (family == LinuxCalls.AF_INET) {
            MemorySegment.copy(octets, 0, names, JAVA_BYTE, at + NAME_IPV4, octets.length);
            return IPV4_NAME_LENGTH;
        }
        names.asSlice(at + NAME_IPV4, NAME_BYTES - NAME_IPV4).fill((byte) 0);
        if (address.getAddress() instanceof Inet4Address) {
            // mapped: ::ffff:192.0.2.1
            names.set(JAVA_SHORT, at + NAME_IPV6 + 10, (short) -1);
        }
        MemorySegment.copy(octets, 0, names, JAVA_BYTE, at + NAME_IPV6 + 16 - octets.length, octets.length);
        if (address.getAddress() instanceof Inet6Address scoped) {
            names.set(JAVA_INT, at + NAME_SCOPE, scoped.getScopeId());
        }
        return IPV6_NAME_LENGTH;
    }

    @Override
    public synchronized void stop() {
        if (!closed) {
            LinuxCalls.stop(socket);
        }
    }

    /// Nobody may receive any more: the system gives the number of the socket to whoever opens the next.
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            LinuxCalls.close(socket);
        }
    }
}
