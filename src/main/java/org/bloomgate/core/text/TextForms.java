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

/// The only place where a text that a stranger wrote is normalised, folded, mapped to another case, or turned into
/// or out of A-labels. Each function takes time linear in the length of the text, whatever is in it.
///
/// The functions of ICU and the JDK do not: canonical order is quadratic in a run of marks of two combining classes,
/// `String.toLowerCase` in a run of sigmas, Punycode in a label that DNS does not permit. So marks beyond
/// [#MAX_MARKS] in a row are left out, and labels that are too long for DNS stay as they are.
public final class TextForms {
    /// Marks in a row that count (stream-safe format, UAX 15). Hides nothing: no word of a language has as many.
    public static final int MAX_MARKS = 30;

    /// Longest label that DNS permits. Hides nothing: no name has a longer one.
    public static final int MAX_LABEL_CHARS = 63;

    /// Longest label that is mapped: browsers map longer ones than DNS permits, too.
    static final int MAX_MAPPED_CHARS = 2 * MAX_LABEL_CHARS;

    /// Longest name that DNS permits. Hides nothing: a longer one has no address.
    public static final int MAX_NAME_CHARS = 253;

    /// Characters that are mapped at a time: of U+FDFA, which becomes 18, more than a label may have.
    private static final int PIECE_CHARS = 8;

    /// No character before it is a mark.
    private static final char FIRST_MARK = '\u0300';

    /// The first character that is ignored.
    private static final char SOFT_HYPHEN = '\u00ad';

    private static final int MARKS =
            1 << UCharacter.NON_SPACING_MARK | 1 << UCharacter.COMBINING_SPACING_MARK | 1 << UCharacter.ENCLOSING_MARK;

    /// Characters that become nothing but marks.
    private static final String LIKE_MARKS = "\u309c\uff9e\uff9f";

    /// Browsers take names with these.
    private static final Set<IDNA.Error> HARMLESS = EnumSet.of(
            IDNA.Error.EMPTY_LABEL,
            IDNA.Error.LABEL_TOO_LONG,
            IDNA.Error.DOMAIN_NAME_TOO_LONG,
            IDNA.Error.LEADING_HYPHEN,
            IDNA.Error.TRAILING_HYPHEN,
            IDNA.Error.HYPHEN_3_4);

    /// Loaded when a text needs them.
    private static final class Tables {
        static final Normalizer2 NFC = Normalizer2.getNFCInstance();
        static final Normalizer2 NFD = Normalizer2.getNFDInstance();
        static final Normalizer2 NFKC_CASEFOLD = Normalizer2.getNFKCCasefoldInstance();

        /// The first step of UTS-46, by itself.
        static final Normalizer2 MAPPING = Normalizer2.getInstance(null, "uts46", Normalizer2.Mode.COMPOSE);

        static final IDNA TO_ASCII =
                IDNA.getUTS46Instance(IDNA.NONTRANSITIONAL_TO_ASCII | IDNA.CHECK_BIDI | IDNA.CHECK_CONTEXTJ);

        static final IDNA TO_UNICODE = IDNA.getUTS46Instance(IDNA.DEFAULT);
    }

    /// Apart, as it is the largest.
    private static final class Confusables {
        static final SpoofChecker CHECKER = new SpoofChecker.Builder().build();
    }

    private TextForms() {}

    /// As `String.toLowerCase` of the root locale.
    public static String lowerCase(String text) {
        return text.indexOf('\u03a3') < 0 && text.indexOf('\u0130') < 0
                ? text.toLowerCase(Locale.ROOT)
                : CaseMap.toLower().apply(Locale.ROOT, text);
    }

    /// As `String.toUpperCase` of the root locale.
    public static String upperCase(String text) {
        return isAscii(text, 0, text.length())
                ? text.toUpperCase(Locale.ROOT)
                : CaseMap.toUpper().apply(Locale.ROOT, text);
    }

    /// NFC.
    public static String composed(CharSequence text) {
        return Tables.NFC.normalize(streamSafe(text));
    }

    /// NFD.
    public static String decomposed(CharSequence text) {
        return Tables.NFD.normalize(streamSafe(text));
    }

    /// NFKC with case folding; ignorable characters are left out.
    public static StringBuilder folded(CharSequence text, StringBuilder into) {
        return Tables.NFKC_CASEFOLD.normalize(streamSafe(text), into);
    }

    /// The skeleton of UTS 39.
    public static String skeleton(CharSequence text) {
        return Confusables.CHECKER.getSkeleton(streamSafe(text));
    }

    /// Without the characters that have no width and no meaning (Default_Ignorable_Code_Point).
    public static CharSequence visible(CharSequence text) {
        StringBuilder kept = new StringBuilder();
        int done = 0;
        int c;
        for (int i = 0; i < text.length(); i += Character.charCount(c)) {
            c = Character.codePointAt(text, i);
            if (isIgnorable(c)) {
                kept.append(text, done, i);
                done = i + Character.charCount(c);
            }
        }
        return done == 0 ? text : kept.append(text, done, text.length());
    }

    /// A host name with its letters beyond ASCII in A-labels, as browsers make them: UTS-46, non-transitional,
    /// hyphens and lengths unchecked, all of ASCII allowed; empty labels are left out. Seen from its end, the name
    /// stays as it is from the first label on that is much too long for DNS, or with which the name is too long.
    /// Empty when no browser would take it.
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
        IDNA.Info found = new IDNA.Info();
        StringBuilder ascii = Tables.TO_ASCII.nameToASCII(mapped, new StringBuilder(), found);
        boolean fatal = found.getErrors().stream().anyMatch(error -> !HARMLESS.contains(error));
        return fatal ? Optional.empty() : Optional.of(safe.substring(0, start) + ascii);
    }

    /// A label as UTS-46 maps it; of one that is longer than DNS permits only so much as to see that.
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

    /// -1 when there is none before `end`. As UTS-46 maps them.
    private static int lastDot(String name, int end) {
        int dot = end - 1;
        while (dot >= 0 && ".\u3002\uff0e\uff61".indexOf(name.charAt(dot)) < 0) {
            dot--;
        }
        return dot;
    }

    /// A text with the A-labels in it as the letters that they encode.
    public static String uLabels(String name) {
        StringBuilder shown = new StringBuilder();
        int end;
        for (int from = 0; from <= name.length(); from = end + 1) {
            int dot = name.indexOf('.', from);
            end = dot < 0 ? name.length() : dot;
            shown.append(from == 0 ? "" : ".").append(uLabel(name.substring(from, end)));
        }
        return shown.toString();
    }

    private static CharSequence uLabel(String label) {
        if (label.length() > MAX_LABEL_CHARS || !label.startsWith("xn--")) {
            return label;
        }
        IDNA.Info info = new IDNA.Info();
        StringBuilder letters = Tables.TO_UNICODE.labelToUnicode(label, new StringBuilder(), info);
        return info.hasErrors() || letters.length() > MAX_LABEL_CHARS ? label : letters;
    }

    /// With at most [#MAX_MARKS] marks in a row; ignorable characters do not end a row, as they vanish.
    private static CharSequence streamSafe(CharSequence text) {
        StringBuilder kept = new StringBuilder();
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
                kept.append(text, done, i);
                done = i + Character.charCount(c);
            }
        }
        return done == 0 ? text : kept.append(text, done, text.length());
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
