package org.bloomgate.content.document;

import java.util.Set;

/// Splits JavaScript into tokens, one at a time and from any position.
final class ScriptLexer {
    enum Kind {
        END,
        NAME,
        NUMBER,
        TEXT,
        SIGN
    }

    private static final Set<String> SIGNS = Set.of(
            "=>", "==", "===", "!=", "!==", "<=", ">=", "&&", "||", "??", "?.", "++", "--", "**", "<<", ">>", ">>>",
            "...", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", ">>>=", "**=", "&&=", "||=", "??=");

    /// Longer names are cut, so that two with the same beginning count as one.
    private static final int LONGEST_NAME = 64;

    private final char[] script;
    Kind kind = Kind.END;
    /// The name, sign, digits or decoded text of the current token.
    String word = "";
    /// Where the current token begins and ends.
    int start;

    int at;

    ScriptLexer(char[] script) {
        this.script = script;
    }

    boolean is(String sign) {
        return kind == Kind.SIGN && word.equals(sign);
    }

    boolean isName(String... names) {
        return kind == Kind.NAME && Set.of(names).contains(word);
    }

    boolean skip(String sign) {
        boolean is = is(sign);
        if (is) {
            advance();
        }
        return is;
    }

    void seek(int position) {
        at = position;
        advance();
    }

    void advance() {
        skipBlanksAndComments();
        start = at;
        char c = charAt(at);
        int length = 1;
        if (at >= script.length) {
            kind = Kind.END;
            length = 0;
        } else if (c == '"' || c == '\'') {
            StringBuilder text = new StringBuilder();
            at++;
            while (at < script.length && script[at] != c && script[at] != '\n') {
                character(text, true);
            }
            at++;
            kind = Kind.TEXT;
            word = text.toString();
            return;
        } else if (isNamePart(c)) {
            kind = Character.isDigit(c) ? Kind.NUMBER : Kind.NAME;
            while (isNamePart(charAt(at + length)) || (kind == Kind.NUMBER && charAt(at + length) == '.')) {
                length++;
            }
        } else {
            kind = Kind.SIGN;
            length = Math.min(4, script.length - at);
            while (length > 1 && !SIGNS.contains(new String(script, at, length))) {
                length--;
            }
        }
        word = new String(script, at, Math.min(length, LONGEST_NAME));
        at += length;
    }

    private char charAt(int position) {
        return position < script.length ? script[position] : ' ';
    }

    private static boolean isNamePart(char c) {
        return Character.isLetterOrDigit(c) || c == '_' || c == '$' || c == '#';
    }

    private void skipBlanksAndComments() {
        while (at < script.length) {
            char c = script[at];
            char next = charAt(at + 1);
            if (c == '/' && (next == '*' || next == '/')) {
                at += 2;
                while (at < script.length
                        && (next == '*' ? script[at] != '/' || script[at - 1] != '*' : script[at] != '\n')) {
                    at++;
                }
            } else if (c > ' ' && !Character.isSpaceChar(c) && c != '\ufeff') {
                return;
            }
            at++;
        }
        at = Math.min(at, script.length);
    }

    /// Reads a regular expression that begins at the current token.
    String readPattern() {
        boolean set = false;
        at = start + 1;
        while (at < script.length && script[at] != '\n' && (set || script[at] != '/')) {
            set = script[at] == '[' || (set && script[at] != ']');
            at += script[at] == '\\' ? 2 : 1;
        }
        do {
            at++;
        } while (Character.isLetter(charAt(at)));
        at = Math.min(at, script.length);
        return new String(script, start, at - start);
    }

    /// Appends the text of a template up to its end or to `${`.
    ///
    /// @return whether an expression follows, whose first token is current
    boolean readTemplate(StringBuilder text, boolean raw) {
        while (at < script.length && script[at] != '`') {
            if (script[at] == '$' && charAt(at + 1) == '{') {
                seek(at + 2);
                return true;
            }
            character(text, !raw);
        }
        at++;
        return false;
    }

    /// ECMA-262, 12.9.4.
    private void character(StringBuilder text, boolean escapes) {
        char c = script[at++];
        if (c != '\\' || !escapes || at == script.length) {
            text.append(ScriptEvaluator.isSpecial(c) ? '?' : c);
            return;
        }
        c = script[at++];
        switch (c) {
            case 'x' -> text.append((char) digits(2, 16));
            case 'u' -> {
                boolean braces = charAt(at) == '{';
                at += braces ? 1 : 0;
                text.appendCodePoint(Math.min(digits(braces ? 6 : 4, 16), Character.MAX_CODE_POINT));
                at += braces && charAt(at) == '}' ? 1 : 0;
            }
            case 'n', 'r', 't' -> text.append(' ');
            case '\r', '\n' -> {}
            case '0', '1', '2', '3', '4', '5', '6', '7' -> {
                at--;
                text.append((char) (digits(3, 8) & 0xff));
            }
            default -> text.append(c);
        }
    }

    private int digits(int most, int radix) {
        int code = 0;
        for (int i = 0; i < most && Character.digit(charAt(at), radix) >= 0; i++) {
            code = code * radix + Character.digit(script[at++], radix);
        }
        return code;
    }
}
