package org.bloomgate.content.links;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.core.text.TextScan;

/// Reads the commands of a script or a shortcut for what they request, without running them. Constants are put
/// together over quotes, escapes, variables, pipes and the operators of PowerShell, and scripts in the arguments of
/// shells are read too. A shell that runs a code which is not resolved is the limit `scriptOpaque`. Each command is
/// read once, in the order of the script.
public final class CommandLinks {
    /// The longest text that is put together: the limit `scripts`.
    static final int MAX_CHARS = 256 * 1024;

    /// The depth of parentheses, and of scripts within others: the limit `nesting`.
    static final int MAX_DEPTH = 16;

    private static final int WORK_PER_CHAR = 8;

    /// The longest reference to a variable. Hides nothing: a longer one is not resolved.
    private static final int LONGEST_NAME = 64;

    /// Digits of a code. Hides nothing: a URL has ten characters and more.
    private static final int SHORTEST_CODE = 16;

    /// Stands for a text that is not in the script: a parameter, a result, the environment.
    private static final char UNKNOWN = '\ue000';

    /// Stands for a text that is in the script in a code.
    private static final char HIDDEN = '\ue001';

    /// Separates the items of a list.
    private static final char NEXT = '\ue002';

    private static final char END = '\uffff';

    /// The languages of command lines.
    public enum Shell {
        POWERSHELL,
        BATCH,
        SH
    }

    private final KeyExtractor keys;
    private final String text;
    private final Shell shell;
    private final boolean batch;
    private final boolean powerShell;
    private final Map<String, String> variables = new HashMap<>();
    private int depth;
    private int at;

    private CommandLinks(Shell shell, String text, KeyExtractor keys, int depth) {
        this.shell = shell;
        this.batch = shell == Shell.BATCH;
        this.powerShell = shell == Shell.POWERSHELL;
        this.text = text;
        this.keys = keys;
        this.depth = depth;
    }

    /// Reads a script or a command line.
    public static void read(Shell shell, String script, KeyExtractor keys) {
        CommandLinks commands = new CommandLinks(shell, script, keys, 0);
        if (keys.allowance().spend(WORK_PER_CHAR * (long) script.length())) {
            String _ = commands.readTo(END);
        }
    }

    /// Reads a script that a command runs.
    private void evaluate(Shell inner, String script) {
        if (script.indexOf(HIDDEN) >= 0) {
            keys.allowance().reached(Limit.SCRIPT_OPAQUE);
        }
        if (pay(script.length())) {
            String _ = new CommandLinks(inner, script, keys, depth).readTo(END);
        }
    }

    /// Pays for a text that is about to be built.
    private boolean pay(long chars) {
        if (chars > MAX_CHARS) {
            keys.allowance().reached(Limit.SCRIPTS);
        }
        return chars <= MAX_CHARS && keys.allowance().spend(WORK_PER_CHAR * chars);
    }

    private char peek(int ahead) {
        return at + ahead < text.length() ? text.charAt(at + ahead) : END;
    }

    /// Reads commands up to a closing character, which is skipped; returns what the last one writes.
    private String readTo(char close) {
        String output = "";
        if (depth == MAX_DEPTH) {
            keys.allowance().reached(Limit.NESTING);
            at = text.length();
        }
        depth++;
        while (at < text.length() && peek(0) != close && !keys.allowance().exhausted()) {
            int before = at;
            boolean piped = peek(0) == '|';
            at += piped ? 1 : 0;
            String written = command(piped ? output : "");
            output = written.isEmpty() ? output : written;
            at += at == before ? 1 : 0;
        }
        depth--;
        at = Math.min(text.length(), at + 1);
        return output;
    }

    private String command(String input) {
        skipBlanks();
        if (peek(0) == (batch ? ':' : '#')) {
            at = TextScan.next(text, at, c -> c == '\n');
            return "";
        }
        boolean expression = powerShell && "$(\"'-".indexOf(peek(0)) >= 0;
        String name = expression ? text.substring(at + 1, TextScan.end(text, at + 1, CommandLinks::isName)) : "";
        List<String> words = new ArrayList<>();
        while (at < text.length() && !separates(peek(0))) {
            words.add(word());
            skipBlanks();
            boolean adds = peek(0) == '+' && peek(1) == '=';
            if (expression && words.size() == 1 && (adds || peek(0) == '=')) {
                at += adds ? 2 : 1;
                String value = command("");
                assign(name, adds ? join(words.getFirst(), value) : value);
                return "";
            }
        }
        return expression ? fold(words) : run(words, input);
    }

    private void skipBlanks() {
        at = TextScan.end(text, at, c -> c == ' ' || c == '\t' || c == '\r' || c == '@');
        if (peek(0) == escape() && (peek(1) == '\n' || peek(1) == '\r')) {
            at += 2;
            skipBlanks();
        }
    }

    private char escape() {
        return powerShell ? '`' : batch ? '^' : '\\';
    }

    private boolean separates(char c) {
        return "\n|&)<>".indexOf(c) >= 0 || (c == '(' && !powerShell) || (!batch && "{};".indexOf(c) >= 0);
    }

