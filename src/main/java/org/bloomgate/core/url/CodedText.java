package org.bloomgate.core.url;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.bloomgate.core.text.TextScan;

/// Undoes the codings in which trackers and redirectors carry their target, one within another: percent escapes,
/// base64, hexadecimal digits and deflate. Codes are searched for in each segment of the path and in each
/// parameter.
///
/// The text of a code is told from anything else that looks like one by its characters: all are printable, or they
/// begin with a URL. URLs behind nothing but escapes are left to [EmbeddedUrl].
final class CodedText {
    /// How many codes may be within one another: the limit `unwrapped`.
    static final int MAX_STEPS = 4;

    /// The texts of one link: the limit `unwrapped`.
    static final int MAX_TEXTS = 32;

    /// The places of one link that are inflated: the limit `unwrapped`.
    static final int MAX_INFLATIONS = 64;

    /// The digits of `//a.bc` in base64. Hides nothing: a shorter code has no target.
    private static final int SHORTEST = 8;

    /// The longest text that is inflated. Hides nothing: a longer URL is cut there too.
    private static final int MAX_INFLATED = Utf8.MAX;

    /// The characters that take as long as an attempt to inflate.
    private static final int CHARS_PER_INFLATION = 512;

    /// The bytes of a deflated text with a code of its own. Hides nothing: its table takes 14, and programs choose
    /// the fixed code for a short text.
    private static final int SHORTEST_OWN_CODE = 20;

    /// The digits of a text deflated behind a header of other bytes. Hides nothing: a shorter code has no room for
    /// both.
    private static final int SHORTEST_BEHIND_HEADER = 28;

    /// The bits that are seen at a time.
    private static final int WINDOW_BYTES = 8;

    /// The first characters of a deflated text behind other bytes, which have codes of their own: a repetition takes
    /// three characters before it.
    private static final int FIRST_CHARACTERS = 4;

    /// The first five bits of the fixed codes of `!` to `~`.
    private static final int FIRST_PRINTABLE = 0b01010;

    private static final int LAST_PRINTABLE = 0b10101;

    /// What begins with `http` or `www` in base64, at each of the three positions of a byte.
    private static final List<Mark> MARKS = List.of(
            new Mark("aHR0c", 0, ""),
            new Mark("SFRUU", 0, ""),
            new Mark("d3d3L", 0, ""),
            new Mark("0dHA6", 1, "ht"),
            new Mark("0dHBz", 1, "ht"),
            new Mark("odHRw", 1, "h"));

    private static final String HEX_MARK = "68747470";
    private static final IntPredicate BASE64 = digits("+/-_");
    private static final IntPredicate BASE64_IN_PATH = digits("+-_");

    /// @param text the characters in the link
    /// @param skip number of characters before a complete group of four
    /// @param before the decoded text of the skipped characters
    private record Mark(String text, int skip, String before) {}

    private record Coded(String text, int steps) {}

    private final List<String> texts = new ArrayList<>();
    private final Deque<Coded> open = new ArrayDeque<>();
    private int inflations;
    private boolean cut;
    private long looked;

    private CodedText() {}

    private static IntPredicate digits(String more) {
        AsciiSet digits = AsciiSet.lettersDigitsAnd(more);
        return c -> digits.has((char) c);
    }

    /// @param texts the decoded texts
    /// @param cut whether there were more than the limits permit
    /// @param looked number of characters that were decoded
    record Decoded(List<String> texts, boolean cut, long looked) {}

    private static final Decoded NOTHING = new Decoded(List.of(), false, 0);

    /// Whether the path of a link may have a code; escapes and a query are not looked at.
    static boolean mayBeIn(String link, int path) {
        return hasMark(link, path, link.length()) || hasCode(link, path, BASE64_IN_PATH);
    }

    private static boolean hasCode(String link, int path, IntPredicate digits) {
        int from = path;
        for (int i = path; i <= link.length(); i++) {
            if (i == link.length() || !digits.test(link.charAt(i))) {
                if (i - from >= SHORTEST && mayBeCode(link, from, i)) {
                    return true;
                }
                from = i + 1;
            }
        }
        return false;
    }

