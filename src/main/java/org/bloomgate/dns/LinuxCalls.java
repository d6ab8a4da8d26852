package org.bloomgate.dns;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Set;

/// The calls of Linux that take and send many datagrams at once, `recvmmsg(2)` and `sendmmsg(2)`, and what a socket
/// for them needs. The JDK has no way to them. Numbers are those of x86-64 and AArch64. Thread-safe.
final class LinuxCalls {
    static final int AF_INET = 2;
    static final int AF_INET6 = 10;
    static final int EINTR = 4;
    static final int EAGAIN = 11;
    static final int MSG_PEEK = 2;
    static final int MSG_DONTWAIT = 0x40;

    /// Waits for the first datagram only.
    static final int MSG_WAITFORONE = 0x10000;

    private static final int SOCK_DGRAM_CLOEXEC = 2 | 0x80000;
    private static final int SOL_SOCKET = 1;
    private static final int SO_RCVBUF = 8;
    private static final int SO_REUSEPORT = 15;
    private static final int IPPROTO_IPV6 = 41;
    private static final int IPV6_V6ONLY = 26;
    private static final int SHUT_RD = 0;

    private static final Set<String> PROCESSORS = Set.of("amd64", "aarch64");
    private static final boolean HERE = System.getProperty("os.name").equals("Linux")
            && PROCESSORS.contains(System.getProperty("os.arch"))
            && ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN
            // the manifest of the jar asks for it; without it the JDK would warn at every start
            && LinuxCalls.class.getModule().isNativeAccessEnabled();

    private LinuxCalls() {}

    /// Whether the calls can be made on this system. A sandbox may still deny them.
    static boolean areThere() {
        return HERE;
    }

    /// The functions of the C library; loaded only where they are.
    private static final class Functions {
        static final Linker LINKER = Linker.nativeLinker();
        static final VarHandle ERRNO =
                Linker.Option.captureStateLayout().varHandle(MemoryLayout.PathElement.groupElement("errno"));
        static final MethodHandle RECVMMSG = function("recvmmsg", JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS);
        static final MethodHandle SENDMMSG = function("sendmmsg", JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT);
        static final MethodHandle SOCKET = function("socket", JAVA_INT, JAVA_INT, JAVA_INT);
        static final MethodHandle BIND = function("bind", JAVA_INT, ADDRESS, JAVA_INT);
        static final MethodHandle SETSOCKOPT = function("setsockopt", JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
        static final MethodHandle SHUTDOWN = function("shutdown", JAVA_INT, JAVA_INT);
        static final MethodHandle CLOSE = function("close", JAVA_INT);
        static final MethodHandle STRERROR = LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow("strerror"), FunctionDescriptor.of(ADDRESS, JAVA_INT));

        private static MethodHandle function(String name, MemoryLayout... arguments) {
            return LINKER.downcallHandle(
                    LINKER.defaultLookup().findOrThrow(name),
                    FunctionDescriptor.of(JAVA_INT, arguments),
                    Linker.Option.captureCallState("errno"));
        }
    }

    /// Where a call leaves why it failed; one for each thread that calls.
    static MemorySegment fault() {
        return Arena.ofAuto().allocate(Linker.Option.captureStateLayout());
    }

    static int code(MemorySegment fault) {
        return (int) Functions.ERRNO.get(fault, 0L);
    }

    /// @return datagrams taken, negative when none was: [#code] says why
    static int receive(MemorySegment fault, int socket, MemorySegment headers, int count, int flags) {
        try {
            return (int) Functions.RECVMMSG.invokeExact(fault, socket, headers, count, flags, MemorySegment.NULL);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /// @return datagrams sent, negative when the first was not: [#code] says why
    static int send(MemorySegment fault, int socket, MemorySegment headers, int count) {
        try {
            return (int) Functions.SENDMMSG.invokeExact(fault, socket, headers, count, 0);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /// A socket for datagrams, of both families when it is not of IPv4.
    static int socket(int family, boolean shared, int receiveBytes) throws IOException {
        try {
            MemorySegment fault = fault();
            int socket = done((int) Functions.SOCKET.invokeExact(fault, family, SOCK_DGRAM_CLOEXEC, 0), fault);
            try {
                if (shared) {
                    set(socket, SOL_SOCKET, SO_REUSEPORT, 1);
                }
                if (family == AF_INET6) {
                    set(socket, IPPROTO_IPV6, IPV6_V6ONLY, 0);
                }
                set(socket, SOL_SOCKET, SO_RCVBUF, receiveBytes);
                return socket;
            } catch (IOException e) {
                close(socket);
                throw e;
            }
        } catch (IOException e) {
            throw e;
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    private static void set(int socket, int level, int option, int value) throws Throwable {
        MemorySegment fault = fault();
        MemorySegment octets = Arena.ofAuto().allocateFrom(JAVA_INT, value);
        int _ = done(
                (int) Functions.SETSOCKOPT.invokeExact(fault, socket, level, option, octets, (int) JAVA_INT.byteSize()),
                fault);
    }

    static void bind(int socket, MemorySegment address, int length) throws IOException {
        MemorySegment fault = fault();
        try {
            int _ = done((int) Functions.BIND.invokeExact(fault, socket, address, length), fault);
        } catch (IOException e) {
            throw e;
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /// Ends the wait of who receives. "Not connected" is what it says of a socket that it has stopped.
    static void stop(int socket) {
        try {
            int _ = (int) Functions.SHUTDOWN.invokeExact(fault(), socket, SHUT_RD);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    static void close(int socket) {
        try {
            int _ = (int) Functions.CLOSE.invokeExact(fault(), socket);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    private static int done(int result, MemorySegment fault) throws IOException {
        if (result < 0) {
            throw refused(code(fault));
        }
        return result;
    }

    /// As the C library words it.
    static IOException refused(int code) {
        try {
            MemorySegment text = (MemorySegment) Functions.STRERROR.invokeExact(code);
            return new IOException(text.reinterpret(Short.MAX_VALUE).getString(0));
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    private static Error impossible(Throwable e) {
        return e instanceof Error known ? known : new AssertionError("a function of C throws nothing", e);
    }
}
