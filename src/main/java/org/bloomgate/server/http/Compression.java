package org.bloomgate.server.http;

import io.helidon.http.Header;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.zip.GZIPOutputStream;

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

    private static boolean isText(String mediaType) {
        return mediaType.startsWith("text/") || mediaType.contains("json") || mediaType.contains("javascript");
    }

    /// Whether an `Accept-Encoding` field accepts gzip (RFC 9110, section 12.5.3). A malformed weight accepts
    /// nothing.
    public static boolean isAccepted(String field) {
        boolean accepted = false;
        for (String coding : field.split(",", -1)) {
            String[] parts = coding.replace(" ", "").split(";", -1);
            if (parts[0].equalsIgnoreCase("gzip") || parts[0].equalsIgnoreCase("x-gzip")) {
                return isWanted(parts);
            }
            accepted |= parts[0].equals("*") && isWanted(parts);
        }
        return accepted;
    }

    private static boolean isWanted(String... parts) {
        return parts.length == 1 || parts[1].matches("[qQ]=(1(\\.0{0,3})?|0(?=\\.0*[1-9])\\.\\d{1,3})");
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
