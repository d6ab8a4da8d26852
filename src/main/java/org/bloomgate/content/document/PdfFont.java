package org.bloomgate.content.document;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.bloomgate.content.document.PdfObjects.Value;
import org.bloomgate.content.document.PdfTokens.Kind;
import org.bloomgate.core.limit.Limit;

/// The text and the widths of a font's codes (ISO 32000-1, 9.6 to 9.10). The text of a code is that of its
/// ToUnicode map; otherwise of a simple font that of the glyph's name or of the encoding, and of a composite font
/// that of a predefined map, if that is a charset of Java. Composite fonts without any of these are the limit
/// `pdfFonts`.
final class PdfFont {
    /// For text in a font that is not in the file.
    static final PdfFont PLAIN = new PdfFont();

    /// Heap for a range of widths or the text of a code.
    private static final int BYTES_OF_ENTRY = 96;

    /// Widths of the characters from blank to tilde in Helvetica and Times, which need no widths in the file. A
    /// char is as many twentieths of a thousandth of the size wide as it is above `0`.
    private static final String HELVETICA =
            ">>BLL\\Q:AACM>A>>LLLLLLLLLL>>MMMLcQQTTQOWT>IQLZTWQWTQOTQ_QQO>>>GLALLILL>LL;;I;ZLLLLAI>LITIIIA=AM";

    private static final String TIMES =
            "<ADIIZW9AAIL<A<>IIIIIIIIII>>LLLF^TQQTOLTTACTO\\TTLTQLOTT_TTOA>AGIAFIFIFAII>>I>WIIIIAC>IITIIFH:HK";

    private static final double COURIER = 0.6;

    private static final int LAST_OF_SIMPLE = 255;

    private final Map<Integer, String> names = new HashMap<>();
    private final TreeMap<Integer, Width> widths = new TreeMap<>();
    private final String[] texts = new String[LAST_OF_SIMPLE + 1];
    private Map<String, Value> procedures = Map.of();
    private PdfCharacters characters = PdfCharacters.NONE;
    private Charset charset = StandardCharsets.ISO_8859_1;
    private String standard = HELVETICA;
    private boolean composite;
    private boolean predefined;
    private double unit = 0.001;
    private double otherwise = -1;

    private record Width(int last, double width) {}

    private PdfFont() {}

    static PdfFont of(PdfObjects objects, Map<String, Value> font) {
        PdfFont read = new PdfFont();
        String base = objects.name(value(font, "BaseFont"));
        read.standard = base.contains("Times") ? TIMES : base.contains("Courier") ? "" : HELVETICA;
        read.composite = objects.name(value(font, "Subtype")).equals("Type0");
        if (font.containsKey("ToUnicode")) {
            read.characters = objects.characters(value(font, "ToUnicode"));
        }
        Value encoding = value(font, "Encoding");
        if (read.composite) {
            Map<String, Value> descendant = objects.entries(objects.first(value(font, "DescendantFonts")));
            read.otherwise = objects.number(value(descendant, "DW"), 1000);
            read.composite(objects.name(encoding));
            read.widthsOfRanges(objects.array(value(descendant, "W")), objects.finds());
        } else {
            read.simple(objects, font, encoding);
        }
        return read;
    }

    private static Value value(Map<String, Value> dictionary, String key) {
        return dictionary.getOrDefault(key, PdfObjects.NOTHING);
    }

    /// Predefined maps from codes to characters (9.7.5.2) are charsets by other names; `Identity` is none.
    private void composite(String encoding) {
        String by = encoding.contains("UCS2") || encoding.contains("UTF16")
                ? "UTF-16BE"
                : encoding.contains("RKSJ")
                        ? "windows-31j"
                        : encoding.startsWith("GB")
                                ? "GB18030"
                                : encoding.contains("B5")
                                        ? "Big5-HKSCS"
                                        : encoding.startsWith("KSC")
                                                ? "x-windows-949"
                                                : encoding.startsWith("EUC") ? "EUC-JP" : "";
        predefined = !by.isEmpty() && Charset.isSupported(by);
        charset = predefined ? Charset.forName(by) : charset;
    }

