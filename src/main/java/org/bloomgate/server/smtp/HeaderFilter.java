package org.bloomgate.server.smtp;

import java.nio.charset.StandardCharsets;
import org.bloomgate.server.spool.OwnFieldName;
import org.bloomgate.server.spool.TagFields;

/// Lets a message pass but for the fields in its header that only this relay may write, `X-Bloomgate-*`
/// and what looks like it ([OwnFieldName]), and counts the `Received` fields. Field names are ASCII and
/// case does not matter (RFC 5322 1.2.2). A message whose first line begins with a blank would continue
/// the field that is put on top of it: that line gets a name of its own.
final class HeaderFilter implements DataScanner.Sink {
    private static final byte[] STRAY = (TagFields.PREFIX + "Stray:").getBytes(StandardCharsets.US_ASCII);

    /// A name is not looked at further: of a longer one that begins like ours and has bytes in it that
    /// no name holds.
    private static final int MOST_BYTES = 128;

    private static final byte[] RECEIVED = "received:".getBytes(StandardCharsets.US_ASCII);

    private final DataScanner.Sink sink;
    private final byte[] start = new byte[MOST_BYTES];
    private final OwnFieldName name = new OwnFieldName();
    private OwnFieldName.Answer own = OwnFieldName.Answer.OPEN;
    private int startBytes;
    private boolean firstLine = true;
    private boolean atStart = true;
    private boolean dropping;
    private boolean body;
    private int receivedFields;

    HeaderFilter(DataScanner.Sink sink) {
        this.sink = sink;
    }

    int receivedFields() {
        return receivedFields;
    }

    /// Passes on what a message without a last line end left undecided.
    void finish() {
        if (startBytes > 0) {
            decide(false);
        }
    }

    @Override
    public void write(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && !body) {
            at = atStart ? lineStart(bytes, at, to) : restOfLine(bytes, at, to);
        }
        sink.write(bytes, at, to);
    }

    /// Collects enough bytes to recognise the field, however it is split over blocks.
    private int lineStart(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && atStart && !body) {
            byte b = bytes[at++];
            start[startBytes++] = b;
            boolean ended = b == '\n' || b == ':' || isBlank(start[0]);
            if (own == OwnFieldName.Answer.OPEN && !ended) {
                own = name.take(b & 0xff);
            }
            if (b == '\n' || !undecided(ended)) {
                decide(b == '\n');
            }
        }
        return at;
    }

    private boolean undecided(boolean ended) {
        boolean possible = own == OwnFieldName.Answer.OPEN || matches(RECEIVED);
        return possible && !ended && startBytes < start.length;
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
    }

    private void decide(boolean wholeLine) {
        boolean continuation = isBlank(start[0]);
        if (!continuation) {
            dropping = own == OwnFieldName.Answer.OWN || (own == OwnFieldName.Answer.OPEN && name.isLikeOwn());
        } else if (firstLine) {
            sink.write(STRAY, 0, STRAY.length);
        }
        firstLine = false;
        receivedFields += startBytes >= RECEIVED.length && matches(RECEIVED) ? 1 : 0;
        body = wholeLine && startBytes == 2 && start[0] == '\r';
        if (!dropping) {
            sink.write(start, 0, startBytes);
        }
        startBytes = 0;
        name.reset();
        own = OwnFieldName.Answer.OPEN;
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
