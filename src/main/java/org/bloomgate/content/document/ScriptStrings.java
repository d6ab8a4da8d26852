package org.bloomgate.content.document;

import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.core.text.TextForms;

/// Evaluates the literals of a script or formula in one step, without running it: escapes, concatenations,
/// joined lists, templates and character codes, and each result also as percent-encoded, base64, hexadecimal or
/// reversed text. A name is replaced by the text that was last assigned to it, anywhere in the script.
///
/// Between two literals, anything except an operator and the names of functions that combine strings ends a
/// concatenation. A script that assigns texts is read twice; the texts of names count towards
/// [#MAX_DECODED_CHARS], so that the work is linear in the script.
public final class ScriptStrings {
    /// Receives the decoded texts, and supplies the allowance.
    public interface Sink {
        /// Spends work that is about to be done; false if no more may be done.
        boolean spend(long units);

        void reached(Limit limit);

        /// Receives a text that the script contains only in pieces or encoded.
        void decoded(String text);
    }

    /// Characters decoded out of one script: the limit `scripts`.
    static final int MAX_DECODED_CHARS = 256 * 1024;

    /// Shorter strings are words rather than base64 or hexadecimal. Hides nothing: a URL has ten
    /// characters and more.
    private static final int MIN_CODED_CHARS = 16;

    /// Numbers in brackets that may be a text. Hides nothing: a URL has ten characters and more.
    private static final int MIN_NUMBERS = 8;

    /// Digits of base64 that are not hexadecimal digits, and characters that may be between them.
    private static final String BASE64 = "ghijklmnopqrstuvwxyzGHIJKLMNOPQRSTUVWXYZ+/-_=\r\n ";

    /// Longer names are cut, so that two with the same beginning count as one.
    private static final int LONGEST_NAME = 64;

    /// The longest name in [#JOINING]. Hides nothing: a longer name is not in it.
    private static final int LONGEST_JOINING = "decodeuricomponent".length();

    /// Less than the length of `//a.b`.
    private static final int SHORTEST_DECODED = 4;

    /// Names in one script to which texts are assigned: the limit `scripts`.
    static final int MAX_NAMES = 1_000;

    /// The longest attribute value that a script is expected to decode; longer ones are not read.
    private static final int MAX_VALUE_CHARS = 64 * 1024;

    private static final Set<String> JOINING = Set.of(
            "string",
            "fromcharcode",
            "fromcodepoint",
            "chr",
            "chrw",
            "atob",
            "unescape",
            "decodeuri",
            "decodeuricomponent",
            "concat",
            "buffer",
            "from");

    private static final Set<String> CODES = Set.of("fromcharcode", "fromcodepoint", "chr", "chrw");

    private static final int WORK_PER_SCRIPT = 150;

    private final char[] script;
    private final int to;
    private final Sink sink;
    /// Pieces of the text that may each be decoded on their own.
    private final List<String> codedPieces = new ArrayList<>(0);

    private final StringBuilder whole = new StringBuilder();
    private final StringBuilder list = new StringBuilder();
    private int wholePieces;
    private int listPieces;
    private boolean coded;
    private int decodedChars;
    private int at;

    private final Map<String, String> texts = new HashMap<>(0);
    private final Set<String> sums = new HashSet<>(0);

    /// Names to which this pass has assigned a text.
    private final Set<String> begun = new HashSet<>(0);

    /// The name to which the current text is assigned; empty for none.
    private String assigned = "";

    private boolean adds;

    /// Whether this is the first of two passes, which passes no text on.
    private boolean gathers;

    private ScriptStrings(char[] script, int from, int to, Sink sink) {
        this.script = script;
        this.at = from;
        this.to = to;
        this.sink = sink;
    }

    public static void read(char[] script, int from, int to, Sink sink) {
        if (holdsPieces(script, from, to) && sink.spend(WORK_PER_SCRIPT + 2L * (to - from))) {
            ScriptStrings strings = new ScriptStrings(script, from, to, sink);
            if (assigns(script, from, to) && sink.spend(2L * (to - from))) {
                strings.gather(from);
            }
            strings.read();
            strings.sums();
        }
    }