    private static boolean mayBeCode(String text, int from, int to) {
        return beginsCode(text, from) || beginsHex(text, from) || nextDeflated(text, from, to, 0) >= 0;
    }

    private static boolean hasMark(String text, int from, int to) {
        for (Mark mark : MARKS) {
            if (text.indexOf(mark.text(), from, to) >= 0) {
                return true;
            }
        }
        return text.indexOf(HEX_MARK, from, to) >= 0;
    }

    /// Decodes the codes of a link.
    ///
    /// @param path the start of the path in the link
    static Decoded read(String link, int path) {
        boolean mayBeCoded = link.indexOf('%', path) >= 0
                || hasMark(link, path, link.length())
                || hasCode(link, path, BASE64)
                || hasCode(link, path, BASE64_IN_PATH);
        if (!mayBeCoded) {
            return NOTHING;
        }
        CodedText coded = new CodedText();
        boolean inPath = true;
        boolean hasName = false;
        int from = path;
        for (int i = path; i <= link.length(); i++) {
            char c = i == link.length() ? '#' : link.charAt(i);
            boolean ends = c == '?' || c == '#' || (inPath ? c == '/' : c == '&' || c == ';');
            if (ends) {
                coded.value(link, from, i, inPath);
                from = i + 1;
                inPath = inPath && c == '/';
                hasName = false;
            } else if (c == '=' && !inPath && !hasName) {
                from = i + 1;
                hasName = true;
            }
        }
        coded.decode();
        return new Decoded(coded.texts, coded.cut, coded.looked);
    }

    private void value(String link, int from, int to, boolean inPath) {
        IntPredicate digits = inPath ? BASE64_IN_PATH : BASE64;
        int percent = link.indexOf('%', from, to);
        if (percent < 0) {
            codes(link, from, to, 0, digits);
            return;
        }
        String value = link.substring(from, to);
        String plain = unescape(value);
        boolean isNew = !plain.equals(value) && (plain.indexOf('<') >= 0 || !EmbeddedUrl.isIn(value));
        if (isNew) {
            add(plain);
        }
        codes(plain, 0, plain.length(), 0, digits);
    }

    /// The value without escapes. Tabs and line ends in a URL are skipped as in browsers.
    private String unescape(String value) {
        looked += value.length();
        byte[] bytes = Utf8.of(value);
        String plain = Utf8.text(bytes, 0, Escapes.unescape(bytes, 0, bytes.length));
        String whole = TextScan.without(plain, c -> c == '\t' || c == '\r' || c == '\n');
        return EmbeddedUrl.startsAt(whole + " ", 0) ? whole : plain;
    }

    private void decode() {
        while (!open.isEmpty() && !cut) {
            Coded next = open.poll();
            String plain = next.text().indexOf('%') < 0 ? next.text() : unescape(next.text());
            add(plain);
            codes(plain, 0, plain.length(), next.steps(), BASE64);
        }
    }

    private void add(String text) {
        if (texts.size() == MAX_TEXTS) {
            cut = true;
        } else {
            texts.add(text);
        }
    }

    /// Decodes each run of digits in a part of a text.
    private void codes(String text, int from, int to, int steps, IntPredicate digits) {
        boolean marked = hasMark(text, from, to);
        int start = from;
        for (int i = from; i <= to; i++) {
            if (i == to || !digits.test(text.charAt(i))) {
                if (i - start >= SHORTEST && (marked || mayBeCode(text, start, i))) {
                    code(text.substring(start, i), steps + 1);
                }
                start = i + 1;
            }
        }
    }

    private void code(String run, int steps) {
        decodeRun(run).ifPresent(plain -> open(plain, steps));
        marks(run, steps);
    }

    private void open(String plain, int steps) {
        looked += plain.length();
        if (steps > MAX_STEPS || open.size() == MAX_TEXTS) {
            cut = true;
        } else {
            open.add(new Coded(plain, steps));
        }
    }

