package org.bloomgate.decision.journal;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.databind.ObjectReader;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.channels.Channels;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.function.Consumer;
import org.bloomgate.base.io.StateFile;

/// Reads the journal from its oldest line to its newest. Only lines with findings or filter positives are
/// parsed; the others, nearly all, are only counted.
///
/// Looks for `"found":[` and `"filters":[`, which stand in a line once: within a text the quotes have a
/// backslash. Lines above [#MAX_LINE_BYTES] and torn ones count as unreadable. Used by one thread.
public final class JournalScan {
    /// Far above the bounds of a decision.
    static final int MAX_LINE_BYTES = ReverseLines.MAX_LINE_BYTES;

    /// Bytes taken from the file at one time stay in the cache of the core that looks at them.
    private static final int READ_BYTES = 1 << 18;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHEST = ONES << 7;
    private static final long LINE_ENDS = '\n' * ONES;
    private static final long BRACKETS = '[' * ONES;

    private static final byte[] FOUND = "\"found\":[".getBytes(US_ASCII);
    private static final byte[] FILTERS = "\"filters\":[".getBytes(US_ASCII);
    private static final byte[] TIME = DecisionLine.TIME_FIELD.getBytes(US_ASCII);

    private static final ObjectReader READER = DecisionLine.JSON.readerFor(Sighting.class);

    /// A number in a line is below this.
    private static final long MAX_UNIT = 1_000_000_000_000L;

    private final byte[] since;
    private final Consumer<Sighting> out;
    private final byte[] buffer = new byte[MAX_LINE_BYTES + READ_BYTES];
    private int filled;
    private boolean overlong;
    private long decisions;
    private long suspects;
    private long unreadable;

    /// The number of records read.
    ///
    /// @param decisions since the requested instant
    /// @param suspects keys of all of them for which a filter was positive
    /// @param unreadable lines that are torn or too long
    public record Counted(long decisions, long suspects, long unreadable) {}

    private JournalScan(Instant since, Consumer<Sighting> out) {
        this.since = DecisionLine.second(since).getBytes(US_ASCII);
        this.out = out;
    }

    /// Passes on every decision since an instant, to the second, that has findings or filter positives.
    ///
    /// @param directory of the day files; one that does not exist yet holds no decision
    public static Counted since(Instant since, Path directory, Consumer<Sighting> out) throws IOException {
        JournalScan scan = new JournalScan(since, out);
        LocalDate first = LocalDate.ofInstant(since, ZoneOffset.UTC);
        for (DayFile file : DayFile.newestFirst(directory).reversed()) {
            if (!file.day().isBefore(first)) {
                scan.read(directory.resolve(file.name()));
            }
        }
        return new Counted(scan.decisions, scan.suspects, scan.unreadable);
    }

    private void read(Path file) throws IOException {
        filled = 0;
        overlong = false;
        try (InputStream in = Channels.newInputStream(StateFile.open(file, DayFile.MAX_BYTES))) {
            for (int got = in.read(buffer, 0, READ_BYTES); got > 0; got = in.read(buffer, filled, READ_BYTES)) {
                filled += got;
                wholeLines();
            }
        } catch (NoSuchFileException prunedMeanwhile) {
            return;
        }
        unreadable += filled > 0 || overlong ? 1 : 0;
    }

    /// Takes the lines that the buffer holds whole, and moves the rest to its start.
    private void wholeLines() {
        int start = 0;
        int found = -1;
        for (int i = nextMark(0); i < filled; i = nextMark(i + 1)) {
            if (buffer[i] == '\n') {
                line(start, i, found);
                start = i + 1;
                found = -1;
            } else if (found < 0 && endsWith(FOUND, start, i + 1)) {
                found = i + 1;
            }
        }
        filled -= start;
        System.arraycopy(buffer, start, buffer, 0, filled);
        if (filled > MAX_LINE_BYTES) {
            overlong = true;
            filled = 0;
        }
    }

    /// The next line end or bracket, or the end of what is filled. Eight bytes at one time.
    private int nextMark(int from) {
        int i = from;
        for (; i + Long.BYTES <= filled; i += Long.BYTES) {
            long bytes = (long) LONG.get(buffer, i);
            long marks = zeros(bytes ^ LINE_ENDS) | zeros(bytes ^ BRACKETS);
            if (marks != 0) {
                return i + Long.numberOfTrailingZeros(marks) / Byte.SIZE;
            }
        }
        while (i < filled && buffer[i] != '\n' && buffer[i] != '[') {
            i++;
        }
        return i;
    }

    /// The highest bit of each byte that is 0; of the lowest such byte for certain, above it perhaps of another.
    private static long zeros(long bytes) {
        return (bytes - ONES) & ~bytes & HIGHEST;
    }

    /// @param found offset behind `"found":[`, or -1
    private void line(int from, int to, int found) {
        if (overlong || to - from > MAX_LINE_BYTES || found < 0 || !startsWith(TIME, from, to)) {
            overlong = false;
            unreadable++;
        } else if (Arrays.compare(buffer, from + TIME.length, from + TIME.length + since.length, since, 0, since.length)
                >= 0) {
            decisions++;
            long here = numberBefore(found - FOUND.length - 1, from);
            suspects += here;
            if (buffer[found] != ']' || (here > 0 && tellsOfFilters(found, to))) {
                parsed(from, to);
            }
        }
    }

    private boolean tellsOfFilters(int from, int to) {
        for (int i = from; i < to; i++) {
            if (buffer[i] == '[' && endsWith(FILTERS, from, i + 1)) {
                return true;
            }
        }
        return false;
    }

    private void parsed(int from, int to) {
        try {
            Sighting sighting = READER.readValue(buffer, from, to - from);
            out.accept(sighting);
        } catch (IOException torn) {
            unreadable++;
        }
    }

    /// The digits that end before `end`, `suspects` in every line this program wrote; 0 without any.
    private long numberBefore(int end, int from) {
        long number = 0;
        long unit = 1;
        for (int i = end - 1; i >= from && buffer[i] >= '0' && buffer[i] <= '9' && unit < MAX_UNIT; i--) {
            number += unit * (buffer[i] - '0');
            unit *= 10;
        }
        return number;
    }

    private boolean startsWith(byte[] text, int from, int to) {
        return from + text.length + since.length <= to
                && Arrays.equals(buffer, from, from + text.length, text, 0, text.length);
    }

    private boolean endsWith(byte[] text, int from, int to) {
        return to - text.length >= from && Arrays.equals(buffer, to - text.length, to, text, 0, text.length);
    }
}
