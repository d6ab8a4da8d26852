package org.bloomgate.core.key;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/// The NTLM digest of a password: MD4 (RFC 1320) of its UTF-16LE. The JDK has no public MD4.
///
/// MD4 is not secure; as in [PasswordDigest], it only identifies an entry of a list. Working copies are
/// overwritten.
public final class NtlmDigest {
    private static final int BLOCK_BYTES = 64;
    private static final int LENGTH_BYTES = 8;

    /// RFC 1320 3.4: rotations by round and step, and the order of the words of the block in each round.
    private static final int[][] ROTATIONS = {{3, 7, 11, 19}, {3, 5, 9, 13}, {3, 9, 11, 15}};

    private static final int[][] ORDERS = {
        {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
        {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15},
        {0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15}
    };

    /// The square roots of 2 and 3.
    private static final int[] CONSTANTS = {0, 0x5a827999, 0x6ed9eba1};

    private NtlmDigest() {}

    /// The digest of a password. The array is not changed.
    public static byte[] of(char[] password) {
        ByteBuffer text = ByteBuffer.allocate(2 * password.length).order(ByteOrder.LITTLE_ENDIAN);
        text.asCharBuffer().put(password);
        byte[] digest = md4(text.array());
        Arrays.fill(text.array(), (byte) 0);
        return digest;
    }

    static byte[] md4(byte[] message) {
        int blocks = (message.length + 1 + LENGTH_BYTES + BLOCK_BYTES - 1) / BLOCK_BYTES;
        ByteBuffer padded = ByteBuffer.allocate(blocks * BLOCK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        padded.put(message).put((byte) 0x80);
        padded.putLong(padded.capacity() - LENGTH_BYTES, message.length * (long) Byte.SIZE);
        int[] state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
        int[] words = new int[BLOCK_BYTES / Integer.BYTES];
        for (int block = 0; block < blocks; block++) {
            padded.slice(block * BLOCK_BYTES, BLOCK_BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .asIntBuffer()
                    .get(words);
            mix(state, words);
        }
        Arrays.fill(padded.array(), (byte) 0);
        Arrays.fill(words, 0);
        ByteBuffer digest = ByteBuffer.allocate(PasswordDigest.NTLM_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        digest.asIntBuffer().put(state);
        return digest.array();
    }

    /// Adds one block. The four registers are rotated after each step, instead of one line of code for each of
    /// them.
    private static void mix(int[] state, int[] words) {
        int a = state[0];
        int b = state[1];
        int c = state[2];
        int d = state[3];
        for (int round = 0; round < ORDERS.length; round++) {
            for (int step = 0; step < words.length; step++) {
                int sum = a + combine(round, b, c, d) + words[ORDERS[round][step]] + CONSTANTS[round];
                a = d;
                d = c;
                c = b;
                b = Integer.rotateLeft(sum, ROTATIONS[round][step % 4]);
            }
        }
        state[0] += a;
        state[1] += b;
        state[2] += c;
        state[3] += d;
    }

    private static int combine(int round, int x, int y, int z) {
        return switch (round) {
            case 0 -> (x & y) | (~x & z);
            case 1 -> (x & y) | (x & z) | (y & z);
            default -> x ^ y ^ z;
        };
    }
}
