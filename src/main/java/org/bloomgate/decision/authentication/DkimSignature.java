package org.bloomgate.decision.authentication;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.decision.authentication.DkimHeader.Field;
import org.bloomgate.decision.authentication.DkimResult.Reason;

/// A DKIM-Signature field (RFC 6376 3.5).
final class DkimSignature {
    /// The most names in `h=`.
    static final int MAX_NAMES = 500;

    /// The query methods of `q=` that are read. Only one is in use.
    static final int MAX_QUERY_METHODS = 10;

    /// How far the clock of a signer may be ahead.
    static final Duration MAX_AHEAD = Duration.ofMinutes(5);

    private static final String DNS_TXT = "dns/txt";
    private static final byte[] CRLF = {'\r', '\n'};
    private static final Set<String> CANONICALIZATIONS =
            Set.of("simple", "relaxed", "simple/simple", "simple/relaxed", "relaxed/simple", "relaxed/relaxed");
    private static final Map<String, Integer> DIGITS = Map.of("t", 12, "x", 12, "l", 76);

    private final Field field;
    private final DkimTags tags;
    private final String domain;
    private final List<String> names;

    /// @param field at most [DkimVerifier#MAX_FIELD_BYTES]
    DkimSignature(Field field) {
        this.field = field;
        this.tags = new DkimTags(field.value());
        this.domain = lower(tags.get("d", ""));
        this.names = tags.elements("h", "", MAX_NAMES).map(DkimSignature::lower).toList();
    }

    private static String lower(String text) {
        return TextForms.lowerCase(text);
    }

    /// The `d=` tag in lower case; empty if there is none.
    String domain() {
        return domain;
    }

    String algorithm() {
        return tags.get("a", "");
    }

    /// The name of the key record.
    String keyName() {
        return tags.get("s", "") + "._domainkey." + domain;
    }

    /// True if the signer acts for a subdomain of `d=`.
    boolean isForSubdomain() {
        return !identityDomain().equals(domain);
    }

    DkimCanonicalization bodyCanonicalization() {
        return tags.get("c", "").endsWith("/relaxed") ? DkimCanonicalization.RELAXED : DkimCanonicalization.SIMPLE;
    }

    private DkimCanonicalization headerCanonicalization() {
        return tags.get("c", "").startsWith("relaxed") ? DkimCanonicalization.RELAXED : DkimCanonicalization.SIMPLE;
    }

    byte[] signature() {
        return tags.bytes("b");
    }

    private String identityDomain() {
        String identity = tags.get("i", "@" + domain);
        int at = identity.lastIndexOf('@');
        return at < 0 ? "" : lower(identity.substring(at + 1));
    }

    /// Checks all that needs neither the body nor the key.
    ///
    /// @return [Reason#PASS] if nothing is wrong so far
    Reason check(DkimHeader header, Instant now) {
        if (!header.isWellFormed() || !isWellFormed()) {
            return Reason.MALFORMED;
        }
        if (!tags.get("v", "").equals("1")
                || tags.elements("q", DNS_TXT, MAX_QUERY_METHODS)
                        .limit(MAX_QUERY_METHODS)
                        .noneMatch(DNS_TXT::equals)
                || !CANONICALIZATIONS.contains(tags.get("c", "simple"))) {
            return Reason.UNSUPPORTED;
        }
        return switch (algorithm()) {
            case "rsa-sha256", "ed25519-sha256" -> checkTimes(now, header);
            case "rsa-sha1" -> Reason.WEAK;
            default -> Reason.UNSUPPORTED;
        };
    }

    private Reason checkTimes(Instant now, DkimHeader header) {
        long signed = Long.parseLong(tags.get("t", "-1"));
        long expires = Long.parseLong(tags.get("x", "999999999999"));
        if (expires <= signed) {
            return Reason.MALFORMED;
        }
        if (expires < now.getEpochSecond()) {
            return Reason.EXPIRED;
        }
        if (signed > now.plus(MAX_AHEAD).getEpochSecond()) {
            return Reason.FUTURE;
        }
        return names.contains("from") && isSigned("from", header) ? Reason.PASS : Reason.FROM_UNSIGNED;
    }

    private boolean isWellFormed() {
        String within = identityDomain();
        return tags.isWellFormed()
                && isName(domain)
                && isName(tags.get("s", ""))
                && (within.equals(domain) || within.endsWith("." + domain))
                && names.size() <= MAX_NAMES
                && signature().length > 0
                && tags.bytes("bh").length > 0
                && DIGITS.entrySet().stream()
                        .allMatch(number -> isNumber(tags.get(number.getKey(), "0"), number.getValue()));
    }

    private static boolean isNumber(String text, int mostDigits) {
        return !text.isEmpty() && text.length() <= mostDigits && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    /// True for labels of letters, digits, hyphens and underscores.
    private static boolean isName(String text) {
        return !text.startsWith(".")
                && !text.endsWith(".")
                && !text.contains("..")
                && !text.isEmpty()
                && text.chars().allMatch(c -> c < 0x80 && (Character.isLetterOrDigit(c) || "-_.".indexOf(c) >= 0));
    }

    private boolean isSigned(String name, DkimHeader header) {
        return Collections.frequency(names, name) >= header.fields(name).size();
    }

    /// The names of which every instance is signed.
    Set<String> signedFields(DkimHeader header) {
        return names.stream().filter(name -> isSigned(name, header)).collect(Collectors.toUnmodifiableSet());
    }

    /// Compares the canonicalized body with `bh=` and `l=`.
    ///
    /// @param body ended
    Reason checkBody(DkimBody body) {
        BigInteger length = BigInteger.valueOf(body.length());
        int order = new BigInteger(tags.get("l", length.toString())).compareTo(length);
        if (order < 0) {
            return Reason.TRUNCATED;
        }
        return order == 0 && MessageDigest.isEqual(body.hash(), tags.bytes("bh")) ? Reason.PASS : Reason.BODY_CHANGED;
    }

    /// The header fields as they were signed: the instances of a name from the bottom, then this field without its
    /// signature (RFC 6376 3.7).
    byte[] signedBytes(DkimHeader header) {
        ByteArrayOutputStream signed = new ByteArrayOutputStream();
        Map<String, Integer> used = new HashMap<>();
        for (String name : names) {
            List<Field> instances = header.fields(name);
            int next = instances.size() - used.merge(name, 1, Integer::sum);
            if (next >= 0) {
                signed.writeBytes(
                        headerCanonicalization().field(instances.get(next).bytes()));
                signed.writeBytes(CRLF);
            }
        }
        signed.writeBytes(headerCanonicalization().field(withoutSignature()));
        return signed.toByteArray();
    }

    private byte[] withoutSignature() {
        ByteArrayOutputStream unsigned = new ByteArrayOutputStream();
        byte[] bytes = field.bytes();
        int value = field.start();
        tags.find("b").ifPresent(tag -> {
            unsigned.write(bytes, 0, value + tag.start());
            unsigned.write(bytes, value + tag.end(), bytes.length - value - tag.end());
        });
        return unsigned.toByteArray();
    }
}
