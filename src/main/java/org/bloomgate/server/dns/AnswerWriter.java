package org.bloomgate.server.dns;

/// Writes the answer to a query: header, question in the letter case of the client, records, OPT. Reused for
/// the next answer; allocates nothing. Not thread-safe.
///
/// Names of records are pointers into the question, so that they have the letter case of the client too.
final class AnswerWriter {
    /// Largest datagram sent, even if the client accepts more: it passes every path unfragmented (DNS flag day
    /// 2020).
    static final int MAX_UDP_BYTES = 1_232;

    /// The datagram size of a client that does not state one.
    static final int PLAIN_UDP_BYTES = 512;

    /// Fits [ServedZone#MAX_RECORDS] texts.
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

    /// Begins an answer with the header.
    ///
    /// @param echoed whether the question follows; it does unless it could not be parsed
    void begin(Question question, boolean echoed, boolean authoritative) {
        byte[] query = question.bytes();
        out[0] = query[0];
        out[1] = query[1];
        int flags = RESPONSE | (query[2] & (OPCODE | RECURSION_DESIRED));
        out[2] = (byte) (authoritative ? flags | AUTHORITATIVE : flags);
        out[3] = (byte) (query[3] & CHECKING_DISABLED);
        at = 4;
        number(echoed ? 1 : 0);
        number(0);
        number(0);
        number(0);
        if (echoed) {
            System.arraycopy(query, Question.HEADER, out, at, question.end() - Question.HEADER);
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

    void nameServer(int ttlSeconds, ServedZone zone) {
        byte[] host = zone.nameServer();
        record(Question.HEADER, RecordType.NS, ttlSeconds, host.length);
        bytes(host);
        answers++;
    }

    void startOfAuthority(int ttlSeconds, ServedZone zone, int serial) {
        startOfAuthority(Question.HEADER, ttlSeconds, zone, serial);
        answers++;
    }

    /// The SOA record that makes a negative answer cacheable (RFC 2308).
    ///
    /// @param zoneAt where the zone's name begins in the question
    void negative(int zoneAt, int ttlSeconds, ServedZone zone, int serial) {
        startOfAuthority(zoneAt, ttlSeconds, zone, serial);
        authorities++;
    }

    private void startOfAuthority(int owner, int ttlSeconds, ServedZone zone, int serial) {
        byte[] host = zone.nameServer();
        byte[] mailbox = zone.mailbox();
        record(owner, RecordType.SOA, ttlSeconds, host.length + mailbox.length + 20);
        bytes(host);
        bytes(mailbox);
        number32(serial);
        number32(ServedZone.REFRESH_SECONDS);
        number32(ServedZone.RETRY_SECONDS);
        number32(ServedZone.EXPIRE_SECONDS);
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

    /// Ends the answer: counts, code, and OPT if the query had one. An answer longer than `maxBytes` loses its
    /// records and is marked as truncated.
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

    /// An empty answer marked as truncated, so that the client repeats the query by TCP.
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
        boolean hasError = error != ExtendedError.NONE;
        out[at++] = 0;
        number(RecordType.OPT);
        number(MAX_UDP_BYTES);
        out[at++] = (byte) (code.code() >> 4);
        out[at++] = 0;
        number(question.dnssecOk() ? DNSSEC_OK << 8 : 0);
        number(hasError ? 6 + text.length : 0);
        if (hasError) {
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
