package org.bloomgate.content.document;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.content.document.ScriptLexer.Kind;
import org.bloomgate.core.limit.Limit;

/// Finds what the JavaScript of one page does to it: the URLs it opens, the markup it writes and the scripts it runs.
/// Expressions over constant texts, lists and objects are evaluated; nothing is executed: statements are read once in
/// their order, whatever their conditions, and the body of a function once, for any parameters.
///
/// A value is a text in which [#PARAMETER], [#PLAIN] and [#OPAQUE] stand for what is not known; other values begin
/// with a character of their own. A script is read twice, first to learn its names; the work is linear in it.
public final class ScriptEvaluator {
    /// What is done with a value: a URL is opened, markup written, text run as a script, or anything else.
    public enum Act {
        URL,
        MARKUP,
        SCRIPT,
        TEXT
    }

    /// Receives the acts of a script, and supplies the allowance.
    public interface Sink extends ScriptStrings.Sink {
        /// Receives the text that an act takes.
        void acts(Act act, String text);
    }

    /// What a function is called with.
    public static final char PARAMETER = '\ufdd0';

    /// Numbers, words and the content of the page: read elsewhere, or neither a URL nor markup.
    public static final char PLAIN = '\ufdd1';

    /// Anything else that is not known, also decoded text.
    public static final char OPAQUE = '\ufdd2';

    /// Before each item of a list.
    static final char ITEM = '\ufdd3';

    /// Before the number of an object, of a function, before a regular expression, and before a name that the script
    /// does not define.
    static final char OBJECT = '\ufdd4';

    static final char FUNCTION = '\ufdd5';
    static final char PATTERN = '\ufdd6';
    static final char NAME = '\ufdd7';

    /// Names and members that are assigned to, and functions: the limit `scripts`.
    static final int MAX_NAMES = 100_000;

    /// Characters of one text, and of all texts that are passed on: the limit `scripts`.
    static final int MAX_CHARS = ScriptStrings.MAX_DECODED_CHARS;

    /// Expressions and blocks within each other. Hides nothing: what is deeper is not known.
    private static final int MAX_DEPTH = 100;

    private static final int WORK_PER_CHAR = 2;
    private static final int WORK_PER_EXPRESSION = 20;
    private static final String ANY_OBJECT = OBJECT + "*.";
    private static final String UNDEFINED = "undefined";

    private static final Set<String> WINDOWS = Set.of("window", "self", "globalThis", "top", "parent", "frames");

    private static final Set<String> PAGE = Set.of(
            "window",
            "self",
            "globalThis",
            "top",
            "parent",
            "frames",
            "document",
            "location",
            "navigator",
            "this",
            "screen",
            "history",
            "event",
            "Math",
            "Date",
            "JSON",
            "Object",
            "Array",
            "String",
            "Number",
            "RegExp",
            "Intl",
            "console",
            "URL",
            "Blob",
            "parseInt",
            "parseFloat",
            "app",
            "util",
            "encodeURIComponent");

    private static final Map<String, Act> MEMBERS = Map.of(
            "innerHTML",
            Act.MARKUP,
            "outerHTML",
            Act.MARKUP,
            "srcdoc",
            Act.MARKUP,
            "location",
            Act.URL,
            "href",
            Act.URL,
            "src",
            Act.URL,
            "action",
            Act.URL,
            "formAction",
            Act.URL,
            "data",
            Act.URL);

    private static final Map<String, Act> CALLS = Map.of(
            "write",
            Act.MARKUP,
            "writeln",
            Act.MARKUP,
            "insertAdjacentHTML",
            Act.MARKUP,
            "createContextualFragment",
            Act.MARKUP,
            "createObjectURL",
            Act.MARKUP,
            "eval",
            Act.SCRIPT,
            "Function",
            Act.SCRIPT,
            "writeText",
            Act.TEXT,
            "setData",
            Act.TEXT,
            "launchURL",
            Act.URL);

    private static final List<Set<String>> PRECEDENCE = List.of(
            Set.of("??", "||"),
            Set.of("&&"),
            Set.of("|"),
            Set.of("^"),
            Set.of("&"),
            Set.of("==", "!=", "===", "!==", "<", ">", "<=", ">=", "in", "instanceof"),
            Set.of("<<", ">>", ">>>"),
            Set.of("+", "-"),
            Set.of("*", "/", "%", "**"));

