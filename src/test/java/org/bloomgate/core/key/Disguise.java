package org.bloomgate.core.key;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/// Writes `http://host/path[?query]` the way an attacker might, so that a browser still goes to the same place.
public final class Disguise {
    private Disguise() {}

    static String of(String url, Random random) {
        return margin(link(url, random), random);
    }

    /// The same as the value of an attribute: nothing around it.
    public static String link(String url, Random random) {
        int path = url.indexOf('/', 7);
        String host = path < 0 ? url.substring(7) : url.substring(7, path);
        String rest = path < 0 ? "" : url.substring(path);
        String disguised = scheme(random) + userinfo(random) + host(host, random) + port(random) + rest(rest, random);
        return withBreaks(disguised, random);
    }

    private static String scheme(Random random) {
        return pick(random, "http://", "https://", "HTTP:/", "hTTp:\\\\", "http:////", "ftp://", "//");
    }

    private static String userinfo(Random random) {
        return pick(random, "", "", "good.test@", "user:pass@", "good.test:80@", "a@b@");
    }

    private static String port(Random random) {
        return pick(random, "", "", ":", ":8080", ":65536");
    }

    private static String host(String host, Random random) {
        if (host.startsWith("192.0.2.") && random.nextBoolean()) {
            return address(Integer.parseInt(host.substring(8)), random);
        }
        StringBuilder out = new StringBuilder(pick(random, "", "", ".", ".."));
        for (String letter : letters(host)) {
            out.append(
                    switch (random.nextInt(8)) {
                        case 0 -> letter.toUpperCase(Locale.ROOT);
                        case 1 -> escaped(letter, random);
                        case 2 -> letter.equals(".") ? pick(random, "\u3002", "..", "\uff0e") : letter;
                        case 3 -> letter + pick(random, "\u200b", "\u00ad", "");
                        default -> letter;
                    });
        }
        return out.append(pick(random, "", "", ".", "...")).toString();
    }

    private static String address(int last, Random random) {
        long number = (192L << 24) + (2 << 8) + last;
        return switch (random.nextInt(5)) {
            case 0 -> Long.toString(number);
            case 1 -> "0x" + Long.toHexString(number);
            case 2 -> "0" + Long.toOctalString(number);
            case 3 -> "0xC0.0.0" + Integer.toOctalString(512 + last);
            default -> "[::ffff:192.0.2." + last + "]";
        };
    }

    private static String rest(String rest, Random random) {
        if (rest.isEmpty()) {
            return pick(random, "", "#f", "/", "/./", "\\");
        }
        StringBuilder out = new StringBuilder();
        boolean query = false;
        for (String letter : letters(rest)) {
            query |= letter.equals("?");
            boolean plain = letter.equals("?") || letter.equals("%") || random.nextInt(4) > 0;
            if (letter.equals("/") && !query) {
                out.append(pick(random, "/", "/", "//", "/./", "/gone/../", "\\"));
            } else {
                out.append(plain ? letter : escaped(letter, random));
            }
        }
        return out.append(pick(random, "", "#f")).toString();
    }

    private static List<String> letters(String text) {
        return text.chars().mapToObj(Character::toString).toList();
    }

    private static String escaped(String letter, Random random) {
        StringBuilder out = new StringBuilder();
        for (byte b : letter.getBytes(StandardCharsets.UTF_8)) {
            out.append(String.format(pick(random, "%%%02x", "%%%02X", "%%25%02x", "%%2525%02X"), b & 0xff));
        }
        return out.toString();
    }

    private static String withBreaks(String url, Random random) {
        if (random.nextInt(3) > 0) {
            return url;
        }
        int at = random.nextInt(url.length());
        boolean pair = at > 0 && Character.isSurrogate(url.charAt(at));
        return pair ? url : url.substring(0, at) + pick(random, "\t", "\r\n", "\n") + url.substring(at);
    }

    private static String margin(String url, Random random) {
        return switch (random.nextInt(5)) {
            case 0 -> "<" + url + ">";
            case 1 -> " \u00a0" + url + "\ufeff ";
            case 2 -> "\u201c" + url + "\u201d";
            default -> url;
        };
    }

    private static String pick(Random random, String... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