    /// Reads an attribute value that a script may decode.
    public static void readCoded(char[] value, int from, int to, Sink sink) {
        boolean may = to - from >= MIN_CODED_CHARS && to - from <= MAX_VALUE_CHARS;
        if (may
                && isOf(CharBuffer.wrap(value, from, to - from), BASE64)
                && sink.spend(WORK_PER_SCRIPT + 2L * (to - from))) {
            new ScriptStrings(value, from, to, sink).variants(new String(value, from, to - from));
        }
    }

    private static boolean assigns(char[] script, int from, int to) {
        for (int i = from; i < to; i++) {
            if (script[i] == '=') {
                return true;
            }
        }
        return false;
    }

    private void gather(int from) {
        gathers = true;
        read();
        gathers = false;
        at = from;
        decodedChars = 0;
        begun.clear();
    }

    /// Passes on the texts that were built with `+=`.
    private void sums() {
        for (String name : sums) {
            String text = texts.getOrDefault(name, "");
            hand(text);
            variants(text);
        }
    }

    /// Whether the script has a quote or bracket; most handlers and many scripts have nothing to decode.
    private static boolean holdsPieces(char[] script, int from, int to) {
        for (int i = from; i < to; i++) {
            char c = script[i];
            if (c == '"' || c == '\'' || c == '`' || c == '[' || c == '(') {
                return true;
            }
        }
        return false;
    }

    private void read() {
        while (at < to && decodedChars <= MAX_DECODED_CHARS) {
            char c = script[at];
            if (c == '"' || c == '\'' || c == '`') {
                at++;
                literal(c);
            } else if (Character.isLetter(c) || c == '_' || c == '$') {
                word();
            } else if (c == '[') {
                at++;
                end();
                numbers(']', MIN_NUMBERS);
            } else if (c == '/' && at + 1 < to && script[at + 1] == '*') {
                comment();
            } else {
                operator(c);
                at++;
            }
        }
        end();
        if (decodedChars > MAX_DECODED_CHARS) {
            sink.reached(Limit.SCRIPTS);
        }
    }

    private void comment() {
        at += 2;
        while (at < to && (script[at] != '/' || script[at - 1] != '*')) {
            at++;
        }
        at++;
    }

    private void operator(char c) {
        if (c == ',') {
            endOfWhole();
        } else if (c > ' ' && "+&.()\\_".indexOf(c) < 0) {
            end();
        }
    }

    private void word() {
        int from = at;
        while (at < to && (Character.isLetterOrDigit(script[at]) || script[at] == '_' || script[at] == '$')) {
            at++;
        }
        String word = at - from > LONGEST_JOINING ? "" : TextForms.lowerCase(new String(script, from, at - from));
        if (!JOINING.contains(word)) {
            name(new String(script, from, Math.min(at - from, LONGEST_NAME)));
        } else if (CODES.contains(word) && at < to && script[at] == '(') {
            at++;
            numbers(')', 1);
        }
    }

    /// Handles a name, which is assigned to or stands for its text.
    private void name(String name) {
        int i = at;
        while (i < to && script[i] <= ' ') {
            i++;
        }
        boolean sum = i + 1 < to && script[i] == '+' && script[i + 1] == '=';
        boolean assignment = i + 1 < to && script[i] == '=' && script[i + 1] != '=' && script[i + 1] != '>';
        if (sum || assignment) {
            end();
            assigned = name;
            adds = sum;
            at = i + (sum ? 2 : 1);
        } else {
            named(name).ifPresentOrElse(text -> piece(new StringBuilder(text)), this::end);
        }
    }

    /// The text of a name, whose length counts as decoded.
    private Optional<String> named(String name) {
        Optional<String> text = Optional.ofNullable(texts.get(name));
        text.ifPresent(known -> {
            coded = true;
            decodedChars += sink.spend(known.length()) ? known.length() : MAX_DECODED_CHARS;
        });
        return text;
    }

    private void assign(String text) {
        boolean first = begun.add(assigned);
        if (adds && (gathers || !first)) {
            sums.add(assigned);
            put(texts.getOrDefault(assigned, "") + text);
        } else if (adds) {
            begun.remove(assigned);
        } else {
            put(text);
        }
    }

