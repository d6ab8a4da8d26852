package org.bloomgate.server.smtp;

import java.nio.charset.StandardCharsets;
import org.bloomgate.server.spool.OwnFieldName;
import org.bloomgate.server.spool.TagFields;

/// Removes the fields that only this relay may write from the header of a message, `X-Bloomgate-*` and names
/// that look like it ([OwnFieldName]), and counts the `Received` fields. Field names are ASCII and
/// case-insensitive (RFC 5322 1.2.2). A first line that begins with a blank would continue the field that the
/// relay adds above it, so it gets a field name.
final class HeaderFilter implements DataScanner.Sink {
    private static final byte[] STRAY = (TagFields.PREFIX + "Stray:").getBytes(StandardCharsets.US_ASCII);

    /// The most bytes of a field name that are examined. Only a name with invalid bytes that looks like ours is
    /// longer.
    private static final int MAX_NAME_BYTES = 128;

    private static final byte[] RECEIVED = "received:".getBytes(StandardCharsets.US_ASCII);

    private final DataScanner.Sink sink;
    private final byte[] start = new byte[MAX_NAME_BYTES];
    private final OwnFieldName name = new OwnFieldName();
    private OwnFieldName.Match match = OwnFieldName.Match.OPEN;
    private int startBytes;
    private boolean firstLine = true;
    private boolean atStart = true;
    private boolean dropping;
    private boolean inBody;
    private int receivedFields;

    HeaderFilter(DataScanner.Sink sink) {
        this.sink = sink;
    }

    int receivedFields() {
        return receivedFields;
    }

    /// Writes the rest of a message without a last line end.
    void finish() {
        if (startBytes > 0) {
            decide(false);
        }
    }

    @Override
    public void write(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && !inBody) {
            at = atStart ? lineStart(bytes, at, to) : restOfLine(bytes, at, to);
        }
        sink.write(bytes, at, to);
    }

    /// Collects enough bytes to recognise the field, however it is split over blocks.
    private int lineStart(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && atStart && !inBody) {
            byte b = bytes[at++];
            start[startBytes++] = b;
            boolean ended = b == '\n' || b == ':' || isBlank(start[0]);
            if (match == OwnFieldName.Match.OPEN && !ended) {
                match = name.take(b & 0xff);
            }
            if (b == '\n' || !undecided(ended)) {
                decide(b == '\n');
            }
        }
        return at;
    }

    private boolean undecided(boolean ended) {
        boolean possible = match == OwnFieldName.Match.OPEN || matches(RECEIVED);
        return possible && !ended && startBytes < start.length;
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
    }

    private void decide(boolean wholeLine) {
        boolean continuation = isBlank(start[0]);
        if (!continuation) {
            dropping = match == OwnFieldName.Match.OWN || (match == OwnFieldName.Match.OPEN && name.isLikeOwn());
        } else if (firstLine) {
            sink.write(STRAY, 0, STRAY.length);
        }
        firstLine = false;
        receivedFields += startBytes >= RECEIVED.length && matches(RECEIVED) ? 1 : 0;
        inBody = wholeLine && startBytes == 2 && start[0] == '\r';
        if (!dropping) {
            sink.write(start, 0, startBytes);
        }
        startBytes = 0;
        name.reset();
        match = OwnFieldName.Match.OPEN;
        atStart = wholeLine;
    }

    private boolean matches(byte[] name) {
        if (startBytes > name.length) {
            return false;
        }
        int length = startBytes;
        for (int i = 0; i < length; i++) {
            byte b = start[i];
            int lower = b >= 'A' && b <= 'Z' ? b + ('a' - 'A') : b;
            if (lower != name[i]) {
                return false;
            }
        }
        return true;
    }

    private int restOfLine(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && bytes[at] != '\n') {
            at++;
        }
        if (at < to) {
            at++;
            atStart = true;
        }
        if (!dropping) {
            sink.write(bytes, from, at);
        }
        return at;
    }
}
