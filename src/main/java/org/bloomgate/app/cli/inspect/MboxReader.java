package org.bloomgate.app.cli.inspect;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/// Reads the messages of an mbox file in order: each begins with a line that begins with `From `, whatever
/// precedes it, and ends with the blank line before the next one. `>From ` in the text loses one `>`, as in
/// mboxrd (mboxo quotes the same first level).
///
/// A message is read into memory, up to a bound; a longer one is skipped. Lines have no bound of their own.
public final class MboxReader {
    /// The bytes examined at a time. A longer line comes in pieces; the first piece decides what the line is.
    private static final int PIECE_BYTES = 1 << 16;

    private static final byte[] FROM = "From ".getBytes(US_ASCII);

    private final InputStream in;
    private final long maxMessageBytes;
    private final byte[] piece = new byte[PIECE_BYTES];
    private final ByteArrayOutputStream message = new ByteArrayOutputStream();
    private int length;
    private boolean startsLine;
    private boolean endedLine = true;

    /// Receives the messages.
    public interface Messages {
        /// @param number from 1 on
        void take(int number, InputStream message) throws IOException;

        /// Called for a message that is longer than the bound.
        void skip(int number);
    }

    /// @param in read through a buffer
    public MboxReader(InputStream in, long maxMessageBytes) {
        this.in = in;
        this.maxMessageBytes = maxMessageBytes;
    }

    /// Passes every message to the receiver.
    ///
    /// @throws IOException if the stream fails, or has other content before the first message
    public void read(Messages receiver) throws IOException {
        int number = 0;
        boolean more = next();
        if (more && !isSeparator()) {
            throw new IOException("not an mbox: its first line does not begin with 'From '");
        }
        while (more) {
            number++;
            boolean fits = readMessage();
            if (fits) {
                receiver.take(number, new ByteArrayInputStream(withoutLastBlankLine()));
            } else {
                receiver.skip(number);
            }
            more = length > 0;
        }
    }

    /// Reads from the separator to the next one, or to the end; then [#piece] is empty.
    private boolean readMessage() throws IOException {
        message.reset();
        boolean fits = true;
        boolean inSeparator = true;
        while (next() && !isSeparator()) {
            inSeparator &= !startsLine;
            if (!inSeparator && fits) {
                int from = isQuoted() ? 1 : 0;
                fits = message.size() + (long) length - from <= maxMessageBytes;
                message.write(piece, from, fits ? length - from : 0);
            }
        }
        return fits;
    }

    /// Reads the next piece: up to and with a line feed, but at most [#PIECE_BYTES].
    private boolean next() throws IOException {
        startsLine = endedLine;
        length = 0;
        int b = in.read();
        while (b >= 0) {
            piece[length++] = (byte) b;
            if (b == '\n' || length == PIECE_BYTES) {
                break;
            }
            b = in.read();
        }
        endedLine = b == '\n';
        return length > 0;
    }

    private boolean isSeparator() {
        return startsLine && startsAt(0);
    }

    private boolean isQuoted() {
        int at = 0;
        while (at < length && piece[at] == '>') {
            at++;
        }
        return startsLine && at > 0 && startsAt(at);
    }

    private boolean startsAt(int at) {
        int end = at + FROM.length;
        return end <= length && Arrays.equals(piece, at, end, FROM, 0, FROM.length);
    }

    /// The message without its last blank line, which belongs to the mbox.
    private byte[] withoutLastBlankLine() {
        byte[] bytes = message.toByteArray();
        int end = bytes.length;
        for (String blank : new String[] {"\r\n", "\n"}) {
            int start = end - blank.length();
            boolean endsBlank = start >= 1
                    && bytes[start - 1] == '\n'
                    && new String(bytes, start, blank.length(), US_ASCII).equals(blank);
            if (endsBlank) {
                return Arrays.copyOf(bytes, start);
            }
        }
        return bytes;
    }
}
