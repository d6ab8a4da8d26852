package org.bloomgate.content.links;

import java.util.function.Consumer;
import org.bloomgate.content.document.ScriptStrings;
import org.bloomgate.content.html.HtmlTokenizer;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.limit.Limit;

/// URLs that a script puts together, and the markup it writes.
///
/// @param place of what is found
/// @param markup takes a decoded text that holds tags
public record ScriptLinks(KeyExtractor keys, Place place, Consumer<char[]> markup) implements ScriptStrings.Sink {
    public void read(char[] script, int from, int to) {
        ScriptStrings.read(script, from, to, this);
    }

    @Override
    public boolean spend(long units) {
        return keys.budget().spend(units);
    }

    @Override
    public void reached(Limit limit) {
        keys.budget().reached(limit);
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
}
