package org.bloomgate.core.text;

import com.ibm.icu.lang.UCharacter;
import com.ibm.icu.lang.UProperty;
import com.ibm.icu.text.CaseMap;
import com.ibm.icu.text.IDNA;
import com.ibm.icu.text.Normalizer2;
import com.ibm.icu.text.SpoofChecker;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// The only place where text from untrusted sources is normalized, folded, mapped to another case, or converted
/// to or from A-labels. Each function takes time linear in the length of the text, whatever its content.
///
/// The functions of ICU and the JDK do not: canonical ordering is quadratic in a run of marks of two combining
/// classes, `String.toLowerCase` in a run of sigmas, Punycode in a label that is too long for DNS. So marks
/// beyond [#MAX_MARKS] in a row are removed, and labels that are too long for DNS stay unchanged.
public final class TextForms {
    /// Marks in a row that count (stream-safe format, UAX 15). Hides nothing: no word of a language has as many.
    public static final int MAX_MARKS = 30;

    /// The longest label in DNS. Hides nothing: no name has a longer one.
    public static final int MAX_LABEL_CHARS = 63;

    /// The longest label that is mapped: browsers also map labels that are longer than DNS permits.
    static final int MAX_MAPPED_CHARS = 2 * MAX_LABEL_CHARS;

    /// The longest name in DNS. Hides nothing: a longer one has no address.
    public static final int MAX_NAME_CHARS = 253;

    /// Characters that are mapped at a time. One of them, U+FDFA, becomes 18 characters, so that a piece may
    /// exceed a label.
    private static final int PIECE_CHARS = 8;

    /// The first mark in Unicode.
    private static final char FIRST_MARK = '\u0300';

    /// The first character that is ignored.
    private static final char SOFT_HYPHEN = '\u00ad';

    private static final int MARKS =
            1 << UCharacter.NON_SPACING_MARK | 1 << UCharacter.COMBINING_SPACING_MARK | 1 << UCharacter.ENCLOSING_MARK;

    /// Characters that are mapped to marks.
    private static final String LIKE_MARKS = "\u309c\uff9e\uff9f";

    /// Errors that browsers ignore.
    private static final Set<IDNA.Error> HARMLESS = EnumSet.of(
            IDNA.Error.EMPTY_LABEL,
            IDNA.Error.LABEL_TOO_LONG,
            IDNA.Error.DOMAIN_NAME_TOO_LONG,
            IDNA.Error.LEADING_HYPHEN,
            IDNA.Error.TRAILING_HYPHEN,
            IDNA.Error.HYPHEN_3_4);

    /// Tables that are loaded when a text needs them.
    private static final class Tables {
        static final Normalizer2 NFC = Normalizer2.getNFCInstance();
        static final Normalizer2 NFD = Normalizer2.getNFDInstance();
        static final Normalizer2 NFKC_CASEFOLD = Normalizer2.getNFKCCasefoldInstance();

        /// The mapping step of UTS-46 only.
        static final Normalizer2 MAPPING = Normalizer2.getInstance(null, "uts46", Normalizer2.Mode.COMPOSE);

        static final IDNA TO_ASCII =
                IDNA.getUTS46Instance(IDNA.NONTRANSITIONAL_TO_ASCII | IDNA.CHECK_BIDI | IDNA.CHECK_CONTEXTJ);

        static final IDNA TO_UNICODE = IDNA.getUTS46Instance(IDNA.DEFAULT);
    }

    /// A class of its own, because its table is the largest.
    private static final class Confusables {
        static final SpoofChecker CHECKER = new SpoofChecker.Builder().build();
    }

    private TextForms() {}

    /// Like `String.toLowerCase` in the root locale.
    public static String lowerCase(String text) {
        return text.indexOf('\u03a3') < 0 && text.indexOf('\u0130') < 0
                ? text.toLowerCase(Locale.ROOT)
                : CaseMap.toLower().apply(Locale.ROOT, text);
    }

    /// Like `String.toUpperCase` in the root locale.
    public static String upperCase(String text) {
        return isAscii(text, 0, text.length())
                ? text.toUpperCase(Locale.ROOT)
                : CaseMap.toUpper().apply(Locale.ROOT, text);
    }

    /// The text in NFC.
    public static String composed(CharSequence text) {
        return Tables.NFC.normalize(streamSafe(text));
    }

    /// The text in NFD.
    public static String decomposed(CharSequence text) {
        return Tables.NFD.normalize(streamSafe(text));
    }

    /// Appends the text in NFKC with case folding, without ignorable characters.
    public static StringBuilder folded(CharSequence text, StringBuilder into) {
        return Tables.NFKC_CASEFOLD.normalize(streamSafe(text), into);
    }

    /// The skeleton of UTS 39.
    public static String skeleton(CharSequence text) {
        return Confusables.CHECKER.getSkeleton(streamSafe(text));
    }

