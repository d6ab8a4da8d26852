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
    static final int DEFAULT_UDP_BYTES = 512;

    /// The buffer size, enough for [ServedZone#MAX_RECORDS] texts of 255 bytes.
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
    /// @param withQuestion whether the question follows: always, unless it could not be parsed
    void begin(Question question, boolean withQuestion, boolean authoritative) {
        byte[] query = question.bytes();
        out[0] = query[0];
        out[1] = query[1];
        int flags = RESPONSE | (query[2] & (OPCODE | RECURSION_DESIRED));
        out[2] = (byte) (authoritative ? flags | AUTHORITATIVE : flags);
        out[3] = (byte) (query[3] & CHECKING_DISABLED);
        at = 4;
        writeShort(withQuestion ? 1 : 0);
        writeShort(0);
        writeShort(0);
        writeShort(0);
        if (withQuestion) {
            System.arraycopy(query, Question.HEADER, out, at, question.end() - Question.HEADER);
            at = question.end();
        }
        answers = 0;
        authorities = 0;
    }

    void addAddress(int ttlSeconds, ReturnCode code) {
        beginRecord(Question.HEADER, RecordType.A, ttlSeconds, 4);
        appendBytes(code.bytes());
        answers++;
    }

    /// @param text of at most 255 bytes, written as one character-string
    void addText(int ttlSeconds, byte[] text, int textLength) {
        beginRecord(Question.HEADER, RecordType.TXT, ttlSeconds, textLength + 1);
        out[at++] = (byte) textLength;
        System.arraycopy(text, 0, out, at, textLength);
        at += textLength;
        answers++;
    }

    void addNameServer(int ttlSeconds, ServedZone zone) {
        byte[] host = zone.nameServer();
        beginRecord(Question.HEADER, RecordType.NS, ttlSeconds, host.length);
        appendBytes(host);
        answers++;
    }

    void addStartOfAuthority(int ttlSeconds, ServedZone zone, int serial) {
        writeStartOfAuthority(Question.HEADER, ttlSeconds, zone, serial);
        answers++;
    }

    /// The SOA record that makes a negative answer cacheable (RFC 2308).
    ///
    /// @param zoneAt where the zone's name begins in the question
    void addNegativeSoa(int zoneAt, int ttlSeconds, ServedZone zone, int serial) {
        writeStartOfAuthority(zoneAt, ttlSeconds, zone, serial);
        authorities++;
    }

    private void writeStartOfAuthority(int owner, int ttlSeconds, ServedZone zone, int serial) {
        byte[] host = zone.nameServer();
        byte[] mailbox = zone.mailbox();
        beginRecord(owner, RecordType.SOA, ttlSeconds, host.length + mailbox.length + 20);
        appendBytes(host);
        appendBytes(mailbox);
        writeInt(serial);
        writeInt(ServedZone.REFRESH_SECONDS);
        writeInt(ServedZone.RETRY_SECONDS);
        writeInt(ServedZone.EXPIRE_SECONDS);
        writeInt(ttlSeconds);
    }

    private void beginRecord(int owner, int type, int ttlSeconds, int dataLength) {
        writeShort(POINTER | owner);
        writeShort(type);
        writeShort(RecordType.CLASS_IN);
        writeInt(ttlSeconds);
        writeShort(dataLength);
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
        writeOpt(question, code, error);
        if (at > maxBytes) {
            out[2] |= TRUNCATED;
            at = Math.min(beforeOption, question.end());
            answers = 0;
            authorities = 0;
            writeOpt(question, code, ExtendedError.NONE);
        }
        out[7] = (byte) answers;
        out[9] = (byte) authorities;
        out[11] = (byte) (question.edns() ? 1 : 0);
        return at;
    }

    /// Writes an empty answer marked as truncated, so that the client repeats the query by TCP.
    int writeTruncated(Question question) {
        begin(question, true, true);
        out[2] |= TRUNCATED;
        return end(question, Rcode.NOERROR, ExtendedError.NONE, MAX_BYTES);
    }

    private void writeOpt(Question question, Rcode code, ExtendedError error) {
        if (!question.edns()) {
            return;
        }
        byte[] text = error.text();
        boolean hasError = error != ExtendedError.NONE;
        out[at++] = 0;
        writeShort(RecordType.OPT);
        writeShort(MAX_UDP_BYTES);
        out[at++] = (byte) (code.code() >> 4);
        out[at++] = 0;
        writeShort(question.dnssecOk() ? DNSSEC_OK << 8 : 0);
        writeShort(hasError ? 6 + text.length : 0);
        if (hasError) {
            writeShort(EXTENDED_ERROR);
            writeShort(2 + text.length);
            writeShort(error.code());
            appendBytes(text);
        }
    }

    private void appendBytes(byte[] more) {
        System.arraycopy(more, 0, out, at, more.length);
        at += more.length;
    }

    private void writeShort(int value) {
        out[at++] = (byte) (value >> 8);
        out[at++] = (byte) value;
    }

    private void writeInt(int value) {
        writeShort(value >>> 16);
        writeShort(value);
    }
}
