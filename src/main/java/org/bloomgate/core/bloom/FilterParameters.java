package org.bloomgate.core.bloom;

import java.time.Instant;

/// The parameters that are fixed before the first key is inserted.
///
/// @param kindCode stable code of the kind of key, 1..255; kinds never share a filter
/// @param canonicalForm version of the rules that made keys canonical; a reader with other rules must not use
/// the filter
/// @param seed of [KeyHash]: random for each kind, so that no one can prepare collisions, and kept for a
/// certain time, in which a filter with the same keys and size has the same bits
/// @param createdAt to the millisecond
public record FilterParameters(int kindCode, int canonicalForm, long seed, FilterSizing sizing, Instant createdAt) {

    public FilterParameters {
        if (kindCode < 1 || kindCode > 255) {
            throw new IllegalArgumentException("kind code " + kindCode + ": must be 1..255");
        }
        createdAt = Instant.ofEpochMilli(createdAt.toEpochMilli());
    }

    /// The length of the file, and so of the builder's segment.
    public long fileBytes() {
        return FilterFormat.HEADER_BYTES + sizing.bodyBytes();
    }
}
