package org.bloomgate.lists.format;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.bloomgate.Rounds;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedFormat;
import org.bloomgate.lists.fetch.FeedRefusedException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A line as long as a reader takes, made of a few repeated pieces: the time for it goes with its length.
class HostileLinesTest {
    private static final int LINES = Rounds.of(300);
    private static final int LENGTH = 60_000;
    /// Of the processor: other tests run beside.
    private static final ThreadMXBean THREAD = ManagementFactory.getThreadMXBean();

    /// A faster line needs no second look.
    private static final long QUICK_NANOS = 50_000_000;
    /// Of a line and its first eighth: 8 where the time goes with the length, 64 where it goes with its square. On a
    /// busy machine the same line takes several times as long as on a quiet one; the ratio stays.
    private static final int MOST_TIMES_AN_EIGHTH = 24;
    private static final int ATTEMPTS = 4;

    private static final List<String> PIECES = List.of(
            " ",
            "\t",
            ".",
            "-",
            ":",
            "/",
            "\\",
            "^",
            "|",
            "||",
            "*",
            "$",
            ",",
            ";",
            "#",
            "\"",
            "'",
            "@",
            "@@",
            "!",
            "(",
            ")",
            "[",
            "]",
            "{",
            "}",
            "<",
            ">",
            "=",
            "_",
            "%",
            "%2",
            "~",
            "0",
            "1",
            "9",
            "a",
            "A",
            "z.",
            "a.",
            ".a",
            "0.",
            "1.",
            "::",
            "x-",
            "a,",
            ", ",
            " - ",
            "\" ",
            "; ",
            "reason=",
            ",reason='",
            "badfilter",
            "address=/",
            "server=/",
            "local-zone: ",
            "add ",
            "IN A ",
            "CNAME ",
            "$MAXRANGE4 ",
            "http://",
            "xn--",
            "\u00e9",
            "\u200b",
            "127.0.0.1 ",
            "(^|\\.)",
            "^(.+\\.)?");

    @ParameterizedTest
    @EnumSource
    void lineOfRepeatedPieces_takesBoundedTime(FeedFormat format) {
        Feed feed = FeedFuzz.feed(format, false);
        Random random = new Random(format.label().hashCode());
        List<String> slow = new ArrayList<>();
        for (int i = 0; i < LINES; i++) {
            String line = line(random);
            long whole = fastestNanos(feed, line, QUICK_NANOS);
            if (whole > QUICK_NANOS
                    && whole > MOST_TIMES_AN_EIGHTH * fastestNanos(feed, line.substring(0, line.length() / 8), 0)) {
                slow.add(whole / 1_000_000 + " ms: " + line.substring(0, 60));
            }
        }
        assertEquals(List.of(), slow);
    }

    private static String line(Random random) {
        StringBuilder line = new StringBuilder();
        for (int part = 1 + random.nextInt(3); part > 0; part--) {
            String piece = PIECES.get(random.nextInt(PIECES.size()));
            String other = random.nextInt(3) == 0 ? PIECES.get(random.nextInt(PIECES.size())) : "";
            line.append(PIECES.get(random.nextInt(PIECES.size())));
            line.append((piece + other).repeat(LENGTH / (piece.length() + other.length()) / part));
        }
        line.setLength(Math.min(line.length(), LENGTH));
        return line.append(PIECES.get(random.nextInt(PIECES.size()))).toString();
    }

    private static long fastestNanos(Feed feed, String line, long enough) {
        long fastest = Long.MAX_VALUE;
        for (int attempt = 0; attempt < ATTEMPTS && fastest > enough; attempt++) {
            fastest = Math.min(fastest, nanos(feed, line));
        }
        return fastest;
    }

    private static long nanos(Feed feed, String line) {
        long began = THREAD.getCurrentThreadCpuTime();
        try {
            FeedFixtures.read(feed, line + '\n', new RecordingSink());
        } catch (FeedRefusedException refused) {
            // such a line alone may be no feed of the format
        }
        return THREAD.getCurrentThreadCpuTime() - began;
    }
}