    private static final Set<String> PREFIXES =
            Set.of("!", "-", "+", "~", "typeof", "void", "delete", "await", "yield", "new", "...", "++", "--");

    private static final class Code {
        private final List<String> parameters;
        private String result = UNDEFINED;
        /// Whether an act takes a parameter, and whether one is decoded.
        private boolean acts;

        private boolean decodes;
        /// Whether it uses a name that is not of the script.
        private boolean foreign;

        private Code(List<String> parameters) {
            this.parameters = parameters;
        }
    }

    private record Target(String receiver, String key) {}

    private final Sink sink;
    private final Map<String, String> names = new HashMap<>(4);
    /// The variables of each function, by its position, after the first reading.
    private final Map<Integer, Map<String, String>> learned = new HashMap<>(0);

    private final Set<String> counters = new HashSet<>(0);
    private final List<Code> functions = new ArrayList<>(0);
    /// What the names of the current function mean outside of it.
    private Map<String, Optional<String>> outer = new HashMap<>(0);

    private Code function = new Code(List.of());
    private ScriptLexer lexer = new ScriptLexer(new char[0]);
    private Optional<Target> target = Optional.empty();
    /// What the list is a value of whose method is called.
    private Optional<Target> origin = Optional.empty();
    private boolean learns;
    private boolean computed;
    private int conditions;
    private int depth;
    private int functionDepth;
    private int learnedNames;
    private int passedChars;

    public ScriptEvaluator(Sink sink) {
        this.sink = sink;
    }

    static boolean isSpecial(char c) {
        return c >= PARAMETER && c <= NAME;
    }

    public static boolean isHole(char c) {
        return c >= PARAMETER && c <= OPAQUE;
    }

    static boolean isKnown(String value) {
        return value.chars().noneMatch(c -> isSpecial((char) c));
    }

    /// Whether a text is no part of a scheme or an authority, of markup or of an encoded text.
    private static boolean isPlain(String text) {
        return text.chars().noneMatch(c -> (c >= OPAQUE && c <= NAME) || "<>:/\\&%@`=".indexOf(c) >= 0);
    }

    /// One of several values: plain if all are, and more than one unknown piece if they are at least read as a whole.
    private static String oneOf(List<String> items) {
        boolean read = items.stream()
                .allMatch(item -> item.chars().noneMatch(c -> (c >= OPAQUE && c <= NAME) || "<%&\\".indexOf(c) >= 0));
        return items.stream().allMatch(ScriptEvaluator::isPlain) ? "" + PLAIN : read ? "" + PLAIN + PLAIN : "" + OPAQUE;
    }

    private static boolean isA(char kind, String value) {
        return !value.isEmpty() && value.charAt(0) == kind;
    }

    /// Reads one script of a page, with the names of those before it.
    public void read(char[] script) {
        if (sink.spend(2L * script.length * WORK_PER_CHAR)) {
            learned.clear();
            learnedNames = 0;
            learns = true;
            run(script);
            learns = false;
            run(script);
        }
    }

    private void run(char[] script) {
        lexer = new ScriptLexer(script);
        do {
            lexer.advance();
            statements();
        } while (lexer.kind != Kind.END);
    }

    private void statements() {
        while (lexer.kind != Kind.END && !lexer.is("}")) {
            progress(this::statement);
        }
        lexer.skip("}");
    }

    /// Reads a part, or leaves out one token.
    private void progress(Runnable part) {
        int from = lexer.start;
        if (++depth <= MAX_DEPTH) {
            part.run();
        }
        depth--;
        if (lexer.start == from) {
            lexer.advance();
        }
    }

    private void statement() {
        String word = lexer.kind == Kind.NAME || lexer.is("{") ? lexer.word : "";
        switch (word) {
            case "{" -> {
                lexer.advance();
                statements();
            }
            case "if", "while", "for", "switch", "catch", "else", "do" -> {
                lexer.advance();
                conditions++;
                if (lexer.skip("(")) {
                    if (word.equals("for") || word.equals("catch")) {
                        loop();
                    }
                    list(")");
                }
                progress(this::statement);
                conditions--;
            }
            case "class" -> type();
            case "var", "let", "const" -> declarations();
            case "return" -> {
                lexer.advance();
                function.result = either(function.result, lexer.is(";") || lexer.is("}") ? UNDEFINED : expressions());
            }
            case "try", "finally", "export", "default", "static", "async", "get", "set", "throw", "case" ->
                lexer.advance();
            default -> expressions();
        }
    }

