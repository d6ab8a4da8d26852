package org.bloomgate.content.document;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bloomgate.content.archive.LittleEndian;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.core.text.TextScan;

/// Decrypts a PDF whose user password is empty, so that anyone can open it and only its use is restricted: RC4
/// with 40 to 128 bits, AES with 128 and 256 bits (ISO 32000-2, 7.6.4). It makes a copy with plain strings and
/// streams.
final class PdfDecryption {
    private static final String ENCRYPT = "/Encrypt";
    private static final String RC4 = "ARCFOUR";
    private static final String AES = "AES/CBC/NoPadding";
    private static final byte[] DICTIONARY = {'<', '<'};
    private static final int LONGEST_NUMBER = 9;

    /// The padding of a short password (algorithm 2).
    private static final byte[] PADDING =
            HexFormat.of().parseHex("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a");

    private static final int ROUNDS = 50;
    private static final int BLOCK = 16;

    /// The minimum number of rounds of the hash of revision 6 (algorithm 2.B), which ends some rounds later.
    private static final int HARD_ROUNDS = 64;

    private static final int MOST_ROUNDS = 400;
    private static final int WORK_PER_BYTE = 12;

    /// The work for the key of one string or stream.
    private static final int WORK_PER_KEY = 500;

    /// Places where the identifier of the file is searched for, and its greatest length. Hides nothing: without
    /// the identifier, the file is `opaque`.
    private static final int MAX_IDENTIFIERS = 16;

    private static final int LONGEST_IDENTIFIER = 1_000;

    /// So many bytes of text cannot occur by chance in encrypted data: then nothing is encrypted, whatever the
    /// file states.
    private static final int FEWEST_TEXT = 16;

    private static final int MAX_TEXT = 64;

    private final byte[] pdf;
    private final int length;
    private final PdfText text;
    private final LinkSink finds;
    private final byte[] key;
    private final boolean aes;
    private final boolean keyOfFile;
    private final boolean metadata;
    private final ByteArrayOutputStream plain;
    private final MessageDigest md5 = MessageDigest.getInstance("MD5");
    private final Cipher cipher;
    private String name = "";
    private int object;
    private int generation;

    /// Whether the stream of the current object is not encrypted.
    private boolean open;

    private boolean exhausted;

    private PdfDecryption(
            byte[] pdf, int length, LinkSink finds, byte[] key, boolean aes, boolean keyOfFile, boolean metadata)
            throws GeneralSecurityException {
        this.pdf = pdf;
        this.length = length;
        this.finds = finds;
        this.key = key;
        this.aes = aes;
        this.keyOfFile = keyOfFile;
        this.metadata = metadata;
        this.text = new PdfText(pdf, length);
        this.plain = new ByteArrayOutputStream(length);
        this.cipher = Cipher.getInstance(aes ? AES : RC4);
    }

    /// The decrypted copy; empty if the file is not encrypted, or only a password opens it.
    static Optional<byte[]> plain(byte[] pdf, int length, LinkSink finds) {
        int at = LittleEndian.indexOf(pdf, length, ENCRYPT, 0);
        if (at < 0 || !finds.spend((long) WORK_PER_BYTE * length)) {
            return Optional.empty();
        }
        try {
            return opened(pdf, length, at, finds).map(PdfDecryption::copy);
        } catch (GeneralSecurityException malformed) {
            return Optional.empty();
        }
    }

