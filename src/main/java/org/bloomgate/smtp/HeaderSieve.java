package org.bloomgate.smtp;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.bloomgate.transit.TagFields;

/// Lets a message pass but for the fields in its header that only this relay may write, `X-Bloomgate-*`, and counts
/// the `Received` fields. Field names are ASCII and case does not matter (RFC 5322 1.2.2).
final class HeaderSieve implements DataScanner.Sink {
    private static final byte[] OURS = TagFields.PREFIX.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.US_ASCII);
    private static final byte[] RECEIVED = "received:".getBytes(StandardCharsets.US_ASCII);

    private final DataScanner.Sink sink;
    private final byte[] start = new byte[OURS.length];
    private int startBytes;
    private boolean atStart = true;
    private boolean dropping;
    private boolean body;
    private int receivedFields;

    HeaderSieve(DataScanner.Sink sink) {
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
            if (octet == '\n' || !undecided()) {
                decide(octet == '\n');
            }
        }
        return at;
    }

    private boolean undecided() {
        boolean possible = matches(OURS) || matches(RECEIVED) || (startBytes == 1 && start[0] == '\r');
        return possible && startBytes < start.length;
    }

    private void decide(boolean wholeLine) {
        boolean continuation = start[0] == ' ' || start[0] == '\t';
        if (!continuation) {
            dropping = startBytes == OURS.length && matches(OURS);
        }
        receivedFields += startBytes >= RECEIVED.length && matches(RECEIVED) ? 1 : 0;
        body = wholeLine && start[0] == '\r';
        if (!dropping) {
            sink.write(start, 0, startBytes);
        }
        startBytes = 0;
        atStart = wholeLine;
    }

    private boolean matches(byte[] name) {
        int length = Math.min(startBytes, name.length);
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
