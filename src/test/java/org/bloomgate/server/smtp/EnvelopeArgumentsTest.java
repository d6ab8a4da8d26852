package org.bloomgate.server.smtp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.Set;
import org.bloomgate.Rounds;
import org.bloomgate.core.smtp.EhloExtensions;
import org.bloomgate.core.smtp.MailArguments;
import org.bloomgate.core.smtp.Parsed;
import org.bloomgate.core.smtp.RcptArguments;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What MAIL and RCPT take, beyond the dialogues.
class EnvelopeArgumentsTest {
    private static final EhloExtensions OFFER = new EhloExtensions(
            Set.of(EhloExtensions.SIZE, EhloExtensions.DSN, EhloExtensions.SMTPUTF8, EhloExtensions.EIGHT_BIT),
            1_000,
            true);
    private static final String[] PIECES = {
        "FROM:",
        "TO:",
        "<",
        ">",
        "@",
        ".",
        ":",
        ",",
        " ",
        "\"",
        "\\",
        "a",
        "b.example",
        "[",
        "]",
        "192.0.2.1",
        "IPv6:",
        "::1",
        "postmaster",
        "\0",
        "\r",
        "\u00c3\u00bc",
        "\u00ff",
        "SIZE=",
        "1",
        "=",
        "SMTPUTF8",
        "NOTIFY=NEVER",
        ";",
        "-"
    };

    @Test
    void randomArguments_parseTheSameWhenForwarded() {
        Random random = new Random(5321);
        int accepted = 0;
        for (int round = 0; round < Rounds.of(200_000); round++) {
            String text = text(random);
            accepted += mailReadsTheSame(text) ? 1 : 0;
            accepted += rcptReadsTheSame(text) ? 1 : 0;
        }
        assertTrue(accepted > 100, accepted + " were accepted");
    }

    private static boolean mailReadsTheSame(String text) {
        if (!(MailArguments.parse(text, OFFER) instanceof Parsed.Valid<MailArguments>(MailArguments mail))) {
            return false;
        }
        assertEquals(new Parsed.Valid<>(mail), MailArguments.parse(mail.forwarded(), OFFER));
        assertFalse(mail.forwarded().matches("(?s).*[\\x00-\\x1f].*"), mail.forwarded());
        return true;
    }

    private static boolean rcptReadsTheSame(String text) {
        if (!(RcptArguments.parse(text, OFFER, true) instanceof Parsed.Valid<RcptArguments>(RcptArguments rcpt))) {
            return false;
        }
        assertEquals(new Parsed.Valid<>(rcpt), RcptArguments.parse(rcpt.forwarded(), OFFER, true));
        assertFalse(rcpt.recipient().mailbox().isEmpty());
        return true;
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder(random.nextBoolean() ? "FROM:<" : "TO:<");
        for (int i = random.nextInt(9); i >= 0; i--) {
            text.append(PIECES[random.nextInt(PIECES.length)]);
        }
        return text.append(random.nextBoolean() ? "@b.example>" : ">").toString();
    }

    @ParameterizedTest
    @CsvSource({"244,true", "245,false"})
    void path_hasAtMost256BytesWithBrackets(int localBytes, boolean accepted) {
        String path = "FROM:<" + "a".repeat(localBytes) + "@b.example>";
        assertEquals(accepted, MailArguments.parse(path, OFFER) instanceof Parsed.Valid);
    }

    @ParameterizedTest
    @CsvSource({"1000,true", "1001,false"})
    void announcedSize_mayEqualTheLimit(int size, boolean accepted) {
        assertEquals(accepted, MailArguments.parse("FROM:<> SIZE=" + size, OFFER) instanceof Parsed.Valid);
    }

    @Test
    void quotedLocalPart_isUnquotedForComparison() {
        Parsed.Valid<?> parsed = assertInstanceOf(
                Parsed.Valid.class, RcptArguments.parse("TO:<\"post\\master\"@to.example>", OFFER, false));
        RcptArguments rcpt = assertInstanceOf(RcptArguments.class, parsed.value());
        assertEquals("postmaster@to.example", rcpt.recipient().mailbox());
        assertEquals("TO:<\"post\\master\"@to.example>", rcpt.forwarded());
    }
}
