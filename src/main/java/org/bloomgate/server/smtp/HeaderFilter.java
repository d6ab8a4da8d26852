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

    /// A name is not looked at further: of a longer one that begins like ours and has octets in it that
    /// no name holds.
    private static final int MOST_OCTETS = 128;

    private static final byte[] RECEIVED = "received:".getBytes(StandardCharsets.US_ASCII);

    private final DataScanner.Sink sink;
    private final byte[] start = new byte[MOST_OCTETS];
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
    public void write(byte[] octets, int from, int to) {
        int at = from;
        while (at < to && !body) {
            at = atStart ? lineStart(octets, at, to) : restOfLine(octets, at, to);
        }
        sink.write(octets, at, to);
    }

    /// Collects what is needed to tell the field, however it is split over blocks.
    private int lineStart(byte[] octets, int from, int to) {
        int at = from;
        while (at < to && atStart && !body) {
            byte octet = octets[at++];
            start[startBytes++] = octet;
            boolean ended = octet == '\n' || octet == ':' || isBlank(start[0]);
            if (own == OwnFieldName.Answer.OPEN && !ended) {
                own = name.take(octet & 0xff);
            }
            if (octet == '\n' || !undecided(ended)) {
                decide(octet == '\n');
            }
        }
        return at;
    }

    private boolean undecided(boolean ended) {
        boolean possible = own == OwnFieldName.Answer.OPEN || matches(RECEIVED);
        return possible && !ended && startBytes < start.length;
    }

    private static boolean isBlank(byte octet) {
        return octet == ' ' || octet == '\t';
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
            byte octet = start[i];
            int lower = octet >= 'A' && octet <= 'Z' ? octet + ('a' - 'A') : octet;
            if (lower != name[i]) {
                return false;
            }
        }
        return true;
    }

    private int restOfLine(byte[] octets, int from, int to) {
        int at = from;
        while (at < to && octets[at] != '\n') {
            at++;
        }
        if (at < to) {
            at++;
            atStart = true;
        }
        if (!dropping) {
            sink.write(octets, from, at);
        }
        return at;
    }
}