    private void loop() {
        int from = lexer.start;
        if (lexer.isName("var", "let", "const")) {
            lexer.advance();
        }
        List<String> each = pattern();
        boolean keys = lexer.isName("in");
        if (keys || lexer.isName("of") || lexer.is(")")) {
            lexer.skip(lexer.word);
            lexer.advance();
            String value = lexer.is(")") || lexer.is("{") ? "" : assignment();
            declare(each, keys ? "" + PLAIN : element(value, "" + PLAIN));
        } else {
            lexer.seek(from);
            statement();
        }
    }

    private void type() {
        lexer.advance();
        declare(lexer.kind == Kind.NAME ? List.of(lexer.word) : List.of(), "" + PARAMETER);
        while (lexer.kind != Kind.END && !lexer.is("{")) {
            lexer.advance();
        }
        lexer.advance();
        statements();
    }

    private String expressions() {
        String last = assignment();
        while (lexer.skip(",")) {
            last = assignment();
        }
        return last;
    }

    private void declarations() {
        do {
            lexer.advance();
            List<String> declared = pattern();
            declare(declared, lexer.skip("=") ? assignment() : UNDEFINED);
        } while (lexer.is(","));
    }

    /// The names of a pattern: one name, or those in brackets.
    private List<String> pattern() {
        List<String> found = new ArrayList<>(1);
        int brackets = 0;
        do {
            brackets += lexer.is("[") || lexer.is("{") || lexer.is("(") ? 1 : 0;
            brackets -= lexer.is("]") || lexer.is("}") || lexer.is(")") ? 1 : 0;
            if (lexer.kind == Kind.NAME) {
                found.add(lexer.word);
            } else if (brackets == 0 && found.isEmpty()) {
                return found;
            }
            lexer.advance();
        } while (brackets > 0 && lexer.kind != Kind.END);
        return found;
    }

    /// Gives names a value within the current function.
    private void declare(List<String> declared, String value) {
        for (String name : declared) {
            if (functionDepth > 0) {
                outer.putIfAbsent(name, Optional.ofNullable(names.remove(name)));
            }
            put(name, declared.size() == 1 ? value : member(value, name), conditions > 0);
        }
    }

    private void put(String name, String value, boolean unsure) {
        String old = names.getOrDefault(name, UNDEFINED);
        if (names.size() + learnedNames > MAX_NAMES) {
            sink.reached(Limit.SCRIPTS);
        } else {
            names.put(name, unsure ? either(old, value) : value);
        }
    }

    /// One of two values, of which neither may be lost.
    private String either(String one, String other) {
        if (one.equals(UNDEFINED) || one.equals(other) || isA(OBJECT, other) || isA(FUNCTION, other)) {
            return other;
        }
        if (other.equals(UNDEFINED)) {
            return one;
        }
        computed = true;
        pass(one);
        pass(other);
        return merged(List.of(one, other));
    }

    /// A value that is made of others in an unknown way.
    private String merged(List<String> values) {
        char hole = PLAIN;
        for (String value : values) {
            String text = text(value);
            hole = text.indexOf(OPAQUE) >= 0
                    ? OPAQUE
                    : hole == PLAIN && text.indexOf(PARAMETER) >= 0 ? PARAMETER : hole;
        }
        return "" + hole;
    }

    /// The text of a value, which is paid for.
    private String text(String value) {
        if (!sink.spend(value.length()) || value.isEmpty() || !isSpecial(value.charAt(0)) || isHole(value.charAt(0))) {
            return value;
        }
        return switch (value.charAt(0)) {
            case ITEM -> value.substring(1).replace(ITEM, ',');
            case NAME -> "" + unknownName(value.substring(1));
            default -> "" + (value.charAt(0) == OBJECT ? PLAIN : OPAQUE);
        };
    }

    /// A name that is not of the page is no value of the script where it is read for any parameters.
    private char unknownName(String path) {
        int dot = path.indexOf('.');
        boolean ofPage = PAGE.contains(dot < 0 ? path : path.substring(0, dot)) && !path.startsWith("location.");
        function.foreign |= !ofPage;
        return ofPage ? PLAIN : functionDepth > 0 ? PARAMETER : OPAQUE;
    }

