package org.bloomgate.core.key;

import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Values drawn at random for properties.
public final class Drawn {
    private static final String NAME_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";

    private Drawn() {}

    /// `http://host[/path][?query]`: a name, one below a public suffix of two labels, one beyond ASCII, an address.
    public static String url(Random random) {
        String name = name(random);
        String host = switch (random.nextInt(4)) {
            case 0 -> name + ".example";
            case 1 -> name + "." + name(random) + ".co.uk";
            case 2 -> "b\u00fccher-" + name + ".example";
            default -> "192.0.2." + (1 + random.nextInt(254));
        };
        return "http://" + host + of(random, "", "/", "/a", "/a/b.html", "/A/b/?q=1", "/?q=a b", "/x%25y", "/\u00e9");
    }

    /// A label of a host or a local part: two to nine letters and digits, a letter first.
    public static String name(Random random) {
        return "n" + text(1 + random.nextInt(8), () -> letter(NAME_LETTERS, random));
    }

    /// One letter of the alphabet.
    public static String letter(String alphabet, Random random) {
        int at = random.nextInt(alphabet.length());
        return alphabet.substring(at, at + 1);
    }

    /// `pieces` of them, one after the other.
    public static String text(int pieces, Supplier<String> piece) {
        return Stream.generate(piece).limit(pieces).collect(Collectors.joining());
    }

    public static byte[] bytes(int length, Random random) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    public static String of(Random random, String... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