    /// The text without characters of no width and no meaning (Default_Ignorable_Code_Point).
    public static CharSequence visible(CharSequence text) {
        StringBuilder result = new StringBuilder();
        int done = 0;
        int c;
        for (int i = 0; i < text.length(); i += Character.charCount(c)) {
            c = Character.codePointAt(text, i);
            if (isIgnorable(c)) {
                result.append(text, done, i);
                done = i + Character.charCount(c);
            }
        }
        return done == 0 ? text : result.append(text, done, text.length());
    }

    /// Converts the non-ASCII labels of a host name to A-labels, as browsers do: UTS-46, non-transitional,
    /// without checks of hyphens and lengths, with all ASCII characters permitted and without empty labels.
    /// Labels are converted from the last to the first, up to one that is much too long for DNS or makes the
    /// name too long; the rest stays unchanged. Empty if no browser would accept the name.
    public static Optional<String> aLabels(String name) {
        String safe = streamSafe(name).toString();
        StringBuilder mapped = new StringBuilder();
        int start = safe.length();
        int end = start;
        int left = MAX_NAME_CHARS;
        while (end >= 0) {
            int dot = lastDot(safe, end);
            String label = mapped(safe, dot + 1, end);
            int length = label.codePointCount(0, label.length());
            if (length > 0) {
                left -= length + 1;
                if (length > MAX_MAPPED_CHARS || left < -1) {
                    break;
                }
                mapped.insert(0, mapped.isEmpty() ? label : label + '.');
            }
            start = dot + 1;
            end = dot;
        }
        IDNA.Info info = new IDNA.Info();
        StringBuilder ascii = Tables.TO_ASCII.nameToASCII(mapped, new StringBuilder(), info);
        boolean fatal = info.getErrors().stream().anyMatch(error -> !HARMLESS.contains(error));
        return fatal ? Optional.empty() : Optional.of(safe.substring(0, start) + ascii);
    }

    /// A label as UTS-46 maps it; a label that is too long for DNS is mapped only as far as needed to see that.
    private static String mapped(String name, int from, int to) {
        if (isAscii(name, from, to)) {
            return name.substring(from, Math.min(to, from + MAX_MAPPED_CHARS + 1));
        }
        StringBuilder mapped = new StringBuilder();
        int next;
        for (int at = from; at < to && mapped.length() <= 2 * MAX_MAPPED_CHARS; at = next) {
            next = Math.min(to, at + PIECE_CHARS);
            next += next < to && Character.isLowSurrogate(name.charAt(next)) ? 1 : 0;
            Tables.MAPPING.normalizeSecondAndAppend(mapped, name.substring(at, next));
        }
        return mapped.toString();
    }

    /// The last dot before `end`, or -1; also the characters that UTS-46 maps to a dot.
    private static int lastDot(String name, int end) {
        int dot = end - 1;
        while (dot >= 0 && ".\u3002\uff0e\uff61".indexOf(name.charAt(dot)) < 0) {
            dot--;
        }
        return dot;
    }

    /// A text with its A-labels decoded.
    public static String uLabels(String name) {
        StringBuilder decoded = new StringBuilder();
        int end;
        for (int from = 0; from <= name.length(); from = end + 1) {
            int dot = name.indexOf('.', from);
            end = dot < 0 ? name.length() : dot;
            decoded.append(from == 0 ? "" : ".").append(uLabel(name.substring(from, end)));
        }
        return decoded.toString();
    }

    private static CharSequence uLabel(String label) {
        if (label.length() > MAX_LABEL_CHARS || !label.startsWith("xn--")) {
            return label;
        }
        IDNA.Info info = new IDNA.Info();
        StringBuilder letters = Tables.TO_UNICODE.labelToUnicode(label, new StringBuilder(), info);
        return info.hasErrors() || letters.length() > MAX_LABEL_CHARS ? label : letters;
    }

    /// The text with at most [#MAX_MARKS] marks in a row; ignorable characters do not end a row, because they
    /// are removed.
    private static CharSequence streamSafe(CharSequence text) {
        StringBuilder result = new StringBuilder();
        int done = 0;
        int marks = 0;
        int c;
        for (int i = 0; i < text.length(); i += Character.charCount(c)) {
            c = Character.codePointAt(text, i);
            if (isMark(c)) {
                marks++;
            } else if (!isIgnorable(c)) {
                marks = 0;
            }
            if (marks > MAX_MARKS) {
                result.append(text, done, i);
                done = i + Character.charCount(c);
            }
        }
        return done == 0 ? text : result.append(text, done, text.length());
    }

    private static boolean isMark(int c) {
        return c >= FIRST_MARK && ((MARKS >> UCharacter.getType(c) & 1) != 0 || LIKE_MARKS.indexOf(c) >= 0);
    }

    private static boolean isIgnorable(int c) {
        return c >= SOFT_HYPHEN && UCharacter.hasBinaryProperty(c, UProperty.DEFAULT_IGNORABLE_CODE_POINT);
    }

    private static boolean isAscii(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (text.charAt(i) >= 0x80) {
                return false;
            }
        }
        return true;
    }
}
