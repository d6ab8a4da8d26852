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
/// shells are read too. A shell that runs a constant which is not resolved is the limit `scriptOpaque`. Each command is
/// read once, in the order of the script.
public final class CommandLinks {
    /// The longest text that is put together: the limit `scripts`.
    static final int MAX_CHARS = 256 * 1024;

    /// The depth of parentheses, and of scripts within others: the limit `nesting`.
    static final int MAX_DEPTH = 16;

    private static final int WORK_PER_CHAR = 4;
    private static final int HEAP_OF_VARIABLE = 200;

    /// The longest reference to a variable. Hides nothing: a longer one is not resolved.
    private static final int LONGEST_NAME = 64;

    /// Stands for a text that is not in the script: a parameter, a result, the environment.
    private static final char UNKNOWN = '\ue000';

    /// Stands for a text that is in the script in a form that is not resolved.
    private static final char HIDDEN = '\ue001';

    /// Separates the values of a list.
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
    private final boolean batch;
    private final boolean powerShell;
    private final char escape;
    private final Map<String, String> variables = new HashMap<>();
    private int depth;
    private int at;

    private CommandLinks(Shell shell, String text, KeyExtractor keys, int depth) {
        this.batch = shell == Shell.BATCH;
        this.powerShell = shell == Shell.POWERSHELL;
        this.escape = batch ? '^' : powerShell ? '`' : '\\';
        this.text = text;
        this.keys = keys;
        this.depth = depth;
    }

    /// Reads a script or a command line.
    public static void read(Shell shell, String script, KeyExtractor keys) {
        long heap = keys.allowance().heap();
        new CommandLinks(shell, "", keys, 0).evaluate(shell, script);
        keys.allowance().heapBackTo(heap);
    }

    /// Reads a script that a command runs.
    private void evaluate(Shell inner, String script) {
        if (script.indexOf(HIDDEN) >= 0) {
            keys.allowance().reached(Limit.SCRIPT_OPAQUE);
        }
        if (keys.allowance().spend(WORK_PER_CHAR * (long) script.length())) {
            String _ = new CommandLinks(inner, script, keys, depth).readTo(END);
        }
    }

    /// Pays for characters that are about to be put behind others.
    private boolean pay(int before, long chars) {
        if (before + chars > MAX_CHARS) {
            keys.allowance().reached(Limit.SCRIPTS);
        }
        return before + chars <= MAX_CHARS && keys.allowance().spend(WORK_PER_CHAR * chars);
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
        while (at < text.length()
                && (close == END || peek(0) != close)
                && !keys.allowance().exhausted()) {
            int before = at;
            boolean alternative = peek(0) == '|' && peek(1) == '|';
            boolean piped = peek(0) == '|' && !alternative;
            at += alternative ? 2 : piped ? 1 : 0;
            String written = command(piped ? output : "");
            output = written.isEmpty() ? output : written;
            at += at == before ? 1 : 0;
        }
        depth--;
        at = Math.min(text.length(), at + 1);
        return output;
    }

    private String command(String input) {
        List<String> words = new ArrayList<>();
        at = input.isEmpty() ? at : TextScan.end(text, at, c -> TextScan.isBlank(c) || c == '&');
        skipBlanks();
        if (peek(0) == (batch ? ':' : '#')) {
            at = TextScan.next(text, at, c -> c == '\n');
        }
        String variable = "";
        String before = "";
        int from = at;
        while (at < text.length() && !separates(peek(0))) {
            words.add(word());
            skipBlanks();
            boolean adds = peek(0) == '+' && peek(1) == '=';
            if (words.size() == 1 && beginsValue(from) && (adds || peek(0) == '=')) {
                variable = text.substring(from + 1, TextScan.end(text, from + 1, CommandLinks::isName));
                before = adds ? words.getFirst() : "";
                words.clear();
                at += adds ? 2 : 1;
                skipBlanks();
                from = at;
            }
        }
        String output = words.isEmpty() && input.isEmpty()
                ? ""
                : beginsValue(from) && !words.isEmpty() ? fold(words) : run(words, input);
        if (!variable.isEmpty()) {
            assign(variable, pay(before.length(), output.length()) ? before + output : "");
        }
        return variable.isEmpty() ? output : "";
    }

