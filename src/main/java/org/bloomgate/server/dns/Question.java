package org.bloomgate.server.dns;

/// A parsed query (RFC 1035 4.1, RFC 6891). Reused for the next query; allocates nothing. Not thread-safe.
///
/// Every byte is checked: labels end inside the message, a name has at most 255 bytes and no pointer (there is
/// nothing before it to point to), the records that the header counts are there, and no bytes follow them.
final class Question {
    /// The longest message that is parsed. A query needs 273 bytes; the rest is for options and padding.
    static final int MAX_BYTES = 4_096;

    /// Records after the question; OPT and a signature would be two.
    static final int MAX_ADDITIONAL = 8;

    static final int HEADER = 12;
    private static final int MAX_NAME = 255;
    private static final int MAX_LABEL = 63;
    private static final int MAX_LABELS = 127;
    private static final int POINTER = 0xc0;
    private static final int RECORD_FIXED = 10;

    /// The result of parsing.
    enum Reading {
        /// Not answered: a message without a whole header, or an answer.
        NOTHING,
        FORMAT_ERROR,
        NOT_IMPLEMENTED,
        READ
    }

    private byte[] bytes = new byte[0];
    private int length;
    private int nameEnd;
    private int labels;
    private final int[] labelStarts = new int[MAX_LABELS + 1];
    private final byte[] lower = new byte[HEADER + MAX_NAME + 1];
    private int type;
    private int classCode;
    private boolean edns;
    private int ednsVersion;
    private int udpBytes;
    private boolean dnssecOk;

    /// @param message not copied: it must not change until the answer is written
    Reading read(byte[] message, int messageLength) {
        bytes = message;
        length = messageLength;
        edns = false;
        nameEnd = HEADER;
        if (length < HEADER || (bytes[2] & 0x80) != 0) {
            return Reading.NOTHING;
        }
        if (opcode() != 0) {
            return Reading.NOT_IMPLEMENTED;
        }
        boolean countsValid = number(4) == 1 && number(6) == 0 && number(10) <= MAX_ADDITIONAL;
        // IXFR has a record in its authority section, which is not parsed: transfers are refused
        boolean valid = countsValid && name() && (isTransfer() || (number(8) == 0 && additional(nameEnd + 4)));
        return valid ? Reading.READ : Reading.FORMAT_ERROR;
    }

    private boolean name() {
        int at = HEADER;
        labels = 0;
        while (at < length && bytes[at] != 0) {
            int label = bytes[at] & 0xff;
            int end = at + 1 + label;
            if (label > MAX_LABEL || end >= length || end + 1 - HEADER > MAX_NAME) {
                return false;
            }
            labelStarts[labels++] = at;
            lower[at] = bytes[at];
            for (int i = at + 1; i < end; i++) {
                byte b = bytes[i];
                lower[i] = b >= 'A' && b <= 'Z' ? (byte) (b + ('a' - 'A')) : b;
            }
            at = end;
        }
        if (at + 5 > length) {
            return false;
        }
        labelStarts[labels] = at;
        lower[at] = 0;
        nameEnd = at + 1;
        type = number(nameEnd);
        classCode = number(nameEnd + 2);
        return true;
    }

    /// Parses the additional records. Only OPT is used: at most one, with the root as its name.
    private boolean additional(int from) {
        int at = from;
        for (int left = number(10); left > 0; left--) {
            int owner = at;
            at = skipName(at);
            if (at < 0 || at + RECORD_FIXED > length) {
                return false;
            }
            int next = at + RECORD_FIXED + number(at + 8);
            if (next > length || (number(at) == RecordType.OPT && !option(owner, at, next))) {
                return false;
            }
            at = next;
        }
        return at == length;
    }

    private boolean option(int owner, int at, int end) {
        if (edns || bytes[owner] != 0 || !options(at + RECORD_FIXED, end)) {
            return false;
        }
        edns = true;
        udpBytes = number(at + 2);
        ednsVersion = bytes[at + 5] & 0xff;
        dnssecOk = (bytes[at + 6] & 0x80) != 0;
        return true;
    }

    /// Checks the options, each a code, a length and a value: none is used, but each must end within the
    /// record.
    private boolean options(int from, int end) {
        int at = from;
        while (at + 4 <= end) {
            at += 4 + number(at + 2);
        }
        return at == end;
    }

    /// The position after the name of a record, or -1 if the name does not end.
    private int skipName(int from) {
        int at = from;
        while (at < length) {
            int label = bytes[at] & 0xff;
            if (label == 0) {
                return at + 1;
            } else if ((label & POINTER) == POINTER) {
                return at + 2;
            } else if (label > MAX_LABEL) {
                return -1;
            }
            at += 1 + label;
        }
        return -1;
    }

    private int number(int at) {
        return ((bytes[at] & 0xff) << 8) | (bytes[at + 1] & 0xff);
    }

    int opcode() {
        return bytes[2] >> 3 & 0xf;
    }

    /// The message.
    byte[] bytes() {
        return bytes;
    }

    /// The position after type and class of the question.
    int end() {
        return nameEnd + 4;
    }

    /// The name in lower case, at the same positions as in the message.
    byte[] lower() {
        return lower;
    }

    int labels() {
        return labels;
    }

    /// The position of a label's length; for the number of labels, that of the root.
    int label(int number) {
        return labelStarts[number];
    }

    /// The position after the name.
    int nameEnd() {
        return nameEnd;
    }

    int type() {
        return type;
    }

    boolean isTransfer() {
        return type == RecordType.AXFR || type == RecordType.IXFR;
    }

    /// True for the classes IN and ANY; the zones have no data of another one.
    boolean ofInternet() {
        return classCode == RecordType.CLASS_IN || classCode == RecordType.CLASS_ANY;
    }

    boolean edns() {
        return edns;
    }

    int ednsVersion() {
        return edns ? ednsVersion : 0;
    }

    /// The datagram size that the client accepts; meaningless without EDNS.
    int udpBytes() {
        return udpBytes;
    }

    boolean dnssecOk() {
        return dnssecOk;
    }
}
