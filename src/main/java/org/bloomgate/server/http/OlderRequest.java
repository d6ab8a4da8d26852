package org.bloomgate.server.http;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import org.bloomgate.core.text.TextForms;

/// Converts the beginning of a request to a form that the server accepts: removes empty lines before it (RFC
/// 9112 2.2), and turns an HTTP/1.0 request, which probes and proxies send (HAProxy's `httpchk`, nginx without
/// `proxy_http_version`), into an HTTP/1.1 request with `Connection: close`. Used by one thread.
final class OlderRequest {
    /// The most bytes of request line and header fields.
    private static final int MAX_BYTES = 24 * 1024 + 2;

    private static final String HTTP_1_0 = " HTTP/1.0";

    /// The host of an HTTP/1.0 request, whatever it says: no browser sends one, so that its name proves nothing
    /// and endangers nothing.
    static final String UNKNOWN_HOST = "unknown.invalid";

    private static final String HOST = "Host: " + UNKNOWN_HOST + "\r\n";

    private static final Set<String> REPLACED = Set.of("connection", "host", "keep-alive");

    private byte[] buffered = {};

    /// Appends received bytes. Returns the bytes for the server, or none while more bytes are needed.
    byte[] append(byte[] bytes) {
        byte[] all = Arrays.copyOf(buffered, buffered.length + bytes.length);
        System.arraycopy(bytes, 0, all, buffered.length, bytes.length);
        int start = 0;
        while (start < all.length && (all[start] == '\r' || all[start] == '\n')) {
            start++;
        }
        buffered = start == 0 ? all : Arrays.copyOfRange(all, start, all.length);
        int line = indexOfLineEnd(buffered);
        if (buffered.length == 0 || (line < 0 && buffered.length < MAX_BYTES)) {
            return new byte[0];
        }
        if (line < 0 || !text(buffered, line).endsWith(HTTP_1_0)) {
            return release();
        }
        int head = indexOfHeadEnd(buffered);
        if (head < 0) {
            return buffered.length < MAX_BYTES ? new byte[0] : release();
        }
        buffered = asHttp11(buffered, line, head);
        return release();
    }

    /// Returns the buffered bytes, at the end of the input.
    byte[] release() {
        byte[] all = buffered;
        buffered = new byte[0];
        return all;
    }

    private static byte[] asHttp11(byte[] bytes, int line, int head) {
        String request = text(bytes, line);
        StringBuilder out =
                new StringBuilder(request.substring(0, request.length() - 1)).append("1\r\nConnection: close\r\n");
        String fields = new String(bytes, line, head - line, StandardCharsets.ISO_8859_1);
        for (int from = 0, end = 0; end < fields.length(); from = end + 2) {
            int next = fields.indexOf("\r\n", from);
            end = next < 0 ? fields.length() : next;
            String field = from < end ? fields.substring(from, end) : "";
            String name = TextForms.lowerCase(field.substring(0, Math.max(0, field.indexOf(':'))));
            if (!field.isEmpty() && !REPLACED.contains(name)) {
                out.append(field).append("\r\n");
            }
        }
        byte[] start = out.append(HOST).append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
        byte[] all = Arrays.copyOf(start, start.length + bytes.length - head);
        System.arraycopy(bytes, head, all, start.length, bytes.length - head);
        return all;
    }

    private static String text(byte[] bytes, int to) {
        return new String(bytes, 0, to, StandardCharsets.ISO_8859_1);
    }

    /// Index of the first CRLF, or -1.
    private static int indexOfLineEnd(byte[] bytes) {
        for (int i = 0; i + 1 < bytes.length; i++) {
            if (bytes[i] == '\r' && bytes[i + 1] == '\n') {
                return i;
            }
        }
        return -1;
    }

    /// Index after the empty line that ends the header fields, or -1.
    private static int indexOfHeadEnd(byte[] bytes) {
        for (int i = 3; i < bytes.length; i++) {
            if (bytes[i] == '\n' && bytes[i - 1] == '\r' && bytes[i - 2] == '\n' && bytes[i - 3] == '\r') {
                return i + 1;
            }
        }
        return -1;
    }
}
