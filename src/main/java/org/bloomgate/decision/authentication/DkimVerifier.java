package org.bloomgate.decision.authentication;

import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.bloomgate.decision.authentication.DkimResult.Reason;
import org.bloomgate.lookup.dns.DnsQuestion.RecordType;
import org.bloomgate.lookup.dns.DnsReply;
import org.bloomgate.lookup.dns.DnsReply.Cause;

/// Verifies the DKIM signatures of a message (RFC 6376, RFC 8463), more strictly than for a spam filter: a weak
/// key or a signature of a part of the body is a failure. Nothing is queried for a signature that fails without
/// its key.
final class DkimVerifier {
    static final int MAX_SIGNATURES = 5;

    /// Bytes of a DKIM-Signature field; a longer one is ignored.
    static final int MAX_FIELD_BYTES = 64 * 1024;

    /// Key records under one name.
    static final int MAX_RECORDS = 5;

    private final DnsQueries keys;
    private final Instant now;

    DkimVerifier(DnsQueries keys, Instant now) {
        this.keys = keys;
        this.now = now;
    }

    /// Verifies the first signatures of aligned domains, from the top.
    ///
    /// @param isAligned true for a `d=` (lower case, as a stranger wrote it) whose signature could count
    /// @param isEnough gets each result, and returns true if no further signature is needed
    /// @return a result of each signature tried; [Reason#HEADER_TOO_LARGE] alone if none could be
    List<DkimResult> verify(MessageSource message, Predicate<String> isAligned, Predicate<DkimResult> isEnough)
            throws IOException {
        try (InputStream stream = message.open()) {
            DkimHeader header = DkimHeader.read(stream);
            if (header.isTooLarge()) {
                return List.of(new DkimResult(Reason.HEADER_TOO_LARGE, "", Set.of(), false));
            }
            List<DkimResult> results = verify(header, signatures(header, "dkim-signature", isAligned), isEnough);
            for (DkimSignature signature : signatures(header, "dkim2-signature", isAligned)) {
                DkimResult result = new DkimResult(Reason.DKIM2, signature.domain(), Set.of(), false);
                results.add(result);
                boolean _ = isEnough.test(result);
            }
            return List.copyOf(results);
        }
    }

    private static List<DkimSignature> signatures(DkimHeader header, String field, Predicate<String> isAligned) {
        return header.fields(field).stream()
                .filter(instance -> instance.bytes().length <= MAX_FIELD_BYTES)
                .map(DkimSignature::new)
                .filter(signature -> !signature.domain().isEmpty() && isAligned.test(signature.domain()))
                .limit(MAX_SIGNATURES)
                .toList();
    }

    private List<DkimResult> verify(DkimHeader header, List<DkimSignature> signatures, Predicate<DkimResult> isEnough)
            throws IOException {
        Map<DkimCanonicalization, DkimBody> bodies = readBody(header, signatures);
        List<DkimResult> results = new ArrayList<>();
        for (DkimSignature signature : signatures) {
            Reason reason = verify(header, signature, bodies);
            boolean passed = reason == Reason.PASS;
            Set<String> signed = passed ? signature.signedFields(header) : Set.of();
            DkimResult result =
                    new DkimResult(reason, signature.domain(), signed, passed && BodyReadings.isFixed(header, signed));
            results.add(result);
            if (isEnough.test(result)) {
                break;
            }
        }
        return results;
    }

    private Map<DkimCanonicalization, DkimBody> readBody(DkimHeader header, List<DkimSignature> signatures)
            throws IOException {
        Map<DkimCanonicalization, DkimBody> bodies = new EnumMap<>(DkimCanonicalization.class);
        signatures.stream()
                .filter(signature -> signature.check(header, now) == Reason.PASS)
                .forEach(signature -> bodies.computeIfAbsent(signature.bodyCanonicalization(), DkimBody::new));
        byte[] block = new byte[16 * 1024];
        int read = bodies.isEmpty() ? -1 : header.body().read(block);
        while (read >= 0) {
            for (DkimBody body : bodies.values()) {
                body.update(block, read);
            }
            read = header.body().read(block);
        }
        bodies.values().forEach(DkimBody::finish);
        return bodies;
    }

    private Reason verify(DkimHeader header, DkimSignature signature, Map<DkimCanonicalization, DkimBody> bodies) {
        Reason reason = signature.check(header, now);
        if (reason == Reason.PASS) {
            reason = signature.checkBody(Objects.requireNonNull(bodies.get(signature.bodyCanonicalization())));
        }
        return reason == Reason.PASS ? query(signature, header) : reason;
    }

    private Reason query(DkimSignature signature, DkimHeader header) {
        return switch (keys.query(signature.keyName(), RecordType.TXT)) {
            case DnsReply.Absent _ -> Reason.KEY_MISSING;
            case DnsReply.Failed failed -> failed.cause() == Cause.TIMEOUT ? Reason.TIMEOUT : Reason.KEY_UNKNOWN;
            case DnsReply.Found found -> verify(signature, header, found.values());
        };
    }

    /// Several records under one name are undefined (RFC 6376 3.6.2.2): the first usable one is the key.
    private static Reason verify(DkimSignature signature, DkimHeader header, List<String> records) {
        List<DkimKey> parsed = records.stream()
                .limit(MAX_RECORDS)
                .map(record -> DkimKey.parse(record, signature))
                .toList();
        Optional<DkimKey> usable =
                parsed.stream().filter(key -> key.reason() == Reason.PASS).findFirst();
        if (usable.isEmpty()) {
            return parsed.isEmpty() ? Reason.KEY_MISSING : parsed.getFirst().reason();
        }
        boolean verified = usable.get().verifies(signature.signedBytes(header), signature.signature());
        return verified ? Reason.PASS : Reason.INVALID;
    }
}
