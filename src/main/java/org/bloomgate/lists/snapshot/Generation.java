package org.bloomgate.lists.snapshot;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/// Ids of snapshots: `20261121T020305Z-09af`, the time in UTC and four random hex digits, so that they sort by
/// age and two machines make different ones.
final class Generation {
    private static final Pattern ID = Pattern.compile("\\d{8}T\\d{6}Z-[0-9a-f]{4}");
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private Generation() {}

    static boolean isId(String text) {
        return ID.matcher(text).matches() && isTime(text);
    }

    private static boolean isTime(String id) {
        try {
            return TIME.format(parseTime(id)).equals(id.substring(0, id.indexOf('-')));
        } catch (DateTimeException e) {
            return false;
        }
    }

    /// The time in an id, to the second.
    static Instant parseTime(String id) {
        return TIME.parse(id.substring(0, id.indexOf('-')), Instant::from);
    }

    /// An id that sorts after the newest one, also if the clock went back or is still in the same second.
    static String createId(Instant now, Optional<String> newest, RandomGenerator random) {
        String suffix = "-" + HexFormat.of().toHexDigits((short) random.nextInt());
        Instant time = now;
        if (newest.isPresent()) {
            Instant newestTime = parseTime(newest.get());
            time = now.truncatedTo(ChronoUnit.SECONDS).isAfter(newestTime) ? now : newestTime.plusSeconds(1);
        }
        return TIME.format(time) + suffix;
    }
}