    /// Whether a value of PowerShell begins there, and not the name of a command.
    private boolean beginsValue(int from) {
        return powerShell && from < text.length() && "$(\"'".indexOf(text.charAt(from)) >= 0;
    }

    private void skipBlanks() {
        at = TextScan.end(text, at, CommandLinks::isBetweenWords);
        while (peek(0) == escape && (peek(1) == '\n' || peek(1) == '\r')) {
            at = TextScan.end(text, at + 2, CommandLinks::isBetweenWords);
        }
    }

    /// Every blank that ends a word, so that each word begins with a character of its own.
    private static boolean isBetweenWords(int c) {
        return c == '@' || (c != '\n' && TextScan.isBlank(c));
    }

    private boolean separates(char c) {
        return "\n|&)<>".indexOf(c) >= 0 || (powerShell ? "{};" : batch ? "(" : "({};`").indexOf(c) >= 0;
    }

    private static boolean isName(int c) {
        return TextScan.isLetter(c) || TextScan.isDigit(c) || c == '_';
    }

    private void assign(String name, String value) {
        find(value);
        if (keys.allowance().takeHeap(Limit.SCRIPTS, HEAP_OF_VARIABLE + 2L * value.length())) {
            variables.put(batch || powerShell ? TextForms.lowerCase(name) : name, value);
        }
    }

    /// Reads a word. In PowerShell, what follows a value or an operator without a blank is another one.
    private String word() {
        StringBuilder word = new StringBuilder();
        int from = at;
        int value = -1;
        while (at < text.length() && !separates(peek(0)) && !TextScan.isBlank(peek(0))) {
            boolean isOperator = value < 0 && at > from && "+-".indexOf(text.charAt(from)) >= 0;
            if (powerShell && (at == value ? "+-=.[(".indexOf(peek(0)) >= 0 : isOperator && beginsValue(at))) {
                break;
            }
            char c = text.charAt(at++);
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
            value = "\"'$(".indexOf(c) >= 0 ? at : value;
        }
        int name = TextScan.end(word, 0, CommandLinks::isName);
        if (!batch && name > 0 && name < word.length() && word.charAt(name) == '=') {
            assign(word.substring(0, name), word.substring(name + 1));
        }
        return word.toString();
    }

