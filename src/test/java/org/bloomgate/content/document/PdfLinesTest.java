package org.bloomgate.content.document;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A line of text whose glyphs are written by random operators, in random fonts, is read as a person reads it.
class PdfLinesTest {
    private static final String LINE = "see http://evil.example/office-fix now";
    private static final String PUNCTUATION = " :/.-";
    private static final List<String> NAMES = List.of("space", "colon", "slash", "period", "hyphen");
    private static final int PAGES = 40;

    enum Operators {
        ONE_STRING,
        OFFSETS,
        MOVED,
        PLACED,
        SHUFFLED,
        SHUFFLED_IN_TWO_STREAMS,
        FORMS
    }

    private record Glyph(String code, double x, double width) {}

    private final Random random = new Random(7);
    private final int[] widths = new int[256];
    private final StringBuilder differences = new StringBuilder();
    private final List<Glyph> glyphs = new ArrayList<>();
    private boolean blanks;

    @ParameterizedTest
    @EnumSource(Operators.class)
    void line_isReadHoweverItsGlyphsArePlaced(Operators operators) {
        for (int i = 0; i < PAGES; i++) {
            String pdf = page(operators);
            Found found = new Found();
            Pdf.read(pdf.getBytes(ISO_8859_1), pdf.length(), found);
            assertTrue(
                    found.texts.stream().flatMap(String::lines).anyMatch(LINE::equals), () -> pdf + "\n" + found.texts);
            assertTrue(found.limits.isEmpty());
        }
    }

    private String page(Operators operators) {
        place();
        List<String> parts = operators(operators);
        String matrix =
                List.of("1 0 0 1 0 0", "0 2 -2 0 300 10", ".24 0 0 -.24 0 792").get(random.nextInt(3));
        String pdf = "%PDF-1.7\n1 0 obj<</Type/Page/Resources<</Font<</F1 2 0 R>>/XObject<<"
                + IntStream.range(0, parts.size())
                        .mapToObj(i -> "/X" + i + " " + (10 + i) + " 0 R")
                        .collect(Collectors.joining())
                + ">>>>/Contents[" + (operators == Operators.FORMS ? "3 0 R" : references(parts.size())) + "]>>endobj\n"
                + "2 0 obj<</Subtype/Type1/FirstChar 0/Widths 4 0 R/Encoding 5 0 R>>endobj\n4 0 obj["
                + IntStream.of(widths).mapToObj(Integer::toString).collect(Collectors.joining(" "))
                + "]endobj\n5 0 obj<</Differences[" + differences + "]>>endobj\n"
                + stream(
                        3,
                        "<<",
                        IntStream.range(0, parts.size())
                                .mapToObj(i -> "/X" + i + " Do\n")
                                .collect(Collectors.joining()));
        for (int i = 0; i < parts.size(); i++) {
            String start = i == 0 || operators == Operators.FORMS ? matrix + " cm\n" : "";
            pdf += stream(10 + i, operators == Operators.FORMS ? "<</Subtype/Form" : "<<", start + parts.get(i));
        }
        return pdf;
    }

    private static String references(int parts) {
        return IntStream.range(0, parts).mapToObj(i -> 10 + i + " 0 R ").collect(Collectors.joining());
    }

    private static String stream(int object, String dictionary, String content) {
        return object + " 0 obj" + dictionary + "/Length " + content.length() + ">>stream\n" + content
                + "\nendstream endobj\n";
    }

    /// Gives the characters random codes and widths, and the glyphs their places. A blank may be a gap only.
    private void place() {
        List<Integer> codes =
                new ArrayList<>(IntStream.range('A', 'A' + 60).boxed().toList());
        Collections.shuffle(codes, random);
        String characters =
                LINE.chars().distinct().mapToObj(Character::toString).collect(Collectors.joining());
        glyphs.clear();
        differences.setLength(0);
        for (int i = 0; i < characters.length(); i++) {
            int known = PUNCTUATION.indexOf(characters.charAt(i));
            widths[codes.get(i)] = 250 + random.nextInt(500);
            differences
                    .append(codes.get(i))
                    .append(" /")
                    .append(known < 0 ? characters.substring(i, i + 1) : NAMES.get(known))
                    .append(' ');
        }
        int ligature = codes.get(characters.length());
        widths[ligature] = 500;
        differences.append(ligature).append(" /f_i ");
        blanks = random.nextBoolean();
        double x = 0;
        for (int i = 0; i < LINE.length(); i++) {
            boolean both = LINE.startsWith("fi", i) && random.nextBoolean();
            int code = both ? ligature : codes.get(characters.indexOf(LINE.charAt(i)));
            double width = widths[code] / 1000.0;
            if (blanks || LINE.charAt(i) != ' ') {
                glyphs.add(new Glyph("<%02x>".formatted(code), x, width));
            }
            x += Math.max(width, LINE.charAt(i) == ' ' ? 0.25 : 0) + random.nextDouble(0.08);
            i += both ? 1 : 0;
        }
    }

    private List<String> operators(Operators operators) {
        List<Glyph> order = new ArrayList<>(glyphs);
        if (operators == Operators.SHUFFLED
                || operators == Operators.SHUFFLED_IN_TWO_STREAMS
                || operators == Operators.FORMS) {
            Collections.shuffle(order, random);
        }
        StringBuilder text = new StringBuilder("BT /F1 12 Tf 72 700 Td ");
        List<String> parts = new ArrayList<>();
        double x = 0;
        switch (operators) {
            case ONE_STRING, OFFSETS -> {
                text.append('[');
                for (Glyph glyph : order) {
                    boolean near = operators == Operators.ONE_STRING && Math.abs(glyph.x - x) < 0.1;
                    text.append(near ? "" : String.format(Locale.ROOT, "%.3f ", (x - glyph.x) * 1000))
                            .append(glyph.code);
                    x = (near ? x : glyph.x) + glyph.width;
                }
                text.append("]TJ");
            }
            case MOVED -> {
                for (Glyph glyph : order) {
                    text.append(String.format(Locale.ROOT, "%.3f 0 Td %s Tj ", (glyph.x - x) * 12, glyph.code));
                    x = glyph.x;
                }
            }
            case PLACED, SHUFFLED, SHUFFLED_IN_TWO_STREAMS, FORMS -> {
                for (Glyph glyph : order) {
                    int before = order.indexOf(glyph);
                    boolean half = operators == Operators.SHUFFLED_IN_TWO_STREAMS && before == 20;
                    if (half || (operators == Operators.FORMS && before > 0)) {
                        parts.add(text + " ET");
                        text.setLength(0);
                        text.append("BT /F1 12 Tf ");
                    }
                    text.append(String.format(
                            Locale.ROOT, "12 0 0 12 %.3f 700 Tm /F1 1 Tf %s Tj ", 72 + glyph.x * 12, glyph.code));
                }
            }
        }
        parts.add(text + " ET");
        return parts;
    }
}