    private String assignment() {
        int from = lexer.start;
        target = Optional.empty();
        if (depth >= MAX_DEPTH || !sink.spend(WORK_PER_EXPRESSION)) {
            return "" + OPAQUE;
        }
        depth++;
        boolean computedBefore = computed;
        computed = false;
        String value = binary(0);
        if (lexer.is("=>")) {
            int arrow = lexer.at;
            lexer.seek(from);
            List<String> parameters = pattern();
            lexer.seek(arrow);
            value = function(parameters);
        } else if (lexer.skip("?")) {
            conditions++;
            String then = assignment();
            lexer.skip(":");
            value = either(then, assignment());
            conditions--;
        } else if (lexer.kind == Kind.SIGN && lexer.word.endsWith("=") && target.isPresent()) {
            Target assigned = target.get();
            String operator = lexer.word;
            lexer.advance();
            value = assign(assigned, operator, value, assignment());
        }
        pass(value);
        computed |= computedBefore;
        depth--;
        return value;
    }

    private String binary(int least) {
        String left = unary();
        for (int level = precedence(); level >= least; level = precedence()) {
            String operator = lexer.word;
            lexer.advance();
            conditions += level <= 1 ? 1 : 0;
            String right = binary(level + 1);
            conditions -= level <= 1 ? 1 : 0;
            computed = true;
            left = level == 0
                    ? either(left, right)
                    : level == 1 ? right : operator.equals("+") ? bounded(text(left) + text(right)) : "" + PLAIN;
            target = Optional.empty();
        }
        return left;
    }

    private int precedence() {
        int level = lexer.kind == Kind.SIGN || lexer.kind == Kind.NAME ? PRECEDENCE.size() - 1 : -1;
        while (level >= 0 && !PRECEDENCE.get(level).contains(lexer.word)) {
            level--;
        }
        return level;
    }

    private String bounded(String text) {
        if (text.length() > MAX_CHARS) {
            sink.reached(Limit.SCRIPTS);
        }
        return text.length() <= MAX_CHARS && sink.spend(text.length()) ? text : "" + OPAQUE;
    }

    private String unary() {
        String word = lexer.kind == Kind.SIGN || lexer.kind == Kind.NAME ? lexer.word : "";
        if (!PREFIXES.contains(word)) {
            return postfix();
        }
        lexer.advance();
        depth++;
        String value = depth < MAX_DEPTH ? unary() : "" + OPAQUE;
        depth--;
        if (word.equals("++") || word.equals("--")) {
            count();
        }
        return word.length() < 3 || word.equals("typeof") ? "" + PLAIN : value;
    }

    private void count() {
        target.ifPresent(counted -> {
            counters.add(counted.key);
            set(counted, "" + PLAIN, false);
        });
        target = Optional.empty();
    }

    private String postfix() {
        target = Optional.empty();
        String value = primary();
        Optional<Target> chosen = target;
        while (lexer.kind == Kind.SIGN) {
            if (lexer.skip(".") || lexer.skip("?.")) {
                if (lexer.kind == Kind.NAME) {
                    origin = chosen;
                    chosen = Optional.of(new Target(value, lexer.word));
                    value = member(value, lexer.word);
                    lexer.advance();
                }
            } else if (lexer.skip("[")) {
                String key = text(lastOf(list("]")));
                chosen = Optional.of(new Target(value, key));
                value = element(value, key);
            } else if (lexer.is("(")) {
                int from = lexer.start;
                Optional<Target> list = origin;
                lexer.advance();
                List<String> arguments = list(")");
                origin = list;
                if (lexer.is("{")) {
                    lexer.seek(from);
                    value = function(pattern());
                } else {
                    value = call(value, chosen, arguments);
                }
                chosen = Optional.empty();
            } else if (lexer.is("`")) {
                value = template(value, chosen);
                chosen = Optional.empty();
            } else if (lexer.is("++") || lexer.is("--")) {
                target = chosen;
                count();
                chosen = Optional.empty();
                lexer.advance();
            } else {
                break;
            }
        }
        target = chosen;
        return value;
    }

    private static String lastOf(List<String> values) {
        return values.isEmpty() ? UNDEFINED : values.getLast();
    }

