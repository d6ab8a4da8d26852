package org.bloomgate.decision.evaluation;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bloomgate.content.archive.Zips;

/// A line of `limits/cases.tsv`, whose head says what it is made of.
///
/// @param limit what the message beyond the bound names, `-` for none
record LimitCase(String what, String limit, String form, String at, String beyond, String recipe) {
    private static final Path CASES = Path.of("src/test/resources/limits/cases.tsv");
    private static final char DOLLAR = '\ue024';
    private static final Pattern ESCAPE = Pattern.compile("\\\\(n|x([0-9a-f]{2})|.)");

    static List<LimitCase> all() {
        List<LimitCase> all = new ArrayList<>();
        try {
            for (String line : Files.readAllLines(CASES)) {
                String[] row = line.split("\t", -1);
                if (!line.startsWith("#")) {
                    all.add(new LimitCase(row[0], row[1], row[2], row[3], row[4], row[5]));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return all;
    }

    boolean isBound() {
        return !limit.equals("-");
    }

    byte[] messageAt() {
        return message(Integer.parseInt(at));
    }

    byte[] messageBeyond() {
        return message(Integer.parseInt(beyond));
    }

    private byte[] message(int number) {
        String content = written(unescaped(recipe), number).replace(DOLLAR, '$');
        int colon = form.indexOf(':');
        String name = form.substring(colon + 1);
        return switch (colon < 0 ? form : form.substring(0, colon)) {
            case "raw" -> bytes(content);
            case "html" -> bytes("Content-Type: text/html\r\n\r\n" + content);
            case "file" -> attached(name, bytes(content));
            case "zip" -> attached("x.zip", Zips.deflated(name, content));
            case "zips" -> attached("x.zip", nested(name, content, number));
            case "members" -> attached("x.zip", members(name, content, number));
            case "zipcat" -> attached("x.zip", repeated(Zips.deflated(name, content), number + 1));
            default -> throw new IllegalArgumentException(form);
        };
    }

    private static String unescaped(String recipe) {
        return ESCAPE.matcher(recipe).replaceAll(escape -> Matcher.quoteReplacement(character(escape.group(1))));
    }

    /// A byte that would mean something in a recipe is put aside.
    private static String character(String escape) {
        if (escape.startsWith("x")) {
            char c = (char) Integer.parseInt(escape.substring(1), 16);
            return String.valueOf(c == '$' ? DOLLAR : c);
        }
        return escape.equals("n") ? "\r\n" : escape;
    }

    private static String written(String recipe, int number) {
        StringBuilder text = new StringBuilder();
        int i = 0;
        while (i < recipe.length()) {
            char c = recipe.charAt(i);
            if (c == '⟦') {
                int end = behind(recipe, i);
                repeat(recipe.substring(i + 1, end - 1), number, text);
                i = end;
            } else {
                text.append(c == '$' ? String.valueOf(number) : String.valueOf(c));
                i++;
            }
        }
        return text.toString();
    }

    private static int behind(String recipe, int from) {
        int open = 0;
        int i = from;
        do {
            open += recipe.charAt(i) == '⟦' ? 1 : recipe.charAt(i) == '⟧' ? -1 : 0;
            i++;
        } while (open > 0);
        return i;
    }

    private static void repeat(String counted, int number, StringBuilder text) {
        int star = counted.indexOf('*');
        String count = counted.substring(0, star);
        String body = counted.substring(star + 1);
        int times = count.equals("$") ? number : Integer.parseInt(count);
        String same = body.contains("#") ? "" : written(body, number);
        for (int i = 0; i < times; i++) {
            text.append(same.isEmpty() ? written(numbered(body, i), number) : same);
        }
    }

    private static String numbered(String body, int i) {
        return body.replace("#+", String.valueOf(i + 1)).replace("#", String.valueOf(i));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] attached(String name, byte[] content) {
        return bytes("Content-Type: application/octet-stream; name=" + name
                + "\r\nContent-Transfer-Encoding: base64\r\n\r\n"
                + Base64.getMimeEncoder().encodeToString(content) + "\r\n");
    }

    private static byte[] nested(String name, String content, int zips) {
        byte[] zip = Zips.deflated(name, content);
        for (int i = 1; i < zips; i++) {
            zip = Zips.deflated("x.zip", new String(zip, StandardCharsets.ISO_8859_1));
        }
        return zip;
    }

    private static byte[] members(String suffix, String content, int members) {
        List<String> namesAndTexts = new ArrayList<>();
        for (int i = 0; i < members; i++) {
            Collections.addAll(namesAndTexts, i + "." + suffix, numbered(content, i));
        }
        return Zips.deflated(namesAndTexts.toArray(String[]::new));
    }

    private static byte[] repeated(byte[] zip, int times) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int i = 0; i < times; i++) {
            all.writeBytes(zip);
        }
        return all.toByteArray();
    }

    @Override
    public String toString() {
        return limit + ": " + what;
    }
}