    private void simple(PdfObjects objects, Map<String, Value> font, Value encoding) {
        Map<String, Value> dictionary = objects.entries(encoding);
        String base = objects.name(dictionary.isEmpty() ? encoding : value(dictionary, "BaseEncoding"));
        switch (base) {
            case "MacRomanEncoding" -> charset = Charset.forName("x-MacRoman");
            case "WinAnsiEncoding" -> charset = Charset.forName("windows-1252");
            default -> {
                names.put(0xAE, "fi");
                names.put(0xAF, "fl");
            }
        }
        PdfTokens differences = objects.array(value(dictionary, "Differences"));
        int code = 0;
        for (Kind kind = differences.next(); kind == Kind.NAME || kind == Kind.NUMBER; kind = differences.next()) {
            if (kind == Kind.NUMBER) {
                code = (int) differences.number();
            } else {
                names.put(code++ & LAST_OF_SIMPLE, differences.text());
            }
        }
        if (objects.name(value(font, "Subtype")).equals("Type3")) {
            unit = Math.abs(objects.number(objects.first(value(font, "FontMatrix")), unit));
            procedures = objects.entries(value(font, "CharProcs"));
        }
        int first = (int) objects.number(value(font, "FirstChar"), 0);
        PdfTokens array = objects.array(value(font, "Widths"));
        while (array.next() == Kind.NUMBER && first <= LAST_OF_SIMPLE) {
            widths.put(first, new Width(first, array.number()));
            first++;
        }
    }

    /// Reads the widths of a composite font (9.7.4.3): `first [width ...]` and `first last width`.
    private void widthsOfRanges(PdfTokens array, LinkSink finds) {
        double[] numbers = new double[3];
        int count = 0;
        boolean inside = false;
        for (Kind kind = array.next(); kind != Kind.END && (inside || kind != Kind.END_OF_ARRAY); kind = array.next()) {
            if (kind == Kind.NUMBER && inside) {
                put((int) numbers[0], (int) numbers[0], array.number(), finds);
                numbers[0]++;
            } else if (kind == Kind.NUMBER) {
                numbers[count++] = array.number();
                if (count == numbers.length) {
                    put((int) numbers[0], (int) numbers[1], numbers[2], finds);
                    count = 0;
                }
            } else {
                inside = kind == Kind.ARRAY;
                count = 0;
            }
        }
    }

    private void put(int first, int last, double width, LinkSink finds) {
        if (finds.allowance().takeHeap(Limit.PDF_FONTS, BYTES_OF_ENTRY)) {
            widths.put(first, new Width(last, width));
        }
    }

    /// The number of bytes of the code at this position.
    int bytes(byte[] codes, int at) {
        boolean wide = composite
                && at + 1 < codes.length
                && (predefined ? StandardCharsets.UTF_16BE.equals(charset) || codes[at] < 0 : characters.bytes() == 2);
        return wide ? 2 : 1;
    }

    /// The advance of a code, as a multiple of the font size.
    double width(int code) {
        Map.Entry<Integer, Width> known = widths.floorEntry(code);
        if (known != null && code <= known.getValue().last()) {
            return known.getValue().width() * unit;
        } else if (otherwise >= 0) {
            return otherwise * unit;
        }
        String text = text(code);
        int at = text.isEmpty() ? 0 : text.charAt(0) - ' ';
        return standard.isEmpty()
                ? COURIER
                : at >= 0 && at < standard.length() ? (standard.charAt(at) - '0') / 50.0 : 0.5;
    }

    /// Whether the text of codes is not known.
    boolean isUnread() {
        return composite && characters.size() == 0 && !predefined;
    }

    /// The text of a code; empty if it has none.
    String text(int code) {
        if (composite) {
            return ofComposite(code);
        }
        if (texts[code] == null) {
            texts[code] = ofSimple(code);
        }
        return texts[code];
    }

    private String ofComposite(int code) {
        String mapped = characters.text(code);
        if (!mapped.isEmpty()) {
            return mapped;
        } else if (predefined) {
            boolean wide = code > LAST_OF_SIMPLE || StandardCharsets.UTF_16BE.equals(charset);
            return new String(wide ? new byte[] {(byte) (code >> 8), (byte) code} : new byte[] {(byte) code}, charset);
        }
        return "";
    }

    private String ofSimple(int code) {
        String mapped = characters.text(code);
        String named = mapped.isEmpty() ? GlyphNames.text(names.getOrDefault(code, "")) : mapped;
        return named.isEmpty() && code >= ' ' ? new String(new byte[] {(byte) code}, charset) : named;
    }

    /// The content stream that draws a code of a Type 3 font.
    Optional<Value> procedure(int code) {
        return Optional.ofNullable(procedures.get(names.getOrDefault(code, "")));
    }
}