    private void put(String text) {
        if (texts.size() == MAX_NAMES && !texts.containsKey(assigned)) {
            sink.reached(Limit.SCRIPTS);
        } else if (text.length() > MAX_DECODED_CHARS || !sink.spend(text.length())) {
            decodedChars = MAX_DECODED_CHARS + 1;
        } else {
            texts.put(assigned, text);
        }
    }

    /// Reads numbers up to `close` as characters; does nothing if there is anything else among them.
    private void numbers(char close, int least) {
        StringBuilder text = new StringBuilder();
        int i = at;
        while (i < to && script[i] != close) {
            int from = i;
            while (i < to && (Character.digit(script[i], 16) >= 0 || (i == from + 1 && (script[i] | 32) == 'x'))) {
                i++;
            }
            int code = i == from ? -1 : code(from, i);
            boolean separator = i == from && (script[i] == ',' || script[i] <= ' ');
            if (!separator && (code <= 0 || code > 0xffff)) {
                return;
            }
            if (separator) {
                i++;
            } else {
                text.append((char) code);
            }
        }
        if (text.length() >= least) {
            at = Math.min(to, i + 1);
            coded = true;
            piece(text);
        }
    }

    /// A decimal or `0x` number; -1 for any other text, and for a number larger than any character.
    private int code(int from, int behind) {
        boolean hex = behind - from > 2 && (script[from + 1] | 32) == 'x';
        int code = 0;
        for (int i = hex ? from + 2 : from; i < behind && code >= 0; i++) {
            int digit = Character.digit(script[i], hex ? 16 : 10);
            code = digit < 0 || code > 0xffff ? -1 : code * (hex ? 16 : 10) + digit;
        }
        return code;
    }

    private void literal(char quote) {
        StringBuilder text = new StringBuilder();
        while (at < to && script[at] != quote && (quote == '`' || script[at] != '\n')) {
            char c = script[at++];
            if (c == '\\' && at < to) {
                escape(text);
            } else if (quote == '`' && c == '$' && at < to && script[at] == '{') {
                text = inserted(text);
            } else {
                text.append(c);
            }
        }
        at++;
        piece(text);
    }

    /// Inserts the text of `${name}` in a template; any other expression ends the text.
    private StringBuilder inserted(StringBuilder text) {
        int from = ++at;
        while (at < to && script[at] != '}' && script[at] != '`') {
            at++;
        }
        Optional<String> known = named(new String(script, from, Math.min(at - from, LONGEST_NAME)).strip());
        at += at < to && script[at] == '}' ? 1 : 0;
        if (known.isPresent()) {
            return text.append(known.get());
        }
        piece(text);
        endOfWhole();
        return new StringBuilder();
    }

    /// ECMA-262, 12.9.4.
    private void escape(StringBuilder text) {
        char c = script[at++];
        switch (c) {
            case 'x' -> hexadecimal(text, 2);
            case 'u' -> {
                boolean braces = at < to && script[at] == '{';
                at += braces ? 1 : 0;
                hexadecimal(text, braces ? 6 : 4);
                at += braces && at < to && script[at] == '}' ? 1 : 0;
            }
            case 'n', 'r', 't' -> text.append(' ');
            case '\r', '\n' -> {}
            case '0', '1', '2', '3', '4', '5', '6', '7' -> octal(text, c - '0');
            default -> {
                coded |= c == '/';
                text.append(c);
            }
        }
    }

    private void hexadecimal(StringBuilder text, int most) {
        int from = at;
        int code = 0;
        while (at < to && at < from + most && Character.digit(script[at], 16) >= 0) {
            code = code * 16 + Character.digit(script[at++], 16);
        }
        coded = true;
        text.appendCodePoint(Math.min(code, Character.MAX_CODE_POINT));
    }

    private void octal(StringBuilder text, int first) {
        int code = first;
        for (int i = 0; i < 2 && at < to && script[at] >= '0' && script[at] <= '7'; i++) {
            code = code * 8 + script[at++] - '0';
        }
        coded = true;
        text.append((char) (code & 0xff));
    }

    private void piece(StringBuilder text) {
        if (text.length() >= MIN_CODED_CHARS && isOf(text, BASE64)) {
            codedPieces.add(text.toString());
        }
        whole.append(text);
        list.append(text);
        wholePieces++;
        listPieces++;
    }

