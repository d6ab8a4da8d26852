package org.bloomgate.lists.sort;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/// Reads the output of a [RunWriter], record by record. The key is valid until the next record. Malformed bytes
/// cause an [IOException]; the caller has to check the order of records in a run of another engine.
public final class RunReader implements AutoCloseable {
    /// The shift of the last group of seven bits.
    private static final int MAX_SHIFT = 56;

    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final InputStream in;
    private final byte[] buffer;
    private final byte[] key = new byte[SortBuffer.MAX_KEY_BYTES];
    private int position;
    private int end;
    private int keyLength;

    /// The first eight bytes of the key, zero beyond its end; they usually decide the order of two keys.
    private long word;

    private int source;
    private long count;

    RunReader(Path file, int bufferBytes) throws IOException {
        this(Files.newInputStream(file), bufferBytes);
    }

    /// @param in closed with this
    public RunReader(InputStream in, int bufferBytes) {
        this.in = in;
        buffer = new byte[bufferBytes];
    }

    /// Moves to the next record; false after the last.
    public boolean next() throws IOException {
        if (position == end && !fill()) {
            return false;
        }
        int length = (int) readNumber(SortBuffer.MAX_KEY_BYTES);
        if (length > 0) {
            readKey(length);
        } else if (keyLength == 0) {
            throw new IOException("a run begins without a key");
        }
        source = (int) readNumber(SortBuffer.MAX_SOURCE);
        count = readNumber(Long.MAX_VALUE);
        return true;
    }

    private void readKey(int length) throws IOException {
        keyLength = length;
        int copied = 0;
        while (copied < length) {
            if (position == end && !fill()) {
                throw new EOFException("a run of the sort is cut off");
            }
            int part = Math.min(length - copied, end - position);
            System.arraycopy(buffer, position, key, copied, part);
            position += part;
            copied += part;
        }
        word = readWord();
    }

    private long readWord() {
        if (keyLength >= Long.BYTES) {
            return (long) WORD.get(key, 0);
        }
        long bytes = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            bytes = bytes << Byte.SIZE | (i < keyLength ? key[i] & 0xff : 0);
        }
        return bytes;
    }

    private long readNumber(long limit) throws IOException {
        long number = 0;
        for (int shift = 0; ; shift += 7) {
            if (position == end && !fill()) {
                throw new EOFException("a run of the sort is cut off");
            }
            byte b = buffer[position++];
            number |= (long) (b & 0x7f) << shift;
            if (b >= 0) {
                if (number > limit) {
                    throw new IOException("a run has the number " + number + " where the limit is " + limit);
                }
                return number;
            }
            if (shift == MAX_SHIFT) {
                throw new IOException("a run has a number without an end");
            }
        }
    }

    private boolean fill() throws IOException {
        position = 0;
        end = Math.max(0, in.read(buffer, 0, buffer.length));
        return end > 0;
    }

    /// Kind code and bytes, from 0 to [#keyLength()].
    public byte[] key() {
        return key;
    }

    public int keyLength() {
        return keyLength;
    }

    public int source() {
        return source;
    }

    public long count() {
        return count;
    }

    /// The order of records: by key, then by source.
    boolean isBefore(RunReader other) {
        if (word != other.word) {
            return Long.compareUnsigned(word, other.word) < 0;
        }
        int keyOrder = Arrays.compareUnsigned(key, 0, keyLength, other.key, 0, other.keyLength);
        return keyOrder < 0 || (keyOrder == 0 && source < other.source);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
