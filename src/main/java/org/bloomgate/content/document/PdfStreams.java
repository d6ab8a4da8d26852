package org.bloomgate.content.document;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.bloomgate.content.archive.Inflation;
import org.bloomgate.core.limit.Limit;

/// Decodes the content of streams (ISO 32000-1, 7.4): Flate, hexadecimal and base 85, in any order. Other
/// filters are the limit `pdfDamaged`.
final class PdfStreams {
    /// Streams that are decoded in one PDF: the limit `pdfInflated`.
    static final int MAX_STREAMS = 64;

    /// Decoded bytes of one stream: the limit `pdfInflated`.
    static final int MAX_STREAM_BYTES = 4 * 1024 * 1024;

    /// Decoded bytes of all streams of one PDF, of each filter: the limit `pdfInflated`. All PDFs of a message have
    /// [org.bloomgate.core.limit.Allowance#MAX_PDF_BYTES].
    static final int MAX_INFLATED_BYTES = 16 * 1024 * 1024;

    private static final Set<String> SHORT_FILTERS = Set.of("Fl", "AHx", "A85", "LZW", "RL", "Crypt");

    /// Base-85 digits for four bytes.
    private static final int DIGITS_OF_GROUP = 5;

    private static final byte[] NOTHING = new byte[0];
    private final LinkSink finds;
    private final int mostOfOne;
    private final int mostStreams;
    private int streams;
    private int taken;

    PdfStreams(LinkSink finds) {
        this(finds, MAX_STREAM_BYTES);
    }

    /// @param mostOfOne decoded bytes of one stream
    PdfStreams(LinkSink finds, int mostOfOne) {
        this(finds, mostOfOne, MAX_STREAMS);
    }

    /// @param mostStreams number of streams that are decoded
    PdfStreams(LinkSink finds, int mostOfOne, int mostStreams) {
        this.finds = finds;
        this.mostOfOne = mostOfOne;
        this.mostStreams = mostStreams;
    }

    private static boolean isFlate(String filter) {
        return filter.equals("FlateDecode") || filter.equals("Fl");
    }

    /// Whether the name is that of a filter.
    static boolean isFilter(String name) {
        return name.endsWith("Decode") || SHORT_FILTERS.contains(name);
    }

    /// Decodes a stream; empty if it cannot be decoded, or no further stream may be.
    byte[] decode(byte[] pdf, int from, int to, List<String> filters) {
        return decode(pdf, from, to, filters, PdfPrediction.NONE);
    }

    /// The same for a stream whose rows are predicted.
    byte[] decode(byte[] pdf, int from, int to, List<String> filters, PdfPrediction prediction) {
        boolean hasRoom = streams < mostStreams && taken < MAX_INFLATED_BYTES;
        if (!hasRoom || !finds.allowance().has(Limit.PDF_INFLATED)) {
            finds.reached(Limit.PDF_INFLATED);
            return NOTHING;
        }
        streams++;
        boolean unnamed = filters.isEmpty() && to > from && pdf[from] == 0x78;
        List<String> by = unnamed ? List.of("Fl") : filters;
        byte[] bytes = pdf;
        int start = from;
        int end = to;
        int packed = 0;
        for (String filter : by) {
            bytes = decode(bytes, start, end, filter);
            if (isFlate(filter)) {
                bytes = prediction.undo(bytes, ++packed, finds);
            }
            start = 0;
            end = bytes.length;
            count(bytes);
        }
        return by.isEmpty() ? count(copy(pdf, from, to)) : bytes;
    }

    private byte[] count(byte[] decoded) {
        taken += decoded.length;
        finds.allowance().draw(Limit.PDF_INFLATED, decoded.length);
        return decoded;
    }

    private byte[] copy(byte[] pdf, int from, int to) {
        if (to - from > mostOfOne) {
            finds.reached(Limit.PDF_INFLATED);
        }
        int end = Math.min(to, from + mostOfOne);
        return paid(end - from) ? Arrays.copyOfRange(pdf, from, end) : NOTHING;
    }

    private byte[] decode(byte[] bytes, int from, int to, String filter) {
        return switch (filter) {
            case "FlateDecode", "Fl" -> inflate(bytes, from, to);
            case "ASCIIHexDecode", "AHx" -> finds.spend(to - from) ? hexadecimal(bytes, from, to) : NOTHING;
            case "ASCII85Decode", "A85" -> finds.spend(to - from) ? base85(bytes, from, to) : NOTHING;
            default -> {
                finds.reached(Limit.PDF_DAMAGED);
                yield NOTHING;
            }
        };
    }

    private byte[] inflate(byte[] bytes, int from, int to) {
        try (Inflation inflation =
                new Inflation(bytes, from, to, false, finds::spendUnpacked, finds.allowance(), Limit.PDF_INFLATED)) {
            inflation.readTo(mostOfOne);
            if (!inflation.finished() && !inflation.refused()) {
                finds.reached(inflation.length() >= mostOfOne ? Limit.PDF_INFLATED : Limit.PDF_DAMAGED);
            }
            return paid(inflation.length()) ? Arrays.copyOf(inflation.bytes(), inflation.length()) : NOTHING;
        }
    }

    /// Takes heap, which the caller gives back.
    private boolean paid(long bytes) {
        return finds.allowance().takeHeap(Limit.PDF_INFLATED, bytes);
    }

    private byte[] hexadecimal(byte[] bytes, int from, int to) {
        if (!paid(to - from + 2)) {
            return NOTHING;
        }
        byte[] decoded = new byte[(to - from) / 2 + 1];
        int digits = 0;
        for (int i = from; i < to && bytes[i] != '>'; i++) {
            int digit = bytes[i] < 0 ? -1 : Character.digit(bytes[i], 16);
            if (digit >= 0) {
                decoded[digits / 2] |= (byte) (digits % 2 == 0 ? digit << 4 : digit);
                digits++;
            }
        }
        return Arrays.copyOf(decoded, (digits + 1) / 2);
    }

    private byte[] base85(byte[] bytes, int from, int to) {
        long zeros = 0;
        for (int i = from; i < to; i++) {
            zeros += bytes[i] == 'z' ? 1 : 0;
        }
        long most = zeros * 4 + (to - from - zeros) * 4 / DIGITS_OF_GROUP + 4;
        if (!paid(2 * most)) {
            return NOTHING;
        }
        byte[] decoded = new byte[(int) most];
        int length = 0;
        int digits = 0;
        long group = 0;
        for (int i = from; i < to && bytes[i] != '~'; i++) {
            byte c = bytes[i];
            if (c == 'z' && digits == 0) {
                length += 4;
            } else if (c >= '!' && c <= 'u') {
                group = group * 85 + c - '!';
                digits++;
            }
            if (digits == DIGITS_OF_GROUP) {
                length = group(group, 4, decoded, length);
                digits = 0;
                group = 0;
            }
        }
        if (digits > 1) {
            for (int i = digits; i < DIGITS_OF_GROUP; i++) {
                group = group * 85 + 84;
            }
            length = group(group, digits - 1, decoded, length);
        }
        return Arrays.copyOf(decoded, length);
    }

    private static int group(long group, int bytes, byte[] decoded, int at) {
        for (int i = 0; i < bytes; i++) {
            decoded[at + i] = (byte) (group >> (24 - 8 * i));
        }
        return at + bytes;
    }
}
