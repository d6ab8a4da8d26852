package org.bloomgate.server.smtp;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bloomgate.base.net.IpLiteral;

/// The header with which a proxy states the client of a connection: HAProxy's [PROXY
/// protocol](https://www.haproxy.org/download/3.0/doc/proxy-protocol.txt), version 1 in text and 2 in binary.
///
/// No byte after the header is read: TLS may follow. The library's own handler is not used: it waits without
/// limit, logs a stack trace for each untrusted client and accepts version 2 headers of up to 64 KB.
final class ProxyHeader {
    private static final byte[] SIGNATURE = {'\r', '\n', '\r', '\n', 0, '\r', '\n', 'Q', 'U', 'I', 'T', '\n'};

    /// The longest line with its line end (section 2.1).
    private static final int MAX_LINE_BYTES = 107;

    /// Addresses take 36 bytes; the rest is for TLV extensions, which are skipped.
    private static final int MAX_BINARY_BYTES = 2_048;

    private static final Pattern LINE = Pattern.compile("PROXY (TCP4|TCP6) (\\S+) (\\S+) (\\d{1,5}) (\\d{1,5})");
    private static final Pattern UNKNOWN = Pattern.compile("PROXY UNKNOWN( [ -~]*)?");

    private ProxyHeader() {}

    /// Reads the client; empty if the connection is the proxy's own (a health check) or the client is unknown.
    ///
    /// @throws ProtocolException if the bytes are not a PROXY header
    /// @throws EOFException if the connection ends before the end of the header
    static Optional<Peer> read(InputStream in) throws IOException {
        byte[] start = readExactly(in, SIGNATURE.length);
        return Arrays.equals(start, SIGNATURE) ? binary(in) : line(start, in);
    }

    private static Optional<Peer> line(byte[] start, InputStream in) throws IOException {
        StringBuilder line = new StringBuilder(new String(start, StandardCharsets.ISO_8859_1));
        if (!line.toString().startsWith("PROXY ")) {
            throw new ProtocolException("no PROXY header");
        }
        while (line.charAt(line.length() - 1) != '\n') {
            if (line.length() == MAX_LINE_BYTES) {
                throw new ProtocolException("PROXY line too long");
            }
            line.append((char) readExactly(in, 1)[0]);
        }
        return client(line.toString());
    }

    private static Optional<Peer> client(String line) throws ProtocolException {
        String text = line.endsWith("\r\n") ? line.substring(0, line.length() - 2) : line;
        if (UNKNOWN.matcher(text).matches()) {
            return Optional.empty();
        }
        Matcher found = LINE.matcher(text);
        if (!found.matches() || !isPort(found.group(4)) || !isPort(found.group(5))) {
            throw new ProtocolException("malformed PROXY line");
        }
        boolean isIpv6 = found.group(1).equals("TCP6");
        InetAddress client = address(found.group(2), isIpv6);
        InetAddress _ = address(found.group(3), isIpv6);
        return Optional.of(new Peer(Optional.of(client), Integer.parseInt(found.group(4)), ""));
    }

    private static boolean isPort(String text) {
        return Integer.parseInt(text) <= 65_535;
    }

    private static InetAddress address(String text, boolean isIpv6) throws ProtocolException {
        return IpLiteral.parse(text)
                .filter(address -> isIpv6 == text.indexOf(':') >= 0)
                .orElseThrow(() -> new ProtocolException("malformed address in PROXY line"));
    }

    /// Section 2.2: version and command, family and transport, length, addresses, extensions.
    private static Optional<Peer> binary(InputStream in) throws IOException {
        ByteBuffer head = ByteBuffer.wrap(readExactly(in, 4));
        int command = head.get() & 0xff;
        int family = head.get() & 0xff;
        int length = head.getShort() & 0xffff;
        if (length > MAX_BINARY_BYTES) {
            throw new ProtocolException("PROXY header of " + length + " bytes");
        }
        ByteBuffer rest = ByteBuffer.wrap(readExactly(in, length));
        return switch (command) {
            case 0x20 -> Optional.empty();
            case 0x21 -> client(family, rest);
            default -> throw new ProtocolException("PROXY version and command " + command);
        };
    }

    private static Optional<Peer> client(int family, ByteBuffer addresses) throws IOException {
        return switch (family) {
            case 0x11 -> Optional.of(source(4, addresses));
            case 0x21 -> Optional.of(source(16, addresses));
            // unspecified or a Unix socket
            case 0x00, 0x31 -> Optional.empty();
            default -> throw new ProtocolException("PROXY family and transport " + family);
        };
    }

    private static Peer source(int addressBytes, ByteBuffer addresses) throws IOException {
        if (addresses.remaining() < 2 * addressBytes + 4) {
            throw new ProtocolException("PROXY header too short for its addresses");
        }
        byte[] address = new byte[addressBytes];
        addresses.get(address);
        int port = addresses.getShort(2 * addressBytes) & 0xffff;
        return new Peer(Optional.of(InetAddress.getByAddress(address)), port, "");
    }

    private static byte[] readExactly(InputStream in, int count) throws IOException {
        byte[] bytes = in.readNBytes(count);
        if (bytes.length < count) {
            throw new EOFException("connection closed inside the PROXY header");
        }
        return bytes;
    }
}
