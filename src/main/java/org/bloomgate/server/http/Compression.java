package org.bloomgate.server.http;

import io.helidon.http.Header;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import org.bloomgate.core.text.TextScan;

/// gzip for answers in memory (RFC 9110, section 8.4.1.3). Files are sent as they are: snapshots do not shrink, and
/// exports are compressed once for all clients.
public final class Compression {
    /// A smaller answer fits into one packet either way, and most answers to a check are smaller.
    static final int MIN_BYTES = 1_400;

    static final Header GZIP = HeaderValues.createCached(HeaderNames.CONTENT_ENCODING, "gzip");

    /// The representation depends on what the client accepts.
    public static final String VARY = "Accept-Encoding";

    private Compression() {}

    /// Whether a client that accepts gzip gets the answer compressed.
    static boolean appliesTo(Answer answer) {
        return answer.body().length >= MIN_BYTES && isText(answer.mediaType());
    }

    /// More than nothing: at most three digits after the point.
    private static final Pattern WEIGHT = Pattern.compile("[qQ]=(1(\\.0{0,3})?|0\\.(?!0{1,3}$)\\d{1,3})");

    private static boolean isText(String mediaType) {
        return mediaType.startsWith("text/") || mediaType.contains("json") || mediaType.contains("javascript");
    }

    /// Whether an `Accept-Encoding` field accepts gzip (RFC 9110, section 12.5.3). A malformed weight accepts
    /// nothing.
    public static boolean isAccepted(String field) {
        boolean accepted = false;
        for (String coding : TextScan.split(field, c -> c == ',')) {
            List<String> parts = TextScan.split(coding.replace(" ", ""), c -> c == ';');
            if (parts.getFirst().equalsIgnoreCase("gzip") || parts.getFirst().equalsIgnoreCase("x-gzip")) {
                return isWanted(parts);
            }
            accepted |= parts.getFirst().equals("*") && isWanted(parts);
        }
        return accepted;
    }

    private static boolean isWanted(List<String> parts) {
        return parts.size() == 1 || WEIGHT.matcher(parts.get(1)).matches();
    }

    static byte[] gzip(byte[] body) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(body.length / 2);
        try (OutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(body);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return out.toByteArray();
    }

    /// A compressed answer is equal to the one under the tag in meaning, not byte by byte.
    static String weak(String tag) {
        return tag.startsWith("W/") ? tag : "W/" + tag;
    }
}
