package org.bloomgate.content.links;

import java.util.List;
import java.util.function.Consumer;
import org.bloomgate.content.document.ScriptStrings;
import org.bloomgate.content.html.HtmlTokenizer;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.limit.Limit;

/// Finds the URLs that a script builds, and the markup that it writes.
public final class ScriptLinks implements ScriptStrings.Sink {
    /// What writes into a page or leads away from it.
    private static final List<String> ACTS = List.of(
            "document.write",
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "srcdoc",
            "location",
            "createObjectURL",
            "eval",
            "Function(");

    private static final int FEWEST_SIGNS = 200;

    /// Begins a script that is encoded for Windows Script Host.
    private static final String ENCODED = "#@~^";

    private final KeyExtractor keys;
    private final Place place;
    private final Consumer<char[]> markup;
    private boolean acts;

    /// @param place the place of the URLs
    /// @param markup receives each decoded text that contains tags
    public ScriptLinks(KeyExtractor keys, Place place, Consumer<char[]> markup) {
        this.keys = keys;
        this.place = place;
        this.markup = markup;
    }

    /// Reads a script; one that no program but an interpreter can read is the limit `scriptOpaque` in files that
    /// are run.
    ///
    /// @return whether the script visibly writes into a page or navigates
    public boolean read(char[] script, int from, int to) {
        String text = new String(script, from, to - from);
        acts = acts(text);
        if (place == Place.SCRIPT_ATTACHMENT && (text.contains(ENCODED) || isOfSigns(text))) {
            reached(Limit.SCRIPT_OPAQUE);
        }
        ScriptStrings.read(script, from, to, this);
        return acts;
    }

    /// A value that a script may decode.
    public void readCoded(char[] value, int from, int to) {
        ScriptStrings.readCoded(value, from, to, this);
    }

    private static boolean acts(String text) {
        return ACTS.stream().anyMatch(text::contains);
    }

    /// A program of six characters only, as JSFuck writes it: honest scripts do not look so.
    private static boolean isOfSigns(String script) {
        int signs = 0;
        int others = 0;
        for (int i = 0; i < script.length(); i++) {
            char c = script.charAt(i);
            signs += "[]()!+".indexOf(c) >= 0 ? 1 : 0;
            others += c > ' ' && "[]()!+".indexOf(c) < 0 ? 1 : 0;
        }
        return signs >= FEWEST_SIGNS && others * 10 < signs;
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
        acts |= acts(text);
        char[] quoted = ('"' + text + '"').toCharArray();
        RawLinks.read(quoted, 0, quoted.length, keys, place);
        for (int i = 1; i + 1 < quoted.length; i++) {
            if (quoted[i] == '<' && HtmlTokenizer.isLetter(quoted[i + 1])) {
                markup.accept(quoted);
                return;
            }
        }
    }
}