    /// Decodes the first URL of each spelling behind other digits, for example behind a number of a tracker.
    private void marks(String run, int steps) {
        for (Mark mark : MARKS) {
            int at = run.indexOf(mark.text(), 1);
            if (at >= 0) {
                byte[] bytes = base64(run.substring(at + mark.skip()));
                printable(mark.before() + Utf8.text(bytes, 0, bytes.length)).ifPresent(plain -> open(plain, steps));
            }
        }
        int hex = run.indexOf(HEX_MARK, 1);
        if (hex >= 0) {
            int end = TextScan.end(run, hex, TextScan::isHexDigit);
            printable(hex(run.substring(hex, end - (end - hex) % 2))).ifPresent(plain -> open(plain, steps));
        }
    }

    private Optional<String> decodeRun(String run) {
        if (TextScan.end(run, 0, TextScan::isHexDigit) == run.length() && run.length() % 2 == 0) {
            Optional<String> plain = printable(hex(run));
            if (plain.isPresent()) {
                return plain;
            }
        }
        int deflated = nextDeflated(run, 0, run.length(), 0);
        if (!beginsCode(run, 0) && deflated < 0) {
            return Optional.empty();
        }
        byte[] bytes = base64(run);
        Optional<String> plain = printable(Utf8.text(bytes, 0, bytes.length))
                .or(() -> mayBeDeflated(bytes) ? inflate(bytes, 0) : Optional.empty());
        while (plain.isEmpty() && deflated >= 0) {
            plain = inflate(bytes, deflated);
            deflated = nextDeflated(run, 0, run.length(), deflated + 1);
        }
        return plain;
    }

    /// The next byte of a run of base64 at which deflated text may begin, behind a header of other bytes; -1 if there
    /// is none. Other bytes look so once in 200.
    private static int nextDeflated(String text, int from, int to, int first) {
        if (to - from < SHORTEST_BEHIND_HEADER) {
            return -1;
        }
        int length = (to - from) / 4 * 3;
        long window = 0;
        for (int i = first; i < length; i++) {
            window = window >>> 8 | (long) byteAt(text, from, i) << 56;
            if (i - first >= WINDOW_BYTES - 1 && ((window & 7) == 3 ? beginsFixed(window) : beginsOwn(window))) {
                return i - WINDOW_BYTES + 1;
            }
        }
        return -1;
    }

    private static int byteAt(String text, int from, int index) {
        int at = from + index / 3 * 4 + index % 3;
        int shift = 2 * (index % 3);
        return (digit(text.charAt(at)) << (shift + 2) | digit(text.charAt(at + 1)) >> (4 - shift)) & 0xff;
    }

    /// Whether bits are those of a last block with the fixed code (RFC 1951 3.2.6) and of printable characters.
    private static boolean beginsFixed(long bits) {
        long rest = bits >>> 3;
        for (int i = 0; i < FIRST_CHARACTERS; i++) {
            int character = (Integer.reverse((int) rest) >>> 24) - 0x30;
            if (!TextScan.isPrintable(character)) {
                return false;
            }
            rest >>>= 8;
        }
        return true;
    }

    /// Whether bits are those of a last block with a code of its own (RFC 1951 3.2.7), whose lengths fill a code.
    private static boolean beginsOwn(long bits) {
        if ((bits & 7) != 5 || (bits >> 3 & 31) > 29 || (bits >> 8 & 31) > 29) {
            return false;
        }
        int lengths = 4 + (int) (bits >> 13 & 15);
        int seen = Math.min(lengths, 15);
        int codes = 0;
        for (int i = 0; i < seen; i++) {
            int length = (int) (bits >>> (17 + 3 * i) & 7);
            codes += length == 0 ? 0 : 128 >> length;
        }
        return codes == 128 || (codes < 128 && seen < lengths);
    }