    private String primary() {
        String word = lexer.word;
        Kind kind = lexer.kind;
        computed |= kind == Kind.TEXT && lexer.at - lexer.start != word.length() + 2;
        if (kind == Kind.SIGN && word.equals("{")) {
            return object();
        } else if (kind == Kind.SIGN && word.equals("`")) {
            return template("", Optional.empty());
        } else if (kind == Kind.SIGN && (word.equals("/") || word.equals("/="))) {
            String pattern = lexer.readPattern();
            lexer.advance();
            return PATTERN + pattern;
        } else if (kind == Kind.SIGN && !word.equals("(") && !word.equals("[")) {
            return UNDEFINED;
        }
        lexer.advance();
        return switch (kind) {
            case TEXT -> sink.spend(word.length()) ? word : "" + OPAQUE;
            case NUMBER -> ScriptFunctions.digits(word);
            case NAME -> name(word);
            default -> word.equals("(") ? lastOf(list(")")) : listOf(list("]"));
        };
    }

    private String listOf(List<String> items) {
        StringBuilder list = new StringBuilder();
        items.forEach(item -> list.append(ITEM).append(isA(ITEM, item) || isA(NAME, item) ? "" + OPAQUE : item));
        return bounded(list.toString());
    }

    private String name(String word) {
        if (word.equals("function")) {
            lexer.skip("*");
            List<String> named = lexer.is("(") ? List.of() : pattern();
            String code = function(pattern());
            declare(named, code);
            return code;
        } else if (word.equals("true") || word.equals("false") || word.equals("null") || word.equals(UNDEFINED)) {
            return word.equals(UNDEFINED) ? word : "" + PLAIN;
        }
        target = Optional.of(new Target(NAME + "window", word));
        String value = names.getOrDefault(word, NAME + word);
        return counters.contains(word) && isKnown(value) ? "" + PLAIN : value;
    }

    /// The values up to a closing bracket.
    private List<String> list(String close) {
        List<String> values = new ArrayList<>(2);
        while (lexer.kind != Kind.END && !lexer.is(close)) {
            int from = lexer.start;
            boolean spread = lexer.is("...");
            String value = assignment();
            if (spread) {
                values.addAll(ScriptFunctions.items(value));
            } else if (lexer.start > from) {
                values.add(value);
            }
            if (lexer.is(",") || lexer.start == from) {
                lexer.advance();
            }
        }
        lexer.advance();
        return values;
    }

    private String object() {
        String object = OBJECT + "" + lexer.start + ".";
        lexer.advance();
        while (lexer.kind != Kind.END && !lexer.is("}")) {
            progress(() -> {
                String word = lexer.word;
                lexer.advance();
                String key = word.equals("[") ? text(lastOf(list("]"))) : word;
                boolean method = lexer.is("(");
                String value = lexer.skip(":")
                        ? assignment()
                        : method ? function(pattern()) : names.getOrDefault(key, "" + OPAQUE);
                String others = names.getOrDefault(ANY_OBJECT + key, value);
                put(ANY_OBJECT + key, others.equals(value) ? value : oneOf(List.of(others, value)), false);
                put(object + key, value, false);
                lexer.skip(",");
            });
        }
        lexer.advance();
        return object;
    }

    private String template(String tag, Optional<Target> chosen) {
        boolean raw = chosen.filter(of -> of.key().equals("raw")).isPresent();
        List<String> values = new ArrayList<>(1);
        StringBuilder texts = new StringBuilder();
        StringBuilder whole = new StringBuilder();
        StringBuilder text = new StringBuilder();
        computed = true;
        lexer.at = lexer.start + 1;
        while (lexer.readTemplate(text, raw)) {
            List<String> inserted = new ArrayList<>(1);
            while (lexer.kind != Kind.END && !lexer.is("}")) {
                progress(() -> inserted.add(text(assignment())));
            }
            values.add(lastOf(inserted));
            texts.append(ITEM).append(text);
            whole.append(bounded(text + values.getLast()));
            text.setLength(0);
        }
        lexer.advance();
        values.addFirst(texts.append(ITEM).append(text).toString());
        return tag.isEmpty() || raw ? bounded(whole.append(text).toString()) : call(tag, chosen, values);
    }

