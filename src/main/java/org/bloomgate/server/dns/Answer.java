package org.bloomgate.server.dns;

/// Writes the answer to a question: header, question as it was sent with its letters' case, records, OPT. Used again
/// for the next; makes no object. Not thread-safe.
///
/// Names of records are pointers into the question, so that their case is the client's too.
final class Answer {
    /// Largest datagram sent, whatever the client would take: it passes every path unfragmented (DNS flag day 2020).
    static final int MAX_UDP_BYTES = 1_232;

    /// The datagram size of a client that does not state one.
    static final int PLAIN_UDP_BYTES = 512;

    /// Fits [Zone#MAX_RECORDS] texts.
    static final int MAX_BYTES = 8_192;

    private static final int RESPONSE = 0x80;
    private static final int AUTHORITATIVE = 0x04;
    private static final int TRUNCATED = 0x02;
    private static final int RECURSION_DESIRED = 0x01;
    private static final int CHECKING_DISABLED = 0x10;
    private static final int OPCODE = 0x78;
    private static final int DNSSEC_OK = 0x80;
    private static final int POINTER = 0xc000;
    private static final int EXTENDED_ERROR = 15;

    private final byte[] out = new byte[MAX_BYTES];
    private int at;
    private int answers;
    private int authorities;

    byte[] bytes() {
        return out;
    }

    /// Begins with the header and, if it could be read, the question.
    void begin(Question question, boolean echoed, boolean authoritative) {
        byte[] queried = question.bytes();
        out[0] = queried[0];
        out[1] = queried[1];
        int flags = RESPONSE | (queried[2] & (OPCODE | RECURSION_DESIRED));
        out[2] = (byte) (authoritative ? flags | AUTHORITATIVE : flags);
        out[3] = (byte) (queried[3] & CHECKING_DISABLED);
        at = 4;
        number(echoed ? 1 : 0);
        number(0);
        number(0);
        number(0);
        if (echoed) {
            System.arraycopy(queried, Question.HEADER, out, at, question.end() - Question.HEADER);
            at = question.end();
        }
        answers = 0;
        authorities = 0;
    }

    void address(int ttlSeconds, ReturnCode code) {
        record(Question.HEADER, RecordType.A, ttlSeconds, 4);
        bytes(code.bytes());
        answers++;
    }

    /// @param text at most 255 bytes are one string
    void text(int ttlSeconds, byte[] text, int textLength) {
        record(Question.HEADER, RecordType.TXT, ttlSeconds, textLength + 1);
        out[at++] = (byte) textLength;
        System.arraycopy(text, 0, out, at, textLength);
        at += textLength;
        answers++;
    }

    void nameServer(int ttlSeconds, Zone zone) {
        byte[] host = zone.nameServer();
        record(Question.HEADER, RecordType.NS, ttlSeconds, host.length);
        bytes(host);
        answers++;
    }

    void startOfAuthority(int ttlSeconds, Zone zone, int serial) {
        startOfAuthority(Question.HEADER, ttlSeconds, zone, serial);
        answers++;
    }

    /// The SOA record that makes a negative answer cacheable (RFC 2308).
    ///
    /// @param zoneAt where the zone's name begins in the question
    void negative(int zoneAt, int ttlSeconds, Zone zone, int serial) {
        startOfAuthority(zoneAt, ttlSeconds, zone, serial);
        authorities++;
    }

    private void startOfAuthority(int owner, int ttlSeconds, Zone zone, int serial) {
        byte[] host = zone.nameServer();
        byte[] mailbox = zone.mailbox();
        record(owner, RecordType.SOA, ttlSeconds, host.length + mailbox.length + 20);
        bytes(host);
        bytes(mailbox);
        number32(serial);
        number32(Zone.REFRESH_SECONDS);
        number32(Zone.RETRY_SECONDS);
        number32(Zone.EXPIRE_SECONDS);
        number32(ttlSeconds);
    }

    private void record(int owner, int type, int ttlSeconds, int dataLength) {
        number(POINTER | owner);
        number(type);
        number(RecordType.CLASS_IN);
        number32(ttlSeconds);
        number(dataLength);
    }

    /// Whether no record was added.
    boolean isEmpty() {
        return answers == 0 && authorities == 0;
    }

    /// Ends the answer: counts, code, OPT when the question had one, and nothing but the truth that it was cut when it
    /// is longer than what may be sent.
    ///
    /// @return its length
    int end(Question question, Rcode code, ExtendedError error, int maxBytes) {
        out[3] |= (byte) (code.code() & 0xf);
        int beforeOption = at;
        option(question, code, error);
        if (at > maxBytes) {
            out[2] |= TRUNCATED;
            at = Math.min(beforeOption, question.end());
            answers = 0;
            authorities = 0;
            option(question, code, ExtendedError.NONE);
        }
        out[7] = (byte) answers;
        out[9] = (byte) authorities;
        out[11] = (byte) (question.edns() ? 1 : 0);
        return at;
    }

    /// Nothing but "ask again by TCP".
    int truncated(Question question) {
        begin(question, true, true);
        out[2] |= TRUNCATED;
        return end(question, Rcode.NOERROR, ExtendedError.NONE, MAX_BYTES);
    }

    private void option(Question question, Rcode code, ExtendedError error) {
        if (!question.edns()) {
            return;
        }
        byte[] text = error.text();
        boolean told = error != ExtendedError.NONE;
        out[at++] = 0;
        number(RecordType.OPT);
        number(MAX_UDP_BYTES);
        out[at++] = (byte) (code.code() >> 4);
        out[at++] = 0;
        number(question.dnssecOk() ? DNSSEC_OK << 8 : 0);
        number(told ? 6 + text.length : 0);
        if (told) {
            number(EXTENDED_ERROR);
            number(2 + text.length);
            number(error.code());
            bytes(text);
        }
    }

    private void bytes(byte[] more) {
        System.arraycopy(more, 0, out, at, more.length);
        at += more.length;
    }

    private void number(int value) {
        out[at++] = (byte) (value >> 8);
        out[at++] = (byte) value;
    }

    private void number32(int value) {
        number(value >>> 16);
        number(value);
    }
}
