package org.bloomgate.decision.authentication;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import org.bloomgate.decision.authentication.DkimResult.Reason;

/// A key record (RFC 6376 3.6.1), checked for one signature.
///
/// @param reason [Reason#PASS] if there is a key that may verify the signature
record DkimKey(Reason reason, Optional<PublicKey> key) {
    static final int MIN_RSA_BITS = 1024;
    static final int MAX_RSA_BITS = 4096;

    /// The largest exponent in use: the fifth Fermat number. A larger one makes a verification slow.
    static final BigInteger MAX_EXPONENT = BigInteger.TWO.pow(32).add(BigInteger.ONE);

    private static final BigInteger MIN_EXPONENT = BigInteger.valueOf(3);
    private static final int MAX_ELEMENTS = 100;

    /// What precedes 32 bytes in the SubjectPublicKeyInfo of an Ed25519 key (RFC 8410).
    private static final byte[] ED25519_PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

    /// The AlgorithmIdentifier of an RSA key (RFC 8017 A.1).
    private static final byte[] RSA_ALGORITHM = HexFormat.of().parseHex("300d06092a864886f70d0101010500");

    static DkimKey parse(String text, DkimSignature signature) {
        DkimTags tags = new DkimTags(text);
        String type = signature.algorithm().equals("ed25519-sha256") ? "ed25519" : "rsa";
        if (!tags.isWellFormed()
                || tags.find("p").isEmpty()
                || !tags.get("v", "DKIM1").equals("DKIM1")
                || !tags.get("k", "rsa").equals(type)
                || !contains(tags, "h", "sha256", "sha256")
                || (!contains(tags, "s", "*", "email") && !contains(tags, "s", "*", "*"))) {
            return without(Reason.KEY_UNUSABLE);
        }
        if (tags.get("p", "").isEmpty()) {
            return without(Reason.KEY_REVOKED);
        }
        if (contains(tags, "t", "", "s") && signature.isForSubdomain()) {
            return without(Reason.KEY_UNUSABLE);
        }
        if (contains(tags, "t", "", "y")) {
            return without(Reason.KEY_TESTING);
        }
        byte[] bytes = tags.bytes("p");
        return type.equals("rsa") ? rsa(bytes) : ed25519(bytes);
    }

    private static DkimKey without(Reason reason) {
        return new DkimKey(reason, Optional.empty());
    }

    private static boolean contains(DkimTags tags, String name, String absent, String element) {
        return tags.elements(name, absent, MAX_ELEMENTS).anyMatch(element::equals);
    }

    private static DkimKey ed25519(byte[] bytes) {
        Optional<PublicKey> key =
                bytes.length == 32 ? decode("Ed25519", concat(ED25519_PREFIX, bytes)) : Optional.empty();
        return key.isEmpty() ? without(Reason.KEY_UNUSABLE) : new DkimKey(Reason.PASS, key);
    }

    /// @param bytes a SubjectPublicKeyInfo, as usual, or an RSAPublicKey, as RFC 6376 has it
    private static DkimKey rsa(byte[] bytes) {
        byte[] bits = der(0x03, new byte[1], bytes);
        Optional<PublicKey> key = decode("RSA", bytes).or(() -> decode("RSA", der(0x30, RSA_ALGORITHM, bits)));
        if (key.isEmpty() || !(key.get() instanceof RSAPublicKey rsa) || !isCheap(rsa.getPublicExponent())) {
            return without(Reason.KEY_UNUSABLE);
        }
        int size = rsa.getModulus().bitLength();
        if (size < MIN_RSA_BITS) {
            return without(Reason.WEAK);
        }
        return size > MAX_RSA_BITS ? without(Reason.KEY_UNUSABLE) : new DkimKey(Reason.PASS, key);
    }

    private static boolean isCheap(BigInteger exponent) {
        return exponent.testBit(0) && exponent.compareTo(MIN_EXPONENT) >= 0 && exponent.compareTo(MAX_EXPONENT) <= 0;
    }

    private static Optional<PublicKey> decode(String algorithm, byte[] info) {
        try {
            return Optional.of(KeyFactory.getInstance(algorithm).generatePublic(new X509EncodedKeySpec(info)));
        } catch (GeneralSecurityException notDecodable) {
            return Optional.empty();
        }
    }

    /// An element of DER with a length of two bytes (X.690 8.1.3).
    private static byte[] der(int tag, byte[] first, byte[] second) {
        int length = first.length + second.length;
        byte[] head = {(byte) tag, (byte) 0x82, (byte) (length >> 8), (byte) length};
        return concat(head, concat(first, second));
    }

    private static byte[] concat(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    /// @param signed header fields; Ed25519 signs their hash (RFC 8463 3)
    boolean verifies(byte[] signed, byte[] signature) {
        try {
            boolean rsa = key.orElseThrow() instanceof RSAPublicKey;
            Signature verifier = Signature.getInstance(rsa ? "SHA256withRSA" : "Ed25519");
            verifier.initVerify(key.orElseThrow());
            verifier.update(rsa ? signed : DkimBody.sha256().digest(signed));
            return verifier.verify(signature);
        } catch (GeneralSecurityException notVerifiable) {
            return false;
        }
    }
}