    private void endOfWhole() {
        if (wholePieces > 0) {
            if (coded || wholePieces > 1) {
                hand(whole.toString());
            }
            variants(whole.toString());
            if (wholePieces > 1) {
                codedPieces.forEach(this::variants);
            }
        }
        codedPieces.clear();
        whole.setLength(0);
        wholePieces = 0;
        coded = false;
    }

    private void end() {
        boolean joined = listPieces > wholePieces;
        endOfWhole();
        if (!assigned.isEmpty() && listPieces > 0) {
            assign(list.toString());
        }
        assigned = "";
        if (joined) {
            hand(list.toString());
            variants(list.toString());
        }
        list.setLength(0);
        listPieces = 0;
    }

    private void hand(String text) {
        if (!gathers
                && text.length() >= SHORTEST_DECODED
                && decodedChars <= MAX_DECODED_CHARS
                && sink.spend(text.length())) {
            decodedChars += text.length();
            sink.decoded(text);
        }
    }

    /// Passes on the text decoded from each encoding that it may have.
    private void variants(String text) {
        if (gathers) {
            return;
        }
        if (text.indexOf('%') >= 0) {
            hand(unescaped(text));
        }
        if (text.contains("//:") || text.contains("\\\\:")) {
            hand(new StringBuilder(text).reverse().toString());
        }
        if (text.length() < MIN_CODED_CHARS) {
            return;
        }
        String packed = text.strip();
        if (isOf(packed, "")) {
            readable(hexadecimal(packed));
        }
        if (isOf(packed, BASE64)) {
            readable(base64(packed));
        }
        String reversed = new StringBuilder(packed).reverse().toString();
        if (packed.startsWith("=") && isOf(reversed, "ghijklmnopqrstuvwxyzGHIJKLMNOPQRSTUVWXYZ+/-_=")) {
            readable(base64(reversed));
        }
    }

    private static boolean isOf(CharSequence text, String besideHexDigits) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ((c >= 0x80 || Character.digit(c, 16) < 0) && besideHexDigits.indexOf(c) < 0) {
                return false;
            }
        }
        return true;
    }

    /// Decodes `%41` and `%u0041`, with the bytes as UTF-8.
    static String unescaped(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = 0;
        int i = 0;
        while (i < bytes.length) {
            boolean wide = bytes[i] == '%' && i + 5 < bytes.length && (bytes[i + 1] | 32) == 'u';
            int digits = i + (wide ? 4 : 1);
            int high = bytes[i] == '%' && digits + 1 < bytes.length ? Character.digit(bytes[digits], 16) : -1;
            int low = high < 0 ? -1 : Character.digit(bytes[digits + 1], 16);
            bytes[length++] = low < 0 ? bytes[i] : (byte) (high * 16 + low);
            i = low < 0 ? i + 1 : digits + 2;
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    /// The text of base64, one character for each byte; empty if there are other characters.
    static Optional<String> base64Text(String text) {
        return isOf(text, BASE64)
                ? Optional.of(new String(base64(text), StandardCharsets.ISO_8859_1))
                : Optional.empty();
    }

    private static byte[] hexadecimal(String text) {
        byte[] bytes = new byte[text.length() / 2];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] =
                    (byte) (Character.digit(text.charAt(2 * i), 16) * 16 + Character.digit(text.charAt(2 * i + 1), 16));
        }
        return bytes;
    }

    private static byte[] base64(String text) {
        byte[] digits = new byte[text.length()];
        int length = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c > ' ' && c != '=') {
                digits[length++] = (byte) (c == '-' ? '+' : c == '_' ? '/' : c);
            }
        }
        return Base64.getDecoder().decode(Arrays.copyOf(digits, length % 4 == 1 ? length - 1 : length));
    }

    /// Passes on bytes that are text, not noise. Zeros are removed, so that UTF-16 is read too.
    private void readable(byte[] bytes) {
        int kept = 0;
        int odd = 0;
        for (byte b : bytes) {
            if (b != 0) {
                odd += b < ' ' && b != '\n' && b != '\r' && b != '\t' ? 1 : 0;
                bytes[kept++] = b;
            }
        }
        if (odd * 8 <= kept) {
            hand(new String(bytes, 0, kept, StandardCharsets.UTF_8));
        }
    }
}
