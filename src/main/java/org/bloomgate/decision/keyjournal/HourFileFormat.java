package org.bloomgate.decision.keyjournal;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/// The format of an hourly file, little endian: 16 bytes of head, then one record a message until the end of the file.
///
/// ```
///   head    "BGMAIL" 0 version | check of the installation key: 8
///   record  CRC32C of what follows: 4 | count: 4 | token: 8 | delivered, seconds since 1970: 8
///           | hash of the client's network, 0 without one: 8
///           | count hashes: 8 each; the first is of a recipient, 0 without one, all others are of keys
/// ```
///
/// A record is written whole or torn; a torn one is the last.
final class HourFileFormat {
    /// The greatest size of a file: twice the bound of all files together.
    static final long MAX_FILE_BYTES = 2L << 30;

    static final int HEAD_BYTES = 16;
    static final int RECORD_HEAD_BYTES = 32;

    /// The number of hashes of one message: a record has at most 4 KB.
    static final int MAX_HASHES = 500;

    /// Of these, hashes of keys.
    static final int MAX_KEY_HASHES = MAX_HASHES - 1;

    private static final long MAGIC = 0x01_00_4c_49_41_4d_47_42L;
    private static final int COUNT_OFFSET = 4;
    private static final int TOKEN_OFFSET = 8;
    private static final int NETWORK_OFFSET = 24;

    private HourFileFormat() {}

    static ByteBuffer head(MailKeyHash hash) {
        return allocate(HEAD_BYTES).putLong(MAGIC).putLong(hash.check()).flip();
    }

    static ByteBuffer allocate(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /// The size of a record with this number of hashes.
    static int bytes(int hashes) {
        return RECORD_HEAD_BYTES + hashes * Long.BYTES;
    }

    static void put(MailKeys mail, ByteBuffer records) {
        int start = records.position();
        records.putInt(0).putInt(1 + mail.size());
        records.putLong(mail.token()).putLong(mail.epochSecond()).putLong(mail.network());
        records.putLong(mail.recipient());
        for (int i = 0; i < mail.size(); i++) {
            records.putLong(mail.hash(i));
        }
        records.putInt(start, crc(records, start, records.position()));
    }

    /// The count of the record that begins at the buffer's position; it may be any number in a damaged file.
    static int count(ByteBuffer record) {
        return record.getInt(record.position() + COUNT_OFFSET);
    }

    static long network(ByteBuffer record) {
        return record.getLong(record.position() + NETWORK_OFFSET);
    }

    /// Moves from the start of a record to its token.
    static ByteBuffer moveToToken(ByteBuffer record) {
        return record.position(record.position() + TOKEN_OFFSET);
    }

    /// Whether the record from the buffer's position to its limit is as it was written.
    static boolean isIntact(ByteBuffer record) {
        return record.getInt(record.position()) == crc(record, record.position(), record.limit());
    }

    private static int crc(ByteBuffer records, int start, int end) {
        CRC32C crc = new CRC32C();
        crc.update(records.slice(start + COUNT_OFFSET, end - start - COUNT_OFFSET));
        return (int) crc.getValue();
    }
}
