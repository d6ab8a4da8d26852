package org.bloomgate.core.key;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.bloomgate.core.text.TextForms;

/// The SHA-1 of a password, of which password lists consist. SHA-1 is the choice of these lists: it does not
/// protect the password, it only identifies an entry.
///
/// Working copies of a password are overwritten after use; only its NFC form, which one in a thousand needs,
/// passes through a `String`.
public final class PasswordDigest {
    /// The length of a digest.
    public static final int BYTES = 20;

    /// The length of an NTLM digest: MD4 of the UTF-16LE.
    public static final int NTLM_BYTES = 16;

    /// UTF-8 bytes of a char. Hides nothing: there are no more.
    private static final int MAX_BYTES_PER_CHAR = 3;

    private PasswordDigest() {}

    /// The digests to look up: of the unchanged UTF-8 and, if it differs, of the NFC. The array is not changed.
    public static List<byte[]> candidates(char[] password) {
        byte[] literal = digest(CharBuffer.wrap(password));
        if (isAscii(password)) {
            return List.of(literal);
        }
        CharBuffer text = CharBuffer.wrap(password);
        String composed = TextForms.composed(text);
        return text.equals(CharBuffer.wrap(composed))
                ? List.of(literal)
                : List.of(literal, digest(CharBuffer.wrap(composed)));
    }

    /// The digest of these bytes, for example of a line of a password list without its line end.
    public static byte[] of(byte[] password) {
        return sha1(password, 0, password.length);
    }

    /// The digest of a part of these bytes.
    public static byte[] of(byte[] bytes, int from, int to) {
        return sha1(bytes, from, to - from);
    }

    /// The digest of the UTF-8 of this text.
    public static byte[] of(String password) {
        return digest(CharBuffer.wrap(password));
    }

    /// The key of a digest.
    public static Key key(byte[] digest) {
        return Key.ofBytes(KeyKind.PASSWORD, digest, 0, digest.length);
    }

    /// The key of a digest in 40 hex digits of either case; empty for any other text.
    public static Optional<Key> ofHex(String hex) {
        return HexDigits.are(hex, 2 * BYTES) ? Optional.of(key(HexFormat.of().parseHex(hex))) : Optional.empty();
    }

    /// The key of an NTLM digest in 32 hex digits of either case; empty for any other text. It is shorter than
    /// a SHA-1, so the two are never equal.
    public static Optional<Key> ofNtlmHex(String hex) {
        return HexDigits.are(hex, 2 * NTLM_BYTES)
                ? Optional.of(key(HexFormat.of().parseHex(hex)))
                : Optional.empty();
    }

    private static boolean isAscii(char[] password) {
        for (char c : password) {
            if (c >= 0x80) {
                return false;
            }
        }
        return true;
    }

    private static byte[] digest(CharBuffer password) {
        byte[] bytes = new byte[password.remaining() * MAX_BYTES_PER_CHAR];
        ByteBuffer target = ByteBuffer.wrap(bytes);
        StandardCharsets.UTF_8
                .newEncoder()
                .onMalformedInput(CodingErrorAction.REPLACE)
                .encode(password, target, true);
        byte[] digest = sha1(bytes, 0, target.position());
        Arrays.fill(bytes, (byte) 0);
        return digest;
    }

    private static byte[] sha1(byte[] bytes, int from, int length) {
        try {
            MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
            sha1.update(bytes, from, length);
            return sha1.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-1", e);
        }
    }
}
