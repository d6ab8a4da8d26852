package org.bloomgate.decision.authentication;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/// The SHA-256 hash of a canonicalized body (RFC 6376 3.4.3 and 3.4.4), computed as the body is read. CR and LF that
/// are not a pair are ordinary bytes.
final class DkimBody {
    private final boolean relaxed;
    private final MessageDigest digest = sha256();
    private final byte[] block = new byte[8192];
    private byte[] hash = {};
    private int filled;
    private long length;
    private long lineEnds;
    private boolean blank;
    private boolean afterCr;

    DkimBody(DkimCanonicalization canonicalization) {
        this.relaxed = canonicalization == DkimCanonicalization.RELAXED;
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    void update(byte[] bytes, int count) {
        for (int i = 0; i < count; i++) {
            byte b = bytes[i];
            if (afterCr && b == '\n') {
                lineEnds++;
                blank = false;
                afterCr = false;
                continue;
            }
            if (afterCr) {
                writeInLine((byte) '\r');
            }
            afterCr = b == '\r';
            if (relaxed && (b == ' ' || b == '\t')) {
                blank = true;
            } else if (!afterCr) {
                writeInLine(b);
            }
        }
    }

    /// Writes a byte that ends neither the line nor the body, after the pending line ends and the pending blank.
    private void writeInLine(byte b) {
        for (; lineEnds > 0; lineEnds--) {
            write((byte) '\r');
            write((byte) '\n');
        }
        if (blank) {
            write((byte) ' ');
            blank = false;
        }
        write(b);
    }

    private void write(byte b) {
        if (filled == block.length) {
            digest.update(block);
            filled = 0;
        }
        block[filled++] = b;
        length++;
    }

    /// Ends the body. Called once, before the hash and the length are read.
    void finish() {
        if (afterCr) {
            writeInLine((byte) '\r');
        }
        if (!relaxed || length > 0) {
            write((byte) '\r');
            write((byte) '\n');
        }
        digest.update(block, 0, filled);
        hash = digest.digest();
    }

    byte[] hash() {
        return hash;
    }

    /// Bytes of the canonicalized body.
    long length() {
        return length;
    }
}