    private static boolean isName(int c) {
        return TextScan.isLetter(c) || TextScan.isDigit(c) || c == '_';
    }

    private void assign(String name, String value) {
        find(value);
        variables.put(shell == Shell.SH ? name : TextForms.lowerCase(name), value);
    }

    private String join(String left, String right) {
        return pay((long) left.length() + right.length()) ? left + right : "";
    }

    /// Reads a word. In PowerShell, an operator behind a value ends it.
    private String word() {
        StringBuilder word = new StringBuilder();
        int from = at;
        int value = -1;
        while (at < text.length() && !separates(peek(0)) && peek(0) > ' ' && peek(0) != (powerShell ? END : '`')) {
            char c = peek(0);
            if (powerShell && (at == value ? c == '+' || c == '-' : c == '(' && at > from)) {
                break;
            }
            at++;
            if (c == '(' && powerShell) {
                append(word, readTo(')'));
            } else if (c == ',' && powerShell) {
                word.append(NEXT);
                skipBlanks();
            } else if (c == '"' || (c == '\'' && !batch)) {
                quoted(c, word);
            } else {
                character(c, word);
            }
            value = "'\"$()".indexOf(c) >= 0 ? at : value;
        }
        int name = TextScan.end(word, 0, CommandLinks::isName);
        if (shell == Shell.SH && name > 0 && name < word.length() && word.charAt(name) == '=') {
            assign(word.substring(0, name), word.substring(name + 1));
        }
        at += at == from ? 1 : 0;
        return word.toString();
    }

    private void append(StringBuilder word, String value) {
        if (pay(word.length() + (long) value.length())) {
            word.append(value);
        }
    }

    private void quoted(char quote, StringBuilder word) {
        while (at < text.length() && peek(0) != quote && !(batch && peek(0) == '\n')) {
            char c = text.charAt(at++);
            if (quote == '"') {
                character(c, word);
            } else {
                word.append(c);
            }
        }
        at += peek(0) == quote ? 1 : 0;
    }

    /// Appends a character, or what it begins: an escape, a variable or a substitution.
    private void character(char c, StringBuilder word) {
        if (c == '$' && !batch && peek(0) == '(') {
            at++;
            append(word, readTo(')'));
        } else if (batch ? c == '%' || c == '!' : c == '$') {
            append(word, variable(batch ? c : '}', batch || peek(0) == '{'));
        } else {
            word.append(c == escape() && at < text.length() ? text.charAt(at++) : c);
        }
    }

    /// The value of `$name`, `${name:1:2}`, `%name%` or `%name:a=b%`.
    private String variable(char close, boolean closes) {
        int from = at + (close == '}' && closes ? 1 : 0);
        int end = TextScan.end(text, from, CommandLinks::isName);
        int last = end;
        while (closes && last < Math.min(text.length() - 1, from + LONGEST_NAME) && text.charAt(last) != close) {
            last++;
        }
        if (end == from || (closes && text.charAt(Math.min(last, text.length() - 1)) != close)) {
            return String.valueOf(UNKNOWN);
        }
        at = closes ? last + 1 : last;
        String name = shell == Shell.SH ? text.substring(from, end) : TextForms.lowerCase(text.substring(from, end));
        String value = variables.getOrDefault(name, String.valueOf(UNKNOWN));
        return last == end || value.indexOf(UNKNOWN) >= 0 ? value : modify(value, text.substring(end, last));
    }

    /// The value with a part taken or replaced: `:~1,2`, `:a=b`, `:1:2`, `/a/b`, `//a/b`.
    private String modify(String value, String modifier) {
        boolean part = modifier.startsWith(batch ? ":~" : ":");
        char separator = batch ? part ? ',' : '=' : part ? ':' : '/';
        String rest = modifier.substring(modifier.startsWith(":~") || modifier.startsWith("//") ? 2 : 1);
        List<String> halves = TextScan.split(rest, c -> c == separator, 2);
        if (!part) {
            return replace(value, halves.getFirst(), halves.size() > 1 ? halves.getLast() : "");
        }
        int from = position(halves.getFirst(), value.length(), 0);
        int to = halves.size() > 1 ? position(halves.getLast(), value.length(), from) : value.length();
        return value.substring(from, Math.max(from, to));
    }

    /// A position in a text; a negative number counts from its end, another one from `from`.
    private static int position(String number, int length, int from) {
        String digits = TextScan.without(number, c -> !TextScan.isDigit(c));
        int count = digits.isEmpty() || digits.length() > 6 ? 0 : Integer.parseInt(digits);
        return Math.clamp(number.indexOf('-') >= 0 ? length - count : from + count, 0, length);
    }

    private String replace(String value, String old, String by) {
        return !old.isEmpty() && pay(value.length() * (1L + by.length() / old.length()))
                ? value.replace(old, by)
                : value;
    }

