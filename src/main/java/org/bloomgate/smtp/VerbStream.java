package org.bloomgate.smtp;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.bloomgate.envelope.Verb;

/// Gives SubEthaSMTP one line for each command: its verb and CRLF. Hostile line ends, lengths and octets were dealt
/// with before, and a connection that failed is an orderly end, so that the library has nothing to report.
final class VerbStream extends InputStream {
    private static final byte[] NOTHING = {};

    private final ClientSession session;
    private byte[] line = NOTHING;
    private int position;

    VerbStream(ClientSession session) {
        this.session = session;
    }

    @Override
    public int read() {
        return more() ? line[position++] : -1;
    }

    @Override
    public int read(byte[] octets, int offset, int length) {
        if (length == 0) {
            return 0;
        }
        if (!more()) {
            return -1;
        }
        int taken = Math.min(length, line.length - position);
        System.arraycopy(line, position, octets, offset, taken);
        position += taken;
        return taken;
    }

    @Override
    public int available() {
        return line.length - position;
    }

    private boolean more() {
        if (position == line.length) {
            Optional<Verb> verb = session.nextVerb();
            line = verb.map(known -> (known.name() + "\r\n").getBytes(StandardCharsets.US_ASCII))
                    .orElse(NOTHING);
            position = 0;
        }
        return position < line.length;
    }
}
