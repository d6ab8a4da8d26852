package org.bloomgate.server.http;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A part of a file, requested by a `Range` field (RFC 9110, section 14.1.2).
///
/// @param first byte, counted from 0
/// @param length in bytes; 0 for a range that the file does not have
public record ByteRange(long first, long length) {
    private static final Pattern SINGLE = Pattern.compile("bytes=(\\d{1,18})?-(\\d{1,18})?");

    /// Parses a single range. Empty for fields that are ignored, so that the whole file is sent: several
    /// ranges, other units, and malformed fields.
    public static Optional<ByteRange> parse(String field, long sizeBytes) {
        Matcher range = SINGLE.matcher(field.strip());
        if (!range.matches()) {
            return Optional.empty();
        }
        Optional<Long> first = Optional.ofNullable(range.group(1)).map(Long::valueOf);
        Optional<Long> last = Optional.ofNullable(range.group(2)).map(Long::valueOf);
        if (first.isEmpty()) {
            return last.map(suffix -> new ByteRange(Math.max(0, sizeBytes - suffix), Math.min(suffix, sizeBytes)));
        }
        if (last.isPresent() && last.get() < first.get()) {
            return Optional.empty();
        }
        long end = Math.min(last.orElse(Long.MAX_VALUE - 1) + 1, sizeBytes);
        return Optional.of(new ByteRange(first.get(), Math.max(0, end - first.get())));
    }

    public boolean isSatisfiable() {
        return length > 0;
    }

    /// The value of `Content-Range`.
    public String of(long sizeBytes) {
        return "bytes " + first + "-" + (first + length - 1) + "/" + sizeBytes;
    }
}
