package org.bloomgate.server.smtp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.List;
import java.util.SplittableRandom;

/// Changes bytes as a fuzzer does, from a seed: cuts, doubles, swaps, splices, and puts in what matters to SMTP.
/// Text holds one byte a character.
final class ByteMutator {
    private static final int LONGEST = 30_000;
    private static final List<String> PIECES = List.of(
            "\r\n",
            "\n",
            "\r",
            ".",
            "\r\n.\r\n",
            "\n.\n",
            "\n.\r\n",
            "\r\n.\n",
            "\r.\r",
            "\r\n.\r",
            "\r\n..\r\n",
            "\0",
            "\u00e9",
            " ",
            "MAIL FROM:<a@from.example>\r\n",
            "RCPT TO:<b@to.example>\r\n",
            "DATA\r\n",
            "DATA",
            "RSET\r\n",
            "NOOP\r\n",
            "EHLO client.example\r\n",
            "BDAT 5 LAST\r\n",
            "BDAT 14\r\n",
            "BDAT 0 LAST\r\n",
            "STARTTLS\r\n",
            "XFORWARD ADDR=192.0.2.1\r\n",
            "XCLIENT ADDR=192.0.2.1\r\n",
            "PROXY TCP4 192.0.2.1 192.0.2.2 1 25\r\n",
            " SIZE=1",
            " BODY=8BITMIME",
            "Subject: x\r\n\r\n",
            "x".repeat(990),
            "x".repeat(5_000));

    private final SplittableRandom random;

    ByteMutator(long seed) {
        random = new SplittableRandom(seed);
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    String oneOf(List<String> texts) {
        return texts.get(random.nextInt(texts.size()));
    }

    /// The text after a handful of changes.
    ///
    /// @param others to splice with
    String changed(String text, List<String> others) {
        String changed = text;
        for (int i = random.nextInt(6); i >= 0; i--) {
            changed = changedOnce(changed, others);
        }
        return changed.substring(0, Math.min(changed.length(), LONGEST));
    }

    private String changedOnce(String text, List<String> others) {
        int from = random.nextInt(text.length() + 1);
        int to = Math.min(text.length(), from + random.nextInt(random.nextBoolean() ? 3 : 60));
        String head = text.substring(0, from);
        String middle = text.substring(from, to);
        String tail = text.substring(to);
        return switch (random.nextInt(6)) {
            case 0 -> head + tail;
            case 1 -> head + middle + middle + tail;
            case 2 -> head + (char) random.nextInt(256) + tail;
            case 3 -> head + spliced(oneOf(others));
            default -> head + oneOf(PIECES) + middle + tail;
        };
    }

    private String spliced(String other) {
        return other.substring(random.nextInt(other.length() + 1));
    }

    static byte[] bytes(String text) {
        return text.getBytes(ISO_8859_1);
    }
}