    private static Optional<PdfDecryption> opened(byte[] pdf, int length, int at, LinkSink finds)
            throws GeneralSecurityException {
        Map<String, byte[]> values = dictionary(pdf, length, at, finds);
        int version = number(values, "V");
        int revision = number(values, "R");
        boolean metadata = !text(values, "EncryptMetadata").equals("false");
        boolean aes = values.containsKey("AESV2") || values.containsKey("AESV3");
        if (version >= 5) {
            Optional<byte[]> key = keyOf256(values, revision);
            return key.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new PdfDecryption(pdf, length, finds, key.get(), true, true, metadata));
        }
        int bytes = revision == 2 ? 5 : Math.clamp(number(values, "Length") / 8, 5, 16);
        if (version == 4) {
            bytes = 16;
        }
        byte[] key = key(values, revision, bytes, metadata);
        return isRight(key, values, revision)
                ? Optional.of(new PdfDecryption(pdf, length, finds, key, aes, false, metadata))
                : Optional.empty();
    }

    /// The names of the encryption dictionary with their strings and numbers, and the first identifier of the
    /// file.
    private static Map<String, byte[]> dictionary(byte[] pdf, int length, int at, LinkSink finds) {
        int from = at + ENCRYPT.length();
        String reference =
                new String(pdf, from, Math.min(24, length - from), StandardCharsets.ISO_8859_1).stripLeading();
        Map<String, byte[]> values = new HashMap<>();
        int blank = reference.indexOf(' ');
        if (!reference.startsWith("<<") && blank > 0) {
            from = object(pdf, length, reference.substring(0, blank));
        }
        values(pdf, length, from, "endobj", values, finds);
        int id = LittleEndian.indexOf(pdf, length, "/ID", 0);
        for (int tries = 0; id >= 0 && tries < MAX_IDENTIFIERS && !values.containsKey("ID"); tries++) {
            Map<String, byte[]> first = new HashMap<>();
            values(pdf, Math.min(length, id + LONGEST_IDENTIFIER), id, "]", first, finds);
            Optional.ofNullable(first.get("ID")).ifPresent(found -> values.put("ID", found));
            id = LittleEndian.indexOf(pdf, length, "/ID", id + 3);
        }
        return values;
    }

    private static int object(byte[] pdf, int length, String number) {
        String start = number + " 0 obj";
        int at = LittleEndian.indexOf(pdf, length, start, 0);
        while (at > 0 && pdf[at - 1] >= '0' && pdf[at - 1] <= '9') {
            at = LittleEndian.indexOf(pdf, length, start, at + 1);
        }
        return at < 0 ? length : at + start.length();
    }

    private static void values(
            byte[] pdf, int length, int from, String until, Map<String, byte[]> values, LinkSink finds) {
        int end = LittleEndian.indexOf(pdf, length, until, from);
        end = end < 0 ? length : end;
        PdfText text = new PdfText(pdf, end);
        String name = "";
        int at = from;
        while (at < end && !text.exhausted()) {
            byte c = pdf[at++];
            if (c == '/') {
                name = text.name(at);
                at = text.behind();
                values.putIfAbsent(name, new byte[0]);
            } else if (c == '(') {
                text.literal(at, finds);
                at = text.behind();
                put(values, name, text.raw());
            } else if (c == '<' && at < end && pdf[at] != '<') {
                text.hexadecimal(at);
                at = text.behind();
                put(values, name, text.raw());
            } else if (PdfText.isRegular(c)) {
                int start = at - 1;
                while (at < end && PdfText.isRegular(pdf[at])) {
                    at++;
                }
                put(values, name, Arrays.copyOfRange(pdf, start, at));
            }
        }
    }

    private static void put(Map<String, byte[]> values, String name, byte[] value) {
        if (values.getOrDefault(name, value).length == 0) {
            values.put(name, value);
        }
    }

    private static byte[] bytes(Map<String, byte[]> values, String name) {
        return values.getOrDefault(name, new byte[0]);
    }

    private static String text(Map<String, byte[]> values, String name) {
        return new String(bytes(values, name), StandardCharsets.ISO_8859_1);
    }

    private static int number(Map<String, byte[]> values, String name) {
        String digits = text(values, name);
        int sign = digits.startsWith("-") ? 1 : 0;
        return TextScan.consistsOf(digits.substring(sign), TextScan::isDigit, 1, 10) ? (int) Long.parseLong(digits) : 0;
    }

    /// Algorithm 2.
    private static byte[] key(Map<String, byte[]> values, int revision, int bytes, boolean metadata)
            throws GeneralSecurityException {
        MessageDigest md5 = MessageDigest.getInstance("MD5");
        md5.update(PADDING);
        md5.update(Arrays.copyOf(bytes(values, "O"), 32));
        int permissions = number(values, "P");
        md5.update(new byte[] {
            (byte) permissions, (byte) (permissions >> 8), (byte) (permissions >> 16), (byte) (permissions >> 24)
        });
        md5.update(bytes(values, "ID"));
        if (revision >= 4 && !metadata) {
            md5.update(new byte[] {-1, -1, -1, -1});
        }
        byte[] key = Arrays.copyOf(md5.digest(), bytes);
        for (int i = 0; revision >= 3 && i < ROUNDS; i++) {
            key = Arrays.copyOf(md5.digest(key), bytes);
        }
        return key;
    }

    /// Algorithms 4 to 6.
    private static boolean isRight(byte[] key, Map<String, byte[]> values, int revision)
            throws GeneralSecurityException {
        byte[] user = bytes(values, "U");
        if (revision == 2) {
            return Arrays.equals(rc4(key, PADDING), user);
        }
        MessageDigest md5 = MessageDigest.getInstance("MD5");
        md5.update(PADDING);
        byte[] hash = rc4(key, md5.digest(bytes(values, "ID")));
        for (int round = 1; round < 20; round++) {
            byte[] other = key.clone();
            for (int i = 0; i < other.length; i++) {
                other[i] ^= (byte) round;
            }
            hash = rc4(other, hash);
        }
        return user.length >= BLOCK && Arrays.equals(hash, Arrays.copyOf(user, BLOCK));
    }

    /// Algorithm 2.A, for an empty password.
    private static Optional<byte[]> keyOf256(Map<String, byte[]> values, int revision) throws GeneralSecurityException {
        byte[] user = bytes(values, "U");
        byte[] sealed = bytes(values, "UE");
        if (user.length < 48 || sealed.length < 32) {
            return Optional.empty();
        }
        byte[] check = hash(Arrays.copyOfRange(user, 32, 40), revision);
        if (!Arrays.equals(check, Arrays.copyOf(user, 32))) {
            return Optional.empty();
        }
        byte[] key = hash(Arrays.copyOfRange(user, 40, 48), revision);
        return Optional.of(cbc(Cipher.DECRYPT_MODE, key, new byte[BLOCK], Arrays.copyOf(sealed, 32)));
    }

    /// Algorithm 2.B, for an empty password.
    private static byte[] hash(byte[] salt, int revision) throws GeneralSecurityException {
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(salt);
        if (revision < 6) {
            return hash;
        }
        int last = 0;
        for (int round = 0; (round < HARD_ROUNDS || last > round - 32) && round < MOST_ROUNDS; round++) {
            byte[] many = new byte[64 * hash.length];
            for (int i = 0; i < 64; i++) {
                System.arraycopy(hash, 0, many, i * hash.length, hash.length);
            }
            byte[] mixed = cbc(
                    Cipher.ENCRYPT_MODE, Arrays.copyOf(hash, BLOCK), Arrays.copyOfRange(hash, BLOCK, 2 * BLOCK), many);
            int sum = 0;
            for (int i = 0; i < BLOCK; i++) {
                sum += mixed[i] & 0xff;
            }
            String by = sum % 3 == 0 ? "SHA-256" : sum % 3 == 1 ? "SHA-384" : "SHA-512";
            hash = MessageDigest.getInstance(by).digest(mixed);
            last = mixed[mixed.length - 1] & 0xff;
        }
        return Arrays.copyOf(hash, 32);
    }

    private static byte[] rc4(byte[] key, byte[] bytes) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(RC4);
        cipher.init(Cipher.DECRYPT_MODE, new SecretKeySpec(key, RC4));
        return cipher.doFinal(bytes);
    }

    private static byte[] cbc(int mode, byte[] key, byte[] first, byte[] bytes) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(AES);
        cipher.init(mode, new SecretKeySpec(key, "AES"), new IvParameterSpec(first));
        return cipher.doFinal(bytes);
    }

    private byte[] copy() {
        int at = 0;
        int beforeLast = 0;
        int last = 0;
        while (at < length && !exhausted && !text.exhausted()) {
            byte c = pdf[at];
            if (c == '/') {
                name = text.name(at + 1);
                at = text.behind();
                name();
            } else if (c == '(') {
                text.literal(at + 1, finds);
                boolean closed = text.behind() > at + 1;
                at = text.behind();
                if (closed) {
                    string(text.raw());
                }
            } else if (c == '<' && at + 1 < length && pdf[at + 1] != '<') {
                text.hexadecimal(at + 1);
                string(text.raw());
                at = text.behind() < length && pdf[text.behind()] == '>' ? text.behind() + 1 : text.behind();
            } else if (c == '<') {
                plain.writeBytes(DICTIONARY);
                at += DICTIONARY.length;
            } else if (PdfText.isRegular(c)) {
                int start = at;
                while (at < length && PdfText.isRegular(pdf[at])) {
                    at++;
                }
                plain.write(pdf, start, at - start);
                if (LittleEndian.isAt(pdf, at, start, "obj") && at - start == 3) {
                    object = beforeLast;
                    generation = last;
                    open = false;
                } else if (LittleEndian.isAt(pdf, at, start, "stream") && at - start == 6) {
                    at = stream(at);
                }
                beforeLast = last;
                last = number(start, at);
            } else {
                plain.write(c);
                at++;
            }
        }
        return plain.toByteArray();
    }

    /// 0 if it is not a number.
    private int number(int from, int to) {
        int number = 0;
        for (int i = from; i < to; i++) {
            if (pdf[i] < '0' || pdf[i] > '9' || i - from == LONGEST_NUMBER) {
                return 0;
            }
            number = number * 10 + pdf[i] - '0';
        }
        return number;
    }

    /// Copies a name. Object tables are never encrypted, and metadata not always.
    private void name() {
        open |= name.equals("XRef") || (!metadata && name.equals("Metadata"));
        String kept = name.equals("Encrypt") ? "Decrypted" : name;
        plain.write('/');
        for (int i = 0; i < kept.length(); i++) {
            char c = kept.charAt(i);
            plain.write(c < 0x7f && c != '#' && PdfText.isRegular((byte) c) ? c : '_');
        }
    }

    private void string(byte[] sealed) {
        if (!name.equals("ID")) {
            requireSealed(sealed);
        }
        plain.write('<');
        plain.writeBytes(HexFormat.of().formatHex(decrypted(sealed)).getBytes(StandardCharsets.US_ASCII));
        plain.write('>');
    }

    /// Copies a stream; returns its end.
    private int stream(int at) {
        int from = at;
        from += from < length && pdf[from] == '\r' ? 1 : 0;
        from += from < length && pdf[from] == '\n' ? 1 : 0;
        int end = LittleEndian.indexOf(pdf, length, "endstream", from);
        end = end < 0 ? length : end;
        plain.write('\n');
        if (open) {
            plain.write(pdf, from, end - from);
        } else {
            byte[] sealed = Arrays.copyOfRange(pdf, from, end);
            requireSealed(sealed);
            plain.writeBytes(decrypted(sealed));
        }
        plain.write('\n');
        return end;
    }

    /// Checks that bytes are really encrypted: a plain file may claim to be encrypted, so that decryption turns
    /// it into garbage. Then the bytes are text, and the file is the limit `opaque`.
    private void requireSealed(byte[] sealed) {
        boolean readable = sealed.length >= FEWEST_TEXT;
        for (int i = 0; i < Math.min(sealed.length, MAX_TEXT); i++) {
            byte c = sealed[i];
            readable &= (c >= ' ' && c < 0x7f) || c == '\t' || c == '\r' || c == '\n';
        }
        if (readable) {
            finds.reached(Limit.OPAQUE);
        }
    }

    /// The decrypted bytes; the same bytes if they cannot be decrypted.
    private byte[] decrypted(byte[] sealed) {
        exhausted |= !finds.spend(WORK_PER_KEY);
        if (sealed.length == 0 || exhausted) {
            return sealed;
        }
        try {
            byte[] own = keyOfFile ? key : ownKey();
            if (!aes) {
                cipher.init(Cipher.DECRYPT_MODE, new SecretKeySpec(own, RC4));
                return cipher.doFinal(sealed);
            }
            int whole = sealed.length / BLOCK * BLOCK;
            if (whole < 2 * BLOCK) {
                return new byte[0];
            }
            cipher.init(Cipher.DECRYPT_MODE, new SecretKeySpec(own, "AES"), new IvParameterSpec(sealed, 0, BLOCK));
            byte[] opened = cipher.doFinal(sealed, BLOCK, whole - BLOCK);
            int padding = opened[opened.length - 1] & 0xff;
            return Arrays.copyOf(opened, opened.length - (padding <= BLOCK ? padding : 0));
        } catch (GeneralSecurityException malformed) {
            return sealed;
        }
    }

    /// Algorithm 1.
    private byte[] ownKey() {
        md5.update(key);
        md5.update(new byte[] {
            (byte) object, (byte) (object >> 8), (byte) (object >> 16), (byte) generation, (byte) (generation >> 8)
        });
        if (aes) {
            md5.update("sAlT".getBytes(StandardCharsets.US_ASCII));
        }
        return Arrays.copyOf(md5.digest(), Math.min(key.length + 5, BLOCK));
    }
}
