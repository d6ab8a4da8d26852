package org.bloomgate.lists.export;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The serial number of a response policy zone: ten digits at a fixed position in its file.
final class ZoneSerial {
    /// RFC 1982: 32 bits.
    private static final long MAX = 0xffff_ffffL;

    private static final int MAX_HEADER_BYTES = 512;
    private static final Pattern HEADER = Pattern.compile(
            "\\A\\$ORIGIN (\\S{1,254})\\.\\n\\$TTL 300\\n@ SOA localhost\\. nobody\\.invalid\\. (\\d{10}) ");

    private ZoneSerial() {}

    /// The beginning of the file, up to the serial number.
    static String before(String zone) {
        return "$ORIGIN " + zone + ".\n$TTL 300\n@ SOA localhost. nobody.invalid. ";
    }

    static String text(long serial) {
        return "%010d".formatted(serial);
    }

    /// The serial number in the file of a zone; empty if the file was not written here for this zone.
    static OptionalLong read(Path file, String zone) throws IOException {
        if (!Files.exists(file)) {
            return OptionalLong.empty();
        }
        try (InputStream in = Files.newInputStream(file)) {
            Matcher header = HEADER.matcher(new String(in.readNBytes(MAX_HEADER_BYTES), US_ASCII));
            return header.find() && header.group(1).equals(zone) && Long.parseLong(header.group(2)) < MAX
                    ? OptionalLong.of(Long.parseLong(header.group(2)))
                    : OptionalLong.empty();
        }
    }

    /// The next number: always larger than the previous one, also if the clock was set back.
    static long next(OptionalLong before, long epochSecond) {
        return before.isPresent() ? Math.max(before.getAsLong() + 1, epochSecond) : epochSecond;
    }
}
