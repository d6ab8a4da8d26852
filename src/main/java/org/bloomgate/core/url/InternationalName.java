package org.bloomgate.core.url;

import com.ibm.icu.lang.UCharacter;
import com.ibm.icu.lang.UProperty;
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
    /// Longest name handed to UTS-46; DNS ends at 253 bytes. Of a longer one the characters that
    /// UTS-46 ignores are taken out, and then its last labels count: mapping takes quadratic time on a
    /// long run of accents. Hides nothing: at most four characters are composed to one, so that a name
    /// this long is too long for DNS.
    private static final int MAX_CHARS = 1024;

    /// Longest name once it is mapped, which is where ICU ends a label with an exception. One character
    /// may become 18: U+FDFA is a whole sentence. Hides nothing: such a name is too long for DNS.
    static final int MAX_MAPPED_CHARS = 1000;

    /// Characters that one may become. Hides nothing: Unicode has no more.
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

    /// Empty when the bytes are not valid UTF-8, too long after mapping, or no browser would take
    /// the name.
    static Optional<byte[]> toAscii(byte[] bytes, int from, int to) {
        String name;
        try {
            name = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, from, to - from))
                    .toString();
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
        if (name.length() > MAX_CHARS) {
            name = lastLabels(withoutIgnored(name));
        }
        if (name.isEmpty() || expandsTooFar(name)) {
            return Optional.empty();
        }
        IDNA.Info found = new IDNA.Info();
        StringBuilder ascii = UTS46.nameToASCII(name, new StringBuilder(name.length() + 16), found);
        boolean fatal = found.getErrors().stream().anyMatch(error -> !HARMLESS.contains(error));
        return fatal ? Optional.empty() : Optional.of(ascii.toString().getBytes(StandardCharsets.US_ASCII));
    }

    /// Zero-width joiners are not ignored but part of a name.
    private static String withoutIgnored(String name) {
        StringBuilder kept = new StringBuilder(name.length());
        name.codePoints()
                .filter(c -> c == 0x200c
                        || c == 0x200d
                        || !UCharacter.hasBinaryProperty(c, UProperty.DEFAULT_IGNORABLE_CODE_POINT))
                .forEach(kept::appendCodePoint);
        return kept.toString();
    }

    /// Empty when the last label alone is too long.
    private static String lastLabels(String name) {
        if (name.length() <= MAX_CHARS) {
            return name;
        }
        int start = name.length() - MAX_CHARS;
        while (start < name.length() && !isDot(name.charAt(start))) {
            start++;
        }
        return start == name.length() ? "" : name.substring(start + 1);
    }

    /// As UTS-46 maps them.
    private static boolean isDot(char c) {
        return c == '.' || c == '\u3002' || c == '\uff0e' || c == '\uff61';
    }

    /// Names of usual length need not be mapped to know.
    private static boolean expandsTooFar(String name) {
        return name.length() > MAX_MAPPED_CHARS / MAX_EXPANSION
                && MAPPING.normalize(name).length() > MAX_MAPPED_CHARS;
    }
}
