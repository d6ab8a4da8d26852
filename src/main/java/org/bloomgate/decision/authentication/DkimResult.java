package org.bloomgate.decision.authentication;

import java.util.Set;
import org.bloomgate.base.config.Labelled;

/// What the verification of one signature found.
///
/// @param domain its `d=` in lower case; empty if no signature was tried
/// @param signedFields lower-case names of the header fields of which every instance in the message is signed, names
///     without an instance included; empty unless the signature passes
/// @param bodyFixed whether the signature says how the body is read ([BodyReadings])
record DkimResult(Reason reason, String domain, Set<String> signedFields, boolean bodyFixed) {
    DkimResult {
        signedFields = Set.copyOf(signedFields);
    }

    enum Reason implements Labelled {
        PASS(MechanismResult.PASS),
        /// No aligned signature. For the journal: the list of results is empty then.
        NONE(MechanismResult.FAIL),
        /// The key does not verify the header fields.
        INVALID(MechanismResult.FAIL),
        BODY_CHANGED(MechanismResult.FAIL),
        /// `l=` ends before the body does.
        TRUNCATED(MechanismResult.FAIL),
        /// A From field is not signed.
        FROM_UNSIGNED(MechanismResult.FAIL),
        EXPIRED(MechanismResult.FAIL),
        FUTURE(MechanismResult.FAIL),
        /// `rsa-sha1`, or an RSA key below 1024 bits (RFC 8301).
        WEAK(MechanismResult.FAIL),
        /// A version, algorithm, canonicalization or query method that Bloomgate does not support.
        UNSUPPORTED(MechanismResult.FAIL),
        /// The signature or the header of the message violates its syntax.
        MALFORMED(MechanismResult.FAIL),
        KEY_MISSING(MechanismResult.FAIL),
        KEY_REVOKED(MechanismResult.FAIL),
        KEY_TESTING(MechanismResult.FAIL),
        /// The key record has wrong syntax, is not for this signature, or its RSA key is above 4096 bits.
        KEY_UNUSABLE(MechanismResult.FAIL),
        /// A DKIM2-Signature, which Bloomgate cannot verify: nothing is known of the signer.
        DKIM2(MechanismResult.UNKNOWN),
        TIMEOUT(MechanismResult.UNKNOWN),
        /// The DNS did not answer, for another reason than a timeout.
        KEY_UNKNOWN(MechanismResult.UNKNOWN),
        HEADER_TOO_LARGE(MechanismResult.FAIL);

        private final MechanismResult result;

        Reason(MechanismResult result) {
            this.result = result;
        }

        MechanismResult result() {
            return result;
        }
    }
}
