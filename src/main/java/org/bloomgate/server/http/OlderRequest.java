package org.bloomgate.server.http;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.bloomgate.core.text.TextForms;

/// The beginning of a request, put into what the server reads: empty lines before it are left out (RFC 9112
/// 2.2), and a request by HTTP/1.0, which probes and proxies send (HAProxy's `httpchk`, nginx without
/// `proxy_http_version`), becomes one by HTTP/1.1 that asks for the connection to be closed. Used by one
/// thread.
final class OlderRequest {
    /// As much as a request line and header fields may have.
    private static final int MOST_BYTES = 24 * 1024 + 2;

    private static final String OLD = " HTTP/1.0";

    /// The host of a request that names none.
    static final String UNKNOWN_HOST = "unknown.invalid";

    private static final String NO_HOST = "Host: " + UNKNOWN_HOST + "\r\n";

    private byte[] held = {};

    /// Takes the next bytes. What it returns is for the server; nothing while more is needed to tell.
    byte[] take(byte[] bytes) {
        byte[] all = Arrays.copyOf(held, held.length + bytes.length);
        System.arraycopy(bytes, 0, all, held.length, bytes.length);
        int start = 0;
        while (start < all.length && (all[start] == '\r' || all[start] == '\n')) {
            start++;
        }
        held = start == 0 ? all : Arrays.copyOfRange(all, start, all.length);
        int line = indexOfLineEnd(held);
        if (held.length == 0 || (line < 0 && held.length < MOST_BYTES)) {
            return new byte[0];
        }
        if (line < 0 || !text(held, line).endsWith(OLD)) {
            return release();
        }
        int head = indexOfHeadEnd(held);
        if (head < 0) {
            return held.length < MOST_BYTES ? new byte[0] : release();
        }
        held = newer(held, line, head);
        return release();
    }

    /// What was held back when no more comes.
    byte[] release() {
        byte[] all = held;
        held = new byte[0];
        return all;
    }

    private static byte[] newer(byte[] bytes, int line, int head) {
        String request = text(bytes, line);
        StringBuilder out =
                new StringBuilder(request.substring(0, request.length() - 1)).append("1\r\nConnection: close\r\n");
        boolean host = false;
        String fields = new String(bytes, line, head - line, StandardCharsets.ISO_8859_1);
        for (int from = 0, end = 0; end < fields.length(); from = end + 2) {
            int next = fields.indexOf("\r\n", from);
            end = next < 0 ? fields.length() : next;
            String field = from < end ? fields.substring(from, end) : "";
            String name = TextForms.lowerCase(field.substring(0, Math.max(0, field.indexOf(':'))));
            host |= name.equals("host");
            if (!field.isEmpty() && !name.equals("connection") && !name.equals("keep-alive")) {
                out.append(field).append("\r\n");
            }
        }
        byte[] start =
                (host ? out : out.append(NO_HOST)).append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
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