    /// Applies the operators of an expression from left to right. A value that another word follows is a command.
    private String fold(List<String> words) {
        boolean unary = words.getFirst().startsWith("-");
        String value = unary ? "" : words.getFirst();
        for (int i = unary ? 0 : 1; i < words.size(); i += 2) {
            String operator = TextForms.lowerCase(words.get(i));
            String right = i + 1 < words.size() ? words.get(i + 1) : "";
            List<String> items = TextScan.split(right, c -> c == NEXT);
            if (operator.equals("+")) {
                value = join(value, right);
            } else if (operator.equals("-f")) {
                for (int k = 0; k < items.size(); k++) {
                    value = replace(value, "{" + k + "}", items.get(k));
                }
            } else if (operator.equals("-join")) {
                value = replace(unary ? right : value, String.valueOf(NEXT), unary ? "" : right);
            } else if (operator.endsWith("replace")) {
                value = replace(value, TextScan.unescaped(items.getFirst()), items.size() > 1 ? items.get(1) : "");
            } else {
                value = operator.startsWith("-")
                        ? unresolved(value + right)
                        : run(words.subList(i - 1, words.size()), "");
            }
        }
        find(value);
        return value;
    }

    /// Reads a command; returns what it writes.
    ///
    /// @param input what it reads from the command before
    private String run(List<String> words, String input) {
        words.forEach(this::find);
        List<String> all = TextScan.words(String.join(" ", words), TextScan::isBlank, Integer.MAX_VALUE);
        for (int i = 0; i < all.size(); i++) {
            String rest = i + 1 < all.size() ? String.join(" ", all.subList(i + 1, all.size())) : input;
            switch (name(all.get(i))) {
                case "set" -> {
                    int equals = rest.indexOf('=');
                    assign(rest.substring(0, Math.max(0, equals)).strip(), rest.substring(equals + 1));
                    return "";
                }
                case "echo", "printf", "write-output" -> {
                    return rest;
                }
                case "base64" -> {
                    return decode(input);
                }
                case "rev" -> {
                    return new StringBuilder(input).reverse().toString();
                }
                case "eval", "iex", "invoke-expression" -> evaluate(shell, rest);
                case "cmd" -> evaluate(Shell.BATCH, rest);
                case "sh", "bash", "zsh", "dash" ->
                    evaluate(Shell.SH, rest.startsWith("-c ") ? rest.substring(3) : input);
                case "powershell", "pwsh" ->
                    evaluate(Shell.POWERSHELL, powershell(all.subList(i + 1, all.size()), rest));
                default -> {
                    continue;
                }
            }
            return "";
        }
        return unresolved(String.join(" ", all) + input);
    }

    /// The name of a program, without its folder and ending.
    private static String name(String word) {
        int folder = Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\'));
        String name = word.length() - folder > 32 ? "" : TextForms.lowerCase(word.substring(folder + 1));
        return name.endsWith(".exe") ? name.substring(0, name.length() - 4) : name;
    }

    /// The script in the arguments of PowerShell, of which that of `-EncodedCommand` is coded.
    private String powershell(List<String> words, String rest) {
        for (int i = 0; i + 1 < words.size(); i++) {
            String option = words.get(i).length() > 16
                    ? ""
                    : TextForms.lowerCase(words.get(i)).replace('/', '-');
            if (option.length() > 1 && ("-encodedcommand".startsWith(option) || option.equals("-ec"))) {
                return decode(words.get(i + 1));
            }
        }
        return rest;
    }

    /// Finds the URLs and shares in a constant.
    private void find(String constant) {
        if (constant.length() > 4 && keys.allowance().spend(WORK_PER_CHAR * (long) constant.length())) {
            char[] quoted = ('"' + constant + '"').toCharArray();
            RawLinks.read(quoted, 0, quoted.length, keys, Place.SCRIPT_ATTACHMENT);
            int share = constant.indexOf("\\\\");
            if (share >= 0 && Character.isLetterOrDigit(constant.charAt(Math.min(share + 2, constant.length() - 1)))) {
                keys.url(constant.substring(share), Place.SCRIPT_ATTACHMENT);
            }
        }
    }

    /// Decodes base64 of a text in UTF-8 or UTF-16.
    private String decode(String digits) {
        if (digits.indexOf(UNKNOWN) >= 0 || !pay(digits.length())) {
            return unresolved(digits);
        }
        String plain = new String(LenientBase64.decode(digits), StandardCharsets.UTF_8).replace("\0", "");
        int odd = TextScan.next(plain, 0, c -> c == '\ufffd' || (c < ' ' && !TextScan.isBlank(c)));
        return odd < plain.length() ? String.valueOf(HIDDEN) : plain;
    }

    /// The result of what is not resolved, which hides a code that it is made of.
    private static String unresolved(String constants) {
        boolean coded = TextScan.words(
                        constants,
                        c -> !TextScan.isLetter(c) && !TextScan.isDigit(c) && c != '+' && c != '=',
                        Integer.MAX_VALUE)
                .stream()
                .anyMatch(run ->
                        run.length() >= SHORTEST_CODE && TextScan.next(run, 0, TextScan::isDigit) < run.length());
        return String.valueOf(coded || constants.indexOf(HIDDEN) >= 0 ? HIDDEN : UNKNOWN);
    }
}
