package org.bloomgate.content.links;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.nibor.autolink.LinkExtractor;
import org.nibor.autolink.LinkSpan;
import org.nibor.autolink.LinkType;

class WrittenLinksTest {
    /// What links are made of, what ends them, and what only looks like either.
    private static final String[] PIECES = {
        "http://",
        "https://",
        "://",
        ":",
        "/",
        "//",
        "www.",
        "ww.",
        "w",
        "www",
        "WWW.",
        "@",
        "a",
        "b1",
        ".",
        ".com",
        "-",
        "a.example",
        "a@b.example",
        " ",
        "  ",
        "\n",
        "\r\n",
        "\t",
        "\0",
        "\u0001",
        "\u00a0",
        "\u2003",
        "\u3000",
        "\u007f",
        "<",
        ">",
        "(",
        ")",
        "[",
        "]",
        "'",
        "\"",
        ",",
        "?",
        "#",
        "%20",
        "ü",
        "\ud83d\ude00",
        "mailto:",
        "_",
        "+",
        "ftp://"
    };

    private enum Type {
        URL,
        EMAIL,
        MAILTO
    }

    private record Link(int from, int to, Type type) {}

    private static List<Link> found(String text) {
        char[] chars = (text + "http://behind.example/").toCharArray();
        WrittenLinks links = new WrittenLinks(chars, text.length());
        List<Link> found = new ArrayList<>();
        while (links.next()) {
            Type autolink = links.isAddress() ? Type.EMAIL : Type.URL;
            found.add(new Link(links.from(), links.to(), links.isMailto() ? Type.MAILTO : autolink));
        }
        return found;
    }

    private static List<Link> all(String text) {
        List<Link> all = new ArrayList<>();
        for (LinkSpan span : LinkExtractor.builder().build().extractLinks(text)) {
            all.add(new Link(
                    span.getBeginIndex(),
                    span.getEndIndex(),
                    span.getType() == LinkType.EMAIL ? Type.EMAIL : Type.URL));
        }
        return all;
    }

    @Test
    void aLinkAndAnAddressAreFound() {
        assertEquals(
                List.of(new Link(4, 23, Type.URL), new Link(28, 39, Type.EMAIL)),
                found("see http://a.example,or not a@b.example."));
    }

    @Test
    void aMailtoLinkIsFoundBeforeItsAddresses() {
        assertEquals(
                List.of(new Link(1, 28, Type.MAILTO), new Link(8, 19, Type.EMAIL)),
                found("<Mailto:a@b.example?cc=c%40d>"));
        assertEquals(
                List.of(new Link(0, 8, Type.MAILTO), new Link(9, 17, Type.MAILTO)),
                found("mailto:a mailto:b\"c mailto :d amailto"));
    }

    @Test
    void whatAutolinkFindsInAllOfATextIsFoundWordByWord() {
        SplittableRandom random = new SplittableRandom(15);
        int links = 0;
        for (int i = 0; i < 100_000; i++) {
            String text = random.ints(random.nextInt(1, 40), 0, PIECES.length)
                    .mapToObj(piece -> PIECES[piece])
                    .collect(Collectors.joining());
            List<Link> all = all(text);
            List<Link> found = found(text);
            found.removeIf(link -> link.type() == Type.MAILTO);
            assertEquals(all, found, () -> text);
            links += all.size();
        }
        assertTrue(links > 10_000);
    }
}