    /// Reads the body of a function, for any parameters.
    private String function(List<String> parameters) {
        Map<String, Optional<String>> outerBefore = outer;
        Code functionBefore = function;
        int conditionsBefore = conditions;
        Code code = new Code(parameters);
        if (functions.size() >= MAX_NAMES) {
            sink.reached(Limit.SCRIPTS);
            return "" + OPAQUE;
        }
        int number = functions.size();
        functions.add(code);
        function = code;
        outer = new HashMap<>(4);
        conditions = 0;
        functionDepth++;
        parameters.forEach(name -> declare(List.of(name), "" + PARAMETER));
        int from = lexer.start;
        learned.getOrDefault(from, Map.of()).forEach((name, value) -> declare(List.of(name), value));
        if (lexer.skip("{")) {
            statements();
        } else {
            code.result = assignment();
        }
        functionDepth--;
        if (learns) {
            Map<String, String> locals = new HashMap<>(4);
            outer.keySet().forEach(name -> locals.put(name, names.getOrDefault(name, UNDEFINED)));
            locals.keySet().removeAll(parameters);
            learnedNames += locals.size();
            learned.put(from, locals);
        }
        outer.forEach((name, before) -> {
            if (before.isPresent() || !isA(FUNCTION, names.getOrDefault(name, ""))) {
                names.remove(name);
                before.ifPresent(known -> names.put(name, known));
            }
        });
        function = functionBefore;
        outer = outerBefore;
        conditions = conditionsBefore;
        return FUNCTION + "" + number;
    }

    /// The result of a function of the script.
    private String call(Code code, List<String> arguments) {
        boolean plain = arguments.stream().allMatch(argument -> isPlain(text(argument)));
        char any = merged(arguments).charAt(0);
        char hole = any == OPAQUE || (code.decodes && !plain) ? OPAQUE : any;
        function.foreign |= code.foreign;
        function.decodes |= code.decodes && any == PARAMETER;
        if (code.acts) {
            act(Act.TEXT, "" + (code.foreign ? functionDepth > 0 ? PARAMETER : OPAQUE : hole));
        }
        boolean single = code.parameters.size() == 1 && arguments.size() == 1 && hole != OPAQUE && !code.decodes;
        String given = single ? text(arguments.getFirst()) : "" + (hole == PLAIN && !plain ? OPAQUE : hole);
        return bounded(code.result.replace("" + PARAMETER, given));
    }

    private String member(String receiver, String key) {
        if (isA(OBJECT, receiver)) {
            return names.getOrDefault(receiver + key, "" + unknownName(key));
        } else if (isA(NAME, receiver)) {
            String path = WINDOWS.contains(receiver.substring(1))
                    ? key
                    : receiver.substring(receiver.lastIndexOf('.') + 1).replace("" + NAME, "") + "." + key;
            return names.getOrDefault(path, NAME + path);
        }
        return key.equals("length") ? "" + PLAIN : merged(List.of(receiver));
    }

    private String element(String receiver, String key) {
        int index = ScriptFunctions.index(key);
        if (isA(ITEM, receiver) || (isKnown(receiver) && !receiver.isEmpty())) {
            List<String> items = sink.spend(receiver.length()) ? ScriptFunctions.items(receiver) : List.of();
            computed = true;
            boolean objects = !items.isEmpty() && items.stream().allMatch(item -> isA(OBJECT, item));
            return index >= 0 && index < items.size()
                    ? items.get(index)
                    : objects ? ANY_OBJECT : key.equals("length") ? "" + PLAIN : oneOf(items);
        }
        return isKnown(key) ? member(receiver, key) : merged(List.of(receiver, key));
    }

    private String assign(Target assigned, String operator, String old, String value) {
        String set = value;
        if (operator.equals("+=")) {
            computed = true;
            set = bounded(text(old) + (conditions > 0 ? "" + PLAIN : "") + text(value));
        } else if (operator.length() > 1) {
            set = operator.length() > 2 ? either(old, value) : "" + PLAIN;
        }
        pass(set);
        set(assigned, set, conditions > 0 && operator.equals("="));
        return set;
    }

    private void set(Target assigned, String value, boolean unsure) {
        String receiver = assigned.receiver();
        String key = assigned.key();
        boolean ofWindow = isA(NAME, receiver) && WINDOWS.contains(receiver.substring(1));
        if (isA(OBJECT, receiver)) {
            put(receiver + key, value, unsure);
        } else if (ofWindow && isKnown(key) && !key.equals("location")) {
            put(key, value, unsure);
        } else if (isA(NAME, receiver)) {
            put(receiver.substring(1) + "." + key, value, unsure);
            setMember(key, value, ofWindow || receiver.endsWith("document"));
        } else {
            setMember(key, value, false);
        }
    }

