package org.bloomgate.message;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.bloomgate.key.Place;

/// Link annotations of a PDF: `/URI (..)` wherever it stands, and inside compressed object streams. No structure of
/// the file is trusted or needed.
final class PdfLinks {
    /// Octets of one PDF that are read.
    static final int MAX_OCTETS = 8 * 1024 * 1024;

    /// Compressed streams opened in one PDF, octets taken out of one of them, and out of all.
    static final int MAX_STREAMS = 64;

    static final int MAX_STREAM_OCTETS = 4 * 1024 * 1024;
    static final int MAX_INFLATED_OCTETS = 16 * 1024 * 1024;

    private static final byte[] URI = "/URI".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] STREAM = "stream".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] OBJECT_STREAM = "/ObjStm".getBytes(StandardCharsets.US_ASCII);

    /// The dictionary of a stream stands at most so far before it.
    private static final int DICTIONARY_OCTETS = 512;

    private static final int MAX_URI_CHARS = 2048;

    private final KeyExtractor keys;
    private int streams;
    private int inflated;

    private PdfLinks(KeyExtractor keys) {
        this.keys = keys;
    }

    static void read(byte[] pdf, int length, KeyExtractor keys) {
        PdfLinks links = new PdfLinks(keys);
        links.uris(pdf, length);
        links.streams(pdf, length);
    }

    private void uris(byte[] octets, int length) {
        int i = indexOf(octets, length, URI, 0);
        while (i >= 0 && keys.budget().spend(URI.length)) {
            int value = i + URI.length;
            while (value < length && octets[value] <= ' ' && octets[value] >= 0) {
                value++;
            }
            if (value < length && octets[value] == '(') {
                literal(octets, value + 1, length);
            } else if (value < length && octets[value] == '<') {
                hexadecimal(octets, value + 1, length);
            }
            i = indexOf(octets, length, URI, value);
        }
    }

    /// A literal string (ISO 32000-1, 7.3.4.2): balanced parentheses, backslash escapes, octal codes.
    private void literal(byte[] octets, int from, int length) {
        StringBuilder uri = new StringBuilder();
        int open = 1;
        int i = from;
        while (i < length && uri.length() < MAX_URI_CHARS) {
            char c = (char) (octets[i++] & 0xff);
            if (c == '\\' && i < length) {
                i = escape(octets, i, length, uri);
                continue;
            }
            open += c == '(' ? 1 : c == ')' ? -1 : 0;
            if (open == 0) {
                break;
            }
            uri.append(c);
        }
        found(uri);
    }

    private static int escape(byte[] octets, int from, int length, StringBuilder uri) {
        int code = 0;
        int i = from;
        while (i < length && i < from + 3 && octets[i] >= '0' && octets[i] <= '7') {
            code = code * 8 + octets[i++] - '0';
        }
        if (i > from) {
            uri.append((char) (code & 0xff));
            return i;
        }
        char c = (char) (octets[i] & 0xff);
        if (c != '\n' && c != '\r') {
            uri.append(c);
        }
        return i + 1;
    }

    private void hexadecimal(byte[] octets, int from, int length) {
        StringBuilder uri = new StringBuilder();
        int high = -1;
        for (int i = from; i < length && uri.length() < MAX_URI_CHARS; i++) {
            int digit = octets[i] < 0 ? -1 : Character.digit(octets[i], 16);
            if (digit < 0 && octets[i] > ' ') {
                break;
            }
            if (digit >= 0 && high >= 0) {
                uri.append((char) (high * 16 + digit));
                high = -1;
            } else if (digit >= 0) {
                high = digit;
            }
        }
        found(uri);
    }

    /// Octets are UTF-8 in practice, or UTF-16 with a mark, whose zeros are left out.
    private void found(StringBuilder octets) {
        if (octets.isEmpty()) {
            return;
        }
        byte[] bytes = octets.toString().replace("\0", "").getBytes(StandardCharsets.ISO_8859_1);
        String uri = new String(bytes, StandardCharsets.UTF_8)
                .replaceFirst("^\uFFFD+", "")
                .strip();
        if (uri.regionMatches(true, 0, "mailto:", 0, 7)) {
            keys.address(uri, Place.PDF);
        } else {
            keys.url(uri, Place.PDF);
        }
    }

    private void streams(byte[] pdf, int length) {
        int i = indexOf(pdf, length, STREAM, 0);
        while (i >= 0 && !keys.budget().exhausted()) {
            int content = i + STREAM.length;
            if (content < length && pdf[content] == '\r') {
                content++;
            }
            if (content < length
                    && pdf[content] == '\n'
                    && holdsObjects(pdf, i)
                    && !inflate(pdf, content + 1, length)) {
                return;
            }
            i = indexOf(pdf, length, STREAM, content);
        }
    }

    private static boolean holdsObjects(byte[] pdf, int stream) {
        int from = Math.max(0, stream - DICTIONARY_OCTETS);
        return indexOf(pdf, stream, OBJECT_STREAM, from) >= 0;
    }

    /// False when no further stream may be opened.
    private boolean inflate(byte[] pdf, int from, int length) {
        if (streams == MAX_STREAMS || inflated >= MAX_INFLATED_OCTETS) {
            keys.budget().reached("pdfInflated");
            return false;
        }
        streams++;
        byte[] objects = new byte[64 * 1024];
        int taken = 0;
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(pdf, from, length - from);
            while (!inflater.finished() && !inflater.needsInput() && taken < MAX_STREAM_OCTETS) {
                if (taken == objects.length) {
                    objects = Arrays.copyOf(objects, taken * 4);
                }
                int more = inflater.inflate(objects, taken, objects.length - taken);
                if (more == 0 && inflater.needsDictionary()) {
                    break;
                }
                taken += more;
                keys.budget().spend(more);
            }
            if (!inflater.finished() && taken >= MAX_STREAM_OCTETS) {
                keys.budget().reached("pdfInflated");
            }
        } catch (DataFormatException damaged) {
            keys.budget().reached("pdfDamaged");
        } finally {
            inflater.end();
        }
        inflated += taken;
        uris(objects, taken);
        return true;
    }

    private static int indexOf(byte[] octets, int length, byte[] word, int from) {
        for (int i = from; i + word.length <= length; i++) {
            if (octets[i] == word[0] && matches(octets, i, word)) {
                return i;
            }
        }
        return -1;
    }

    private static boolean matches(byte[] octets, int at, byte[] word) {
        for (int i = 1; i < word.length; i++) {
            if (octets[at + i] != word[i]) {
                return false;
            }
        }
        return true;
    }
}
