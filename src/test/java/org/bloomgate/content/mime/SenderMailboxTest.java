package org.bloomgate.content.mime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.bloomgate.content.links.MessageSummary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SenderMailboxTest {
    private static final List<String> ADDRESS =
            List.of("Ann", ".", "Smith", "@", "mail", ".", "partner", ".", "example");
    private static final List<String> COMMENT = List.of(
            "Cron Daemon",
            "x@stranger.example",
            "<x@stranger.example>",
            "\"",
            "\\(",
            "\\)",
            "\\\\",
            ",",
            ";",
            ":",
            "@");

    private final Random random = new Random(5322);

    private static Optional<String> of(String... fields) {
        MessageSummary summary = MessageSummary.NONE;
        for (String field : fields) {
            summary = summary.withFrom(field, field);
        }
        return SenderMailbox.find(summary);
    }

    /// A comment (RFC 5322 3.2.2), nested at most three deep.
    private String comment(int depth) {
        StringBuilder text = new StringBuilder("(");
        for (int i = random.nextInt(4); i > 0; i--) {
            text.append(
                    depth < 3 && random.nextInt(3) == 0
                            ? comment(depth + 1)
                            : COMMENT.get(random.nextInt(COMMENT.size())));
        }
        return text.append(')').toString();
    }

    /// The tokens with blanks and comments around each of them.
    private String commented(List<String> tokens) {
        StringBuilder text = new StringBuilder();
        for (String token : tokens) {
            text.append(space()).append(token);
        }
        return text.append(space()).toString();
    }

    private String space() {
        return List.of("", "", " ", "\t", comment(1), " " + comment(1) + " ", comment(1) + comment(1))
                .get(random.nextInt(7));
    }

    @Test
    void address_withCommentsBetweenTokens_isFound() {
        for (int i = 0; i < 5_000; i++) {
            String address = commented(ADDRESS);
            String bracketed = "<" + address + ">";
            String field = switch (i % 4) {
                case 0 -> address;
                case 1 -> bracketed;
                case 2 -> commented(List.of("Ann", " ", "Smith", bracketed));
                default -> commented(List.of("\"x@stranger.example (\"", bracketed));
            };

            assertEquals(Optional.of("ann.smith@mail.partner.example"), of(field), field);
        }
    }

    @Test
    void address_inCommentOnly_isNotFound() {
        for (int i = 0; i < 1_000; i++) {
            String field = commented(List.of("(ann@partner.example)", i % 2 == 0 ? "" : "Ann"));

            assertEquals(Optional.empty(), of(field), field);
        }
    }

    /// A second address beside the comments.
    @Test
    void addresses_withComments_areNotOne() {
        for (int i = 0; i < 1_000; i++) {
            String separator = List.of(",", ";", " ").get(i % 3);
            String field = commented(List.of("<ann@partner.example>", separator, "<x@stranger.example>"));

            assertEquals(Optional.empty(), of(field), field);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ann@partner.example (Ann",
                "ann@partner.example (Ann (x)",
                "ann@partner.example (Ann\\)",
                "ann@partner.example Ann)",
                "(Ann ann@partner.example",
                "an(x)n@partner.example",
                "ann@partner(x)er.example",
                "ann@partner.example(x)y",
                "ann@@partner.example (x)",
                "ann@partner..example (x)",
                "Ann <ann@partner.example (x>)",
                "Ann <ann@partner.example (x>",
                "Ann (x <ann@partner.example>",
                "ann@partner.example (\0)",
                "ann@partner.example\0 (x)",
                "\"ann@partner.example (x) <ann@partner.example>"
            })
    void field_thatIsNoMailbox_isUnusable(String field) {
        assertEquals(Optional.empty(), of(field));
    }

    @Test
    void fields_withOneAddress_areUnusable() {
        assertEquals(Optional.empty(), of("ann@partner.example (Ann)", "(x)"));
        assertEquals(Optional.empty(), of());
    }
}