    private void setMember(String key, String value, boolean anyName) {
        if (MEMBERS.containsKey(key)) {
            act(MEMBERS.getOrDefault(key, Act.TEXT), value);
        } else if (key.startsWith("on") && !isA(FUNCTION, value)) {
            act(Act.SCRIPT, value);
        } else if (anyName && !isKnown(key)) {
            act(Act.TEXT, value);
        }
    }

    private void act(Act act, String value) {
        if (!isA(FUNCTION, value)) {
            String text = text(value);
            function.acts |= text.indexOf(PARAMETER) >= 0;
            if (!learns) {
                sink.acts(act, text);
            }
        }
    }

    /// Passes on a text that the script contains only in pieces or encoded.
    private void pass(String value) {
        boolean mayLink = value.indexOf('/') >= 0 || value.indexOf('<') >= 0 || value.indexOf('.') >= 0;
        if (!learns && computed && mayLink && value.length() > 3 && isKnown(value)) {
            passedChars += value.length();
            if (passedChars > MAX_CHARS || !sink.spend(value.length())) {
                sink.reached(Limit.SCRIPTS);
            } else {
                sink.decoded(value);
            }
        }
    }

    private String call(String callee, Optional<Target> chosen, List<String> arguments) {
        String receiver = chosen.map(Target::receiver).orElse("");
        String key = isA(NAME, callee)
                ? callee.substring(Math.max(callee.lastIndexOf('.'), 0) + 1)
                : chosen.map(Target::key).orElse("");
        if (key.equals("call") || key.equals("apply")) {
            List<String> rest = arguments.isEmpty() ? arguments : arguments.subList(1, arguments.size());
            return call(receiver, Optional.empty(), key.equals("apply") ? ScriptFunctions.items(lastOf(rest)) : rest);
        }
        computed = true;
        act(key, receiver, arguments);
        if (isA(FUNCTION, callee)) {
            return call(functions.get(ScriptFunctions.index(callee.substring(1))), arguments);
        }
        long size =
                receiver.length() + arguments.stream().mapToLong(String::length).sum();
        String given = isA(NAME, receiver) ? "" : receiver;
        Optional<String> known = sink.spend(size) ? ScriptFunctions.apply(key, given, arguments) : Optional.empty();
        if (known.isPresent()) {
            if (key.equals("push") || key.equals("reverse")) {
                origin.ifPresent(list -> set(list, known.get(), false));
            }
            return bounded(known.get());
        }
        if (isA(ITEM, receiver) && ScriptFunctions.REORDERING.contains(key)) {
            origin.ifPresent(list -> set(list, "" + OPAQUE, false));
        }
        List<String> all = new ArrayList<>(arguments);
        all.removeIf(argument -> isA(FUNCTION, argument));
        all.add(isA(NAME, callee) ? callee : receiver);
        for (String argument : arguments) {
            if (isA(FUNCTION, argument)) {
                String result = call(functions.get(ScriptFunctions.index(argument.substring(1))), List.of(merged(all)));
                all.add(key.equals("map") ? result : "");
            }
        }
        boolean decodes = ScriptFunctions.DECODERS.contains(key);
        String made = merged(all);
        function.decodes |= decodes && made.equals("" + PARAMETER);
        boolean plain = !decodes || made.equals("" + PARAMETER);
        return ScriptFunctions.FORMATS.contains(key) ? "" + PLAIN : plain ? made : "" + OPAQUE;
    }

    private void act(String key, String receiver, List<String> arguments) {
        if (arguments.isEmpty()) {
            return;
        }
        boolean ofWindow = receiver.isEmpty() || (isA(NAME, receiver) && WINDOWS.contains(receiver.substring(1)));
        if (CALLS.containsKey(key)) {
            act(CALLS.getOrDefault(key, Act.TEXT), arguments.getLast());
        } else if (((key.equals("assign") || key.equals("replace")) && receiver.endsWith("location"))
                || (ofWindow && (key.equals("open") || key.equals("import")))) {
            act(Act.URL, arguments.getFirst());
        } else if (key.equals("setAttribute")) {
            setMember(text(arguments.getFirst()), arguments.getLast(), false);
        } else if ((key.equals("setTimeout") || key.equals("setInterval")) && !isA(NAME, arguments.getFirst())) {
            act(Act.SCRIPT, arguments.getFirst());
        }
    }
}
