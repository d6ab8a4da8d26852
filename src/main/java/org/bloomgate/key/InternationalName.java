package org.bloomgate.key;

import com.ibm.icu.text.IDNA;
import com.ibm.icu.text.Normalizer2;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/// Host names with letters beyond ASCII, turned into A-labels by UTS-46 as browsers do: non-transitional, hyphens and
/// lengths unchecked, all of ASCII allowed.
final class InternationalName {
    /// Longest name handed to UTS-46; DNS ends at 253 octets.
    private static final int MAX_OCTETS = 1024;

    /// Longest name once it is mapped, which is where ICU ends a label with an exception. One character may
    /// become 18: U+FDFA is a whole sentence.
    static final int MAX_MAPPED_CHARS = 1000;

    static final int MAX_EXPANSION = 18;

    /// The first step of UTS-46, by itself.
    static final Normalizer2 MAPPING = Normalizer2.getInstance(null, "uts46", Normalizer2.Mode.COMPOSE);

    private static final IDNA UTS46 =
            IDNA.getUTS46Instance(IDNA.NONTRANSITIONAL_TO_ASCII | IDNA.CHECK_BIDI | IDNA.CHECK_CONTEXTJ);

    private static final Set<IDNA.Error> HARMLESS = EnumSet.of(
            IDNA.Error.EMPTY_LABEL,
            IDNA.Error.LABEL_TOO_LONG,
            IDNA.Error.DOMAIN_NAME_TOO_LONG,
            IDNA.Error.LEADING_HYPHEN,
            IDNA.Error.TRAILING_HYPHEN,
            IDNA.Error.HYPHEN_3_4);

    private InternationalName() {}

    /// Empty when the octets are not valid UTF-8, too long before or after mapping, or no browser would take
    /// the name.
    static Optional<byte[]> toAscii(byte[] octets, int from, int to) {
        if (to - from > MAX_OCTETS) {
            return Optional.empty();
        }
        String name;
        try {
            name = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(octets, from, to - from))
                    .toString();
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
        if (expandsTooFar(name)) {
            return Optional.empty();
        }
        IDNA.Info found = new IDNA.Info();
        StringBuilder ascii = UTS46.nameToASCII(name, new StringBuilder(name.length() + 16), found);
        boolean fatal = found.getErrors().stream().anyMatch(error -> !HARMLESS.contains(error));
        return fatal ? Optional.empty() : Optional.of(ascii.toString().getBytes(StandardCharsets.US_ASCII));
    }

    /// Names of usual length need not be mapped to know.
    private static boolean expandsTooFar(String name) {
        return name.length() > MAX_MAPPED_CHARS / MAX_EXPANSION
                && MAPPING.normalize(name).length() > MAX_MAPPED_CHARS;
    }
}