    private void append(StringBuilder word, String value) {
        if (pay(word.length(), value.length())) {
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
            word.append(c == escape && at < text.length() ? text.charAt(at++) : c);
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
        String name = text.substring(from, end);
        name = batch || powerShell ? TextForms.lowerCase(name) : name;
        String value = variables.getOrDefault(name, String.valueOf(UNKNOWN));
        boolean modified = last > end && pay(0, value.length()) && value.indexOf(UNKNOWN) < 0;
        return modified ? modify(value, text.substring(end, last)) : value;
    }

    /// The value with a part taken or replaced: `:~1,2`, `:a=b`, `:1:2`, `/a/b`, `//a/b`.
    private String modify(String value, String modifier) {
        boolean part = modifier.startsWith(batch ? ":~" : ":");
        char separator = batch ? part ? ',' : '=' : part ? ':' : '/';
        String rest = modifier.substring(modifier.startsWith(":~") || modifier.startsWith("//") ? 2 : 1);
        List<String> halves = TextScan.split(rest, c -> c == separator, 2);
        if (!part) {
            return replace(value, halves);
        }
        int from = position(halves.getFirst(), value.length(), 0);
        int to = halves.size() > 1 ? position(halves.getLast(), value.length(), from) : value.length();
        return value.substring(from, Math.max(from, to));
    }

    /// @param oldAndNew the text that is replaced, and that in its place if there is one
    private String replace(String value, List<String> oldAndNew) {
        String old = oldAndNew.getFirst();
        String by = oldAndNew.size() > 1 ? oldAndNew.get(1) : "";
        boolean may = !old.isEmpty() && pay(0, value.length() * (1L + by.length() / old.length()));
        return may ? value.replace(old, by) : value;
    }

    /// Applies the operators of PowerShell from left to right. A value that another word follows is a command.
    private String fold(List<String> words) {
        String value = words.getFirst();
        for (int i = 1; i < words.size(); i += 2) {
            String right = i + 1 < words.size() ? words.get(i + 1) : "";
            List<String> items = TextScan.split(right, c -> c == NEXT);
            switch (words.get(i).length() > LONGEST_NAME ? "" : TextForms.lowerCase(words.get(i))) {
                case "+" -> value = pay(value.length(), right.length()) ? value + right : "";
                case "-f" -> {
                    for (int k = 0; k < items.size(); k++) {
                        value = replace(value, List.of("{" + k + "}", items.get(k)));
                    }
                }
                case "-join" -> value = replace(value, List.of(String.valueOf(NEXT), right));
                case "-replace", "-creplace", "-ireplace" -> value = replace(value, items);
                default -> {
                    return run(words, "");
                }
            }
        }
        find(value);
        return value;
    }

    /// A position in a text; a negative number counts from its end, another one from `from`.
    private static int position(String number, int length, int from) {
        String digits = TextScan.without(number, c -> !TextScan.isDigit(c));
        int count = digits.isEmpty() || digits.length() > 6 ? 0 : Integer.parseInt(digits);
        return Math.clamp(number.indexOf('-') >= 0 ? length - count : from + count, 0, length);
    }

    /// Reads a command; returns what it writes.
    ///
    /// @param input what it reads from the command before
    private String run(List<String> words, String input) {
        words.forEach(this::find);
        List<String> all = TextScan.words(String.join(" ", words), TextScan::isBlank, Integer.MAX_VALUE);
        for (int i = 0; i < all.size(); i++) {
            switch (name(all.get(i))) {
                case "set" -> {
                    String rest = after(all, i, "");
                    int equals = rest.indexOf('=');
                    assign(rest.substring(0, Math.max(0, equals)).strip(), rest.substring(equals + 1));
                    return "";
                }
                case "echo", "printf" -> {
                    return after(all, i, input);
                }
                case "base64" -> {
                    return decode(input);
                }
                case "eval" -> evaluate(Shell.SH, after(all, i, input));
                case "cmd" -> evaluate(Shell.BATCH, after(all, i, input));
                case "sh", "bash", "zsh", "dash" -> {
                    String rest = after(all, i, input);
                    evaluate(Shell.SH, rest.startsWith("-c ") ? rest : input);
                }
                case "iex", "invoke-expression" -> evaluate(Shell.POWERSHELL, after(all, i, input));
                case "powershell", "pwsh" -> {
                    all.forEach(this::findCoded);
                    evaluate(Shell.POWERSHELL, after(all, i, input));
                }
                default -> {
                    continue;
                }
            }
            return "";
        }
        // A filter that is not resolved hides a constant.
        return String.valueOf(input.isEmpty() || input.indexOf(UNKNOWN) >= 0 ? UNKNOWN : HIDDEN);
    }

    private static String after(List<String> words, int i, String otherwise) {
        return i + 1 < words.size() ? String.join(" ", words.subList(i + 1, words.size())) : otherwise;
    }

    /// The name of a program, without its folder and ending.
    private static String name(String word) {
        int folder = Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\'));
        String name = word.length() - folder > 32 ? "" : TextForms.lowerCase(word.substring(folder + 1));
        return name.endsWith(".exe") ? name.substring(0, name.length() - 4) : name;
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

    /// Finds the URLs in an argument in base64.
    private void findCoded(String word) {
        new ScriptLinks(keys, Place.SCRIPT_ATTACHMENT, _ -> {}).readCoded(word.toCharArray(), 0, word.length());
    }

    /// Decodes base64 of a text in UTF-8 or UTF-16.
    private String decode(String digits) {
        if (digits.indexOf(UNKNOWN) >= 0 || !pay(0, digits.length())) {
            return String.valueOf(UNKNOWN);
        }
        String plain = new String(LenientBase64.decode(digits), StandardCharsets.UTF_8).replace("\0", "");
        int odd = TextScan.next(plain, 0, c -> c == '\ufffd' || (c < ' ' && !TextScan.isBlank(c)));
        return odd < plain.length() ? String.valueOf(HIDDEN) : plain;
    }
}
