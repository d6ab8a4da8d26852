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

/// gzip for answers in memory (RFC 9110, section 8.4.1.3). Files are sent unchanged: snapshots do not compress
/// well, and exports are compressed once for all clients.
public final class Compression {
    /// Smaller answers, as most of those to a check, fit into one packet anyway.
    static final int MIN_BYTES = 1_400;

    static final Header GZIP = HeaderValues.createCached(HeaderNames.CONTENT_ENCODING, "gzip");

    /// The value of `Vary`: the representation depends on the accepted encodings.
    public static final String VARY = "Accept-Encoding";

    private Compression() {}

    /// True if the answer is compressed for clients that accept gzip.
    static boolean appliesTo(Answer answer) {
        return answer.body().length >= MIN_BYTES && isText(answer.mediaType());
    }

    /// A weight above 0, with at most three digits after the point.
    private static final Pattern WEIGHT = Pattern.compile("[qQ]=(1(\\.0{0,3})?|0\\.(?!0{1,3}$)\\d{1,3})");

    private static boolean isText(String mediaType) {
        return mediaType.startsWith("text/") || mediaType.contains("json") || mediaType.contains("javascript");
    }

    /// True if an `Accept-Encoding` field accepts gzip (RFC 9110, section 12.5.3). A malformed weight counts as
    /// 0.
    public static boolean isAccepted(String field) {
        boolean accepted = false;
        for (String coding : TextScan.split(field, c -> c == ',')) {
            List<String> parts = TextScan.split(coding.replace(" ", ""), c -> c == ';');
            if (parts.getFirst().equalsIgnoreCase("gzip") || parts.getFirst().equalsIgnoreCase("x-gzip")) {
                return hasWeight(parts);
            }
            accepted |= parts.getFirst().equals("*") && hasWeight(parts);
        }
        return accepted;
    }

    private static boolean hasWeight(List<String> parts) {
        return parts.size() == 1 || WEIGHT.matcher(parts.get(1)).matches();
    }

    static byte[] gzip(byte[] body) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(body.length / 2);
        try (OutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /// The tag of the compressed answer: weak, as it has the same meaning but other bytes.
    static String weak(String tag) {
        return tag.startsWith("W/") ? tag : "W/" + tag;
    }
}
