package org.bloomgate.content.mime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.bloomgate.Rounds;
import org.bloomgate.content.html.HtmlEntities;
import org.bloomgate.content.html.TextBuffer;
import org.bloomgate.core.key.Place;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Element;
import org.jsoup.parser.Parser;
import org.junit.jupiter.api.Test;

/// Every link that jsoup finds in random markup is found, and entities decode to the same text.
class HtmlLinksOracleTest {
    private static final String[] PIECES = {
        "<a href=", "<a/href='", "\"", "'", ">", "</a>", "<img src=\"", " src=", "<b>", "</b>", "<!-- ", "-->", "<!-->",
        "--!>", "<style>", "</style>", "<script>", "</script >", "<title>", "</title>", " ", "\n", "/", "=", "<", "<p",
        "text", "&amp;", "&#104;", "<div title=\"", "<![if x]>", "<!DOCTYPE html>", "</", "<?x", "<form action="
    };

    @Test
    void randomMarkup_givesAllLinksThatJsoupSees() {
        SplittableRandom random = new SplittableRandom(20260104);
        for (int i = 0; i < Rounds.of(10_000); i++) {
            String html = markup(random);
            Set<String> expected = linksByJsoup(html);
            ReadMessage read = ReadMessage.html(html);
            Set<String> missed = expected.stream()
                    .filter(host -> !read.holds(Place.LINK, host) && !read.holds(Place.RAW, host))
                    .collect(Collectors.toCollection(TreeSet::new));
            assertEquals(Set.of(), missed, html);
        }
    }

    private static String markup(SplittableRandom random) {
        StringBuilder html = new StringBuilder();
        int pieces = 3 + random.nextInt(25);
        for (int i = 0; i < pieces; i++) {
            html.append(
                    random.nextInt(3) == 0
                            ? "http://h" + random.nextInt(1000) + ".example/"
                            : PIECES[random.nextInt(PIECES.length)]);
        }
        return html.toString();
    }

    private static Set<String> linksByJsoup(String html) {
        Set<String> hosts = new TreeSet<>();
        for (Element element : Jsoup.parse(html).getAllElements()) {
            for (String attribute : new String[] {"href", "src", "action"}) {
                String value = element.attr(attribute);
                if (value.matches("http://h[0-9]+\\.example/.*")) {
                    hosts.add(value.substring(7, value.indexOf('/', 7)));
                }
            }
        }
        return hosts;
    }

    @Test
    void randomEntities_decodeAsInJsoup() {
        SplittableRandom random = new SplittableRandom(20260105);
        String[] pieces = {
            "&",
            "amp",
            ";",
            "&amp;",
            "&lt",
            "&#",
            "x41",
            "65",
            ";",
            "&#x",
            "3a;",
            "&period;",
            "&colon",
            "&nbsp",
            "a",
            "=",
            "&copy",
            "&notin;",
            "&not",
            "&#128;",
            "&#0;",
            "&#1114112;",
            "&zwnj;",
            "&nosuch;"
        };
        for (int i = 0; i < Rounds.of(10_000); i++) {
            StringBuilder text = new StringBuilder();
            int count = 1 + random.nextInt(6);
            for (int p = 0; p < count; p++) {
                text.append(pieces[random.nextInt(pieces.length)]);
            }
            TextBuffer decoded = new TextBuffer(16);
            HtmlEntities.decodeText(text.toString().toCharArray(), 0, text.length(), decoded);
            assertEquals(Parser.unescapeEntities(text.toString(), false), decoded.toString(), text.toString());
        }
    }
}
