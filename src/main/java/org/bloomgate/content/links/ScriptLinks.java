package org.bloomgate.content.links;

import java.util.Arrays;
import java.util.function.Consumer;
import org.bloomgate.content.document.ScriptEvaluator;
import org.bloomgate.content.document.ScriptStrings;
import org.bloomgate.content.html.HtmlAttribute;
import org.bloomgate.content.html.HtmlTokenizer;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.limit.Limit;

/// Finds the URLs that a script builds or opens, and the markup that it writes. What an act takes and is not known
/// is the limit `scriptOpaque`, in files that a program will run.
public final class ScriptLinks implements ScriptEvaluator.Sink {
    private static final int FEWEST_SIGNS = 200;

    /// Begins a script encoded for Windows Script Host.
    private static final String ENCODED = "#@~^";

    /// Scripts that are run by scripts. Hides nothing: what a deeper one does is opaque.
    private static final int MAX_SCRIPTS = 4;

    private final KeyExtractor keys;
    private final Place place;
    private final Consumer<char[]> markup;
    private final ScriptEvaluator evaluator = new ScriptEvaluator(this);
    private int scripts;

    /// @param place the place of the URLs
    /// @param markup receives each decoded text that contains tags
    public ScriptLinks(KeyExtractor keys, Place place, Consumer<char[]> markup) {
        this.keys = keys;
        this.place = place;
        this.markup = markup;
    }

    public void read(char[] script, int from, int to) {
        char[] copy = Arrays.copyOfRange(script, from, to);
        if (isUnreadable(new String(copy))) {
            opaque();
        }
        ScriptStrings.read(script, from, to, this);
        evaluator.read(copy);
    }

    /// A value that a script may decode.
    public void readCoded(char[] value, int from, int to) {
        ScriptStrings.readCoded(value, from, to, this);
    }

    /// Whether it is encoded, or a program of six characters only, as JSFuck writes it: honest scripts do not look
    /// so.
    private static boolean isUnreadable(String script) {
        int signs = 0;
        int others = 0;
        for (int i = 0; i < script.length(); i++) {
            char c = script.charAt(i);
            signs += "[]()!+".indexOf(c) >= 0 ? 1 : 0;
            others += c > ' ' && "[]()!+".indexOf(c) < 0 ? 1 : 0;
        }
        return script.contains(ENCODED) || (signs >= FEWEST_SIGNS && others * 10 < signs);
    }

    private void opaque() {
        if (place == Place.SCRIPT_ATTACHMENT) {
            keys.allowance().reached(Limit.SCRIPT_OPAQUE);
        }
    }

    @Override
    public boolean spend(long units) {
        return keys.allowance().spend(units);
    }

    @Override
    public void reached(Limit limit) {
        keys.allowance().reached(limit);
    }

    /// In quotes again, as a link may begin with `//`.
    @Override
    public void decoded(String text) {
        char[] quoted = ('"' + text + '"').toCharArray();
        RawLinks.read(quoted, 0, quoted.length, keys, place);
        for (int i = 1; i + 1 < quoted.length; i++) {
            if (quoted[i] == '<' && HtmlTokenizer.isLetter(quoted[i + 1])) {
                markup.accept(quoted);
                return;
            }
        }
    }

    @Override
    public void acts(ScriptEvaluator.Act act, String text) {
        switch (act) {
            case URL -> url(text);
            case MARKUP -> written(text);
            case SCRIPT, TEXT -> {
                boolean runs = act == ScriptEvaluator.Act.SCRIPT && firstHole(text, 0) == text.length();
                if (runs && scripts == MAX_SCRIPTS) {
                    opaque();
                } else if (runs) {
                    scripts++;
                    new ScriptEvaluator(this).read(text.toCharArray());
                    scripts--;
                }
                if (has(text, ScriptEvaluator.OPAQUE)
                        || (act == ScriptEvaluator.Act.SCRIPT && has(text, ScriptEvaluator.PLAIN))) {
                    opaque();
                }
                decoded(filled(text));
            }
        }
    }

    private static boolean has(String text, char hole) {
        return text.indexOf(hole) >= 0;
    }

    private static int firstHole(String text, int from) {
        int i = from;
        while (i < text.length() && !ScriptEvaluator.isHole(text.charAt(i))) {
            i++;
        }
        return i;
    }

    private static String filled(String text) {
        StringBuilder all = new StringBuilder(text);
        for (int i = firstHole(text, 0); i < text.length(); i = firstHole(text, i + 1)) {
            all.setCharAt(i, '0');
        }
        return all.toString();
    }

    private void url(String text) {
        judge(text);
        String link = "<a href=\"" + filled(text).replace("\"", "%22") + "\">";
        markup.accept(link.toCharArray());
    }

    /// What is not known of a URL must be behind its host.
    private void judge(String text) {
        int hole = firstHole(text, 0);
        String before = text.substring(0, hole);
        int host = before.indexOf("//");
        boolean isLocal = host < 0 && before.indexOf(':') < 0 && before.indexOf('\\') < 0;
        boolean ends = host >= 0 && (before.indexOf('/', host + 2) > 0 || before.indexOf('?', host) > 0);
        boolean known = hole == text.length()
                || ends
                || before.startsWith("data:image/")
                || (isLocal && (before.indexOf('/') >= 0 || before.indexOf('?') >= 0 || before.indexOf('#') >= 0));
        boolean pieces = text.indexOf(ScriptEvaluator.PLAIN) != text.lastIndexOf(ScriptEvaluator.PLAIN);
        if (!known
                && (has(text, ScriptEvaluator.OPAQUE) || (has(text, ScriptEvaluator.PLAIN) && (pieces || !isLocal)))) {
            opaque();
        }
    }

    private void written(String text) {
        for (int i = firstHole(text, 0); i < text.length(); i = firstHole(text, i + 1)) {
            int tag = text.lastIndexOf('<', i);
            if (text.charAt(i) == ScriptEvaluator.OPAQUE) {
                opaque();
            } else if (text.lastIndexOf('>', i) < tag) {
                attribute(text, tag, i);
            }
        }
        decoded(filled(text));
    }

    private void attribute(String text, int tag, int hole) {
        int equals = text.lastIndexOf('=', hole);
        int name = text.lastIndexOf(' ', equals);
        if (equals > tag && name >= tag) {
            char[] attribute = text.substring(name + 1, equals).strip().toCharArray();
            int value = equals + 1 < hole && "\"'".indexOf(text.charAt(equals + 1)) >= 0 ? equals + 2 : equals + 1;
            if (HtmlAttribute.of(attribute, 0, attribute.length) == HtmlAttribute.URL) {
                judge(text.substring(value, hole + 1));
            }
        }
    }
}