    /// Whether the first four digits decode to three printable characters or to the begin of deflated text, which
    /// those of few other words do.
    private static boolean beginsCode(CharSequence text, int at) {
        int bits = 0;
        for (int i = at; i < at + 4; i++) {
            bits = bits << 6 | digit(text.charAt(i));
        }
        int first = bits >> 16;
        int second = bits >> 8 & 0xff;
        return (TextScan.isPrintable(first) && TextScan.isPrintable(second) && TextScan.isPrintable(bits & 0xff))
                || mayBeDeflated(first, second);
    }

    private static boolean mayBeDeflated(byte[] bytes) {
        boolean tooShort = (bytes[0] & 7) == 5 && bytes.length < SHORTEST_OWN_CODE;
        return !tooShort && mayBeDeflated(bytes[0] & 0xff, bytes[1] & 0xff);
    }

    /// Whether the first four digits are those of two printable characters.
    private static boolean beginsHex(String text, int at) {
        return isHexOfPrintable(text, at) && isHexOfPrintable(text, at + 2);
    }

    private static boolean isHexOfPrintable(String text, int at) {
        int high = Character.digit(text.charAt(at), 16);
        int low = Character.digit(text.charAt(at + 1), 16);
        return high >= 0 && low >= 0 && TextScan.isPrintable(high * 16 + low);
    }

    private static int digit(char c) {
        if (c <= '9') {
            return c == '+' || c == '-' ? 62 : c == '/' ? 63 : c - '0' + 52;
        }
        return c == '_' ? 63 : c <= 'Z' ? c - 'A' : c - 'a' + 26;
    }

    /// Whether bytes begin as zlib (RFC 1950), or as a last block of deflate (RFC 1951 3.2.3): one with the fixed
    /// code whose first character is printable, or one with a code of its own.
    private static boolean mayBeDeflated(int first, int second) {
        int character = Integer.reverse(first >> 3) >>> 27;
        boolean fixed = (first & 7) == 3 && character >= FIRST_PRINTABLE && character <= LAST_PRINTABLE;
        return isZlib(first, second) || fixed || (first & 7) == 5;
    }

    private static boolean isZlib(int first, int second) {
        return (first & 15) == 8 && (first * 256 + second) % 31 == 0;
    }

    private static byte[] base64(String digits) {
        int whole = digits.length() % 4 == 1 ? digits.length() - 1 : digits.length();
        return Base64.getDecoder()
                .decode(digits.substring(0, whole).replace('-', '+').replace('_', '/'));
    }

    private static String hex(String digits) {
        return Utf8.text(HexFormat.of().parseHex(digits), 0, digits.length() / 2);
    }

    private Optional<String> inflate(byte[] bytes, int from) {
        if (inflations == MAX_INFLATIONS) {
            cut = true;
            return Optional.empty();
        }
        inflations++;
        looked += CHARS_PER_INFLATION;
        boolean zlib = from == 0 && isZlib(bytes[0] & 0xff, bytes[1] & 0xff);
        try (Inflater inflater = new Inflater(!zlib)) {
            inflater.setInput(bytes, from, bytes.length - from);
            byte[] plain = new byte[MAX_INFLATED];
            return printable(Utf8.text(plain, 0, inflater.inflate(plain)));
        } catch (DataFormatException noDeflate) {
            return Optional.empty();
        }
    }

    /// The text if it is printable, or its printable begin if that is a URL; empty for anything else.
    private static Optional<String> printable(String text) {
        int end = TextScan.end(text, 0, CodedText::isPrintable);
        String begin = text.substring(0, end);
        boolean url = !begin.isEmpty()
                && (EmbeddedUrl.startsAt(begin, 0) || begin.startsWith("www.") || begin.startsWith("HTTP"));
        return url || (end == text.length() && end > 0) ? Optional.of(begin) : Optional.empty();
    }

    private static boolean isPrintable(int c) {
        return TextScan.isPrintable(c) || TextScan.isBlank(c) || (c > 0xa0 && c != '\ufffd');
    }
}
