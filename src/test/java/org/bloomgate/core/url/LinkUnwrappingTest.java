package org.bloomgate.core.url;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bloomgate.core.key.Rows;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LinkUnwrappingTest {
    private static final int DAMAGES = 1000;

    /// What readers of a URL may not agree on.
    private static final List<String> ODD = List.of(
            "", ":", ":80", "@", "/", "//", "\\", "?", "#", "%", "%2e", "%2F", "%00", "%25", ".", "..", "\u3002",
            "\uff47", "\u00ad", "\t", "\n", " ", "[", "]", "A", "http:", "&amp;");

    static Stream<Arguments> links() {
        return Rows.of("links.tsv");
    }

    @ParameterizedTest
    @MethodSource("links")
    void theTargetsOfALinkAreFound(String link, String targets) {
        List<String> expected =
                targets.equals("-") ? List.of() : List.of(Rows.textOf(targets).split(" "));
        assertEquals(expected, LinkUnwrapping.targets(Rows.textOf(link)));
    }

    /// A path that begins with slashes is a network path for many redirectors; what is before an `@` is none.
    @Test
    void hostBehindSlashes_isATarget() {
        for (String slashes : List.of("/", "//", "/\\", "///")) {
            assertEquals(
                    List.of("evil.example/x"),
                    LinkUnwrapping.of("https://good.example" + slashes + "evil.example/x")
                            .hosts(),
                    slashes);
        }
        for (String other : List.of("\\@", "/@", "/x@")) {
            assertEquals(
                    List.of(),
                    LinkUnwrapping.of("https://good.example" + other + "evil.example/x")
                            .hosts(),
                    other);
        }
    }

    @Test
    void nestingIsFollowedFourDeep() {
        String link = "https://six.example/";
        for (String host : List.of("five", "four", "three", "two", "one")) {
            link = "https://" + host + ".example/?u=" + link;
        }
        List<String> hosts = LinkUnwrapping.targets(link).stream()
                .map(target -> CanonicalUrl.parse(target).orElseThrow().host().text())
                .toList();
        assertEquals(List.of("two.example", "three.example", "four.example", "five.example"), hosts);
    }

    @Test
    void noMoreThan32TargetsAreTaken() {
        String link = IntStream.range(0, 60)
                .mapToObj(i -> "u" + i + "=http://evil" + i + ".example/")
                .collect(Collectors.joining("&", "https://click.example/?", ""));
        assertEquals(LinkUnwrapping.MAX_TARGETS, LinkUnwrapping.targets(link).size());
    }

    @Test
    void whatLiesBeyondTheLimitOfAUrlIsNotSearched() {
        String link = "http://click.example/?" + "a".repeat(9000) + "http://evil.example/";
        assertTrue(LinkUnwrapping.targets(link).isEmpty());
    }

    @Test
    void aBreakWithinAHostHidesNoService() {
        assertTrue(LinkUnwrapping.targets("https://click.example/?u=https%3A//evil-example.transl%09ate.goog/x")
                .contains("https://evil.example/x"));
    }

    /// Each link as it stands and a thousand times damaged, by a seed.
    @ParameterizedTest
    @MethodSource("links")
    void aKnownCanonicalFormChangesNothing(String link, String targets) {
        Random random = new Random(link.hashCode());
        StringBuilder damaged = new StringBuilder(Rows.textOf(link));
        for (int i = 0; i < DAMAGES; i++) {
            String text = damaged.toString();
            assertEquals(LinkUnwrapping.of(text), LinkUnwrapping.of(text, CanonicalUrl.parse(text)), text);
            if (i % 4 == 0) {
                damaged = new StringBuilder(Rows.textOf(link));
            }
            int at = random.nextInt(damaged.length() + 1);
            int end = Math.min(damaged.length(), at + random.nextInt(2));
            damaged.replace(at, end, ODD.get(random.nextInt(ODD.size())));
        }
    }
}
