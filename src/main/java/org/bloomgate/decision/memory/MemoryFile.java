package org.bloomgate.decision.memory;

import java.util.Optional;
import java.util.regex.Pattern;
import org.bloomgate.base.config.Labelled;

/// The filter file of one slot as gateways list it.
///
/// @param origin name of the gateway that made it
/// @param set label of a [MemorySet]
/// @param day first day of the slot (UTC), as `2026-01-08`
/// @param keys estimated
/// @param sha256 of the file, in lower-case hexadecimal digits
public record MemoryFile(String origin, String set, String day, long keys, String sha256) {
    private static final Pattern DAY = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");
    private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");
    private static final Pattern ORIGIN = Pattern.compile("[a-z0-9][a-z0-9.-]{0,252}");

    /// The path below `/v1/memory/`.
    public String path() {
        return origin + "/" + set + "/" + day;
    }

    /// Whether the names have the form of those that gateways list, and a bounded length.
    boolean isWellFormed() {
        return isValidOrigin(origin)
                && DAY.matcher(day).matches()
                && SHA256.matcher(sha256).matches();
    }

    static boolean isValidOrigin(String name) {
        return ORIGIN.matcher(name).matches();
    }

    Optional<MemorySet> findSet() {
        return Labelled.find(MemorySet.class, set);
    }

    /// Days since 1970; empty if it is not a date.
    Optional<Long> findDay() {
        return SlotFiles.parseDay(day);
    }
}
