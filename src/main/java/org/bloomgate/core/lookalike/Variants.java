package org.bloomgate.core.lookalike;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.bloomgate.core.text.TextScan;

/// Generates the variants of a label that can be mistaken for it, by the classes of dnstwist, in the order of
/// [Trick]. Letters of other scripts are not tried one by one, because [Skeleton] maps them to Latin ones.
///
/// A label of n letters has some 60 n variants with one step; the number with two replaced glyphs is the square
/// of that with one.
final class Variants {
    private static final String LETTERS_AND_DIGITS = "abcdefghijklmnopqrstuvwxyz0123456789";
    private static final String VOWELS = "aeiou";
    private static final int BITS = 7;

    /// ASCII forms that a letter resembles, except those with the same [Skeleton].
    private static final Map<Character, List<String>> GLYPHS = Map.ofEntries(
            Map.entry('0', List.of("o")),
            Map.entry('1', List.of("i", "l")),
            Map.entry('3', List.of("8")),
            Map.entry('6', List.of("9")),
            Map.entry('8', List.of("3")),
            Map.entry('9', List.of("6")),
            Map.entry('b', List.of("d", "lb")),
            Map.entry('c', List.of("e")),
            Map.entry('d', List.of("b", "cl", "dl")),
            Map.entry('e', List.of("c")),
            Map.entry('g', List.of("q")),
            Map.entry('h', List.of("lh", "l", "h")),
            Map.entry('i', List.of("1", "l")),
            Map.entry('k', List.of("lk", "ik", "lc", "l", "c")),
            Map.entry('l', List.of("1", "i")),
            Map.entry('m', List.of("n", "nn", "rn", "rr")),
            Map.entry('n', List.of("m", "r")),
            Map.entry('o', List.of("0")),
            Map.entry('q', List.of("g")),
            Map.entry('u', List.of("v")),
            Map.entry('v', List.of("u")),
            Map.entry('w', List.of("vv", "v")));

    /// Words that phishing sites combine with the name of a brand.
    static final List<String> WORDS = TextScan.split(
            "access account accounts admin agree alert app auth bank billing business center centre check claim client"
                    + " cloud confirm confirmation connect contact customer delivery desk document documents"
                    + " download email enroll gift help helpdesk https identity info invoice login logon mail"
                    + " message mobile my notice notification office official online order pass password pay"
                    + " payment payments portal prize profile promo recover recovery refund register renew"
                    + " reset reward rewards safe safety secure secured security server service services"
                    + " shipping signin signup sso ssl status store summary support survey system team ticket"
                    + " track tracking transfer unlock update updates upgrade user validate validation verify"
                    + " verification view wallet web webmail win www",
            c -> c == ' ');

    /// Words that are also combined without a hyphen; the owners of brands use the others themselves.
    static final List<String> GLUED = List.of(
            "account",
            "accounts",
            "http",
            "https",
            "password",
            "recovery",
            "secure",
            "secured",
            "signin",
            "unlock",
            "update",
            "validation",
            "verify",
            "verification",
            "wallet",
            "ww",
            "www");

    private final String label;
    private final BiConsumer<Trick, String> sink;

    private Variants(String label, BiConsumer<Trick, String> sink) {
        this.label = label;
        this.sink = sink;
    }

    /// Passes on the variants that count under the same suffix. Some are passed on twice, and some are the
    /// label itself.
    static void each(String label, BiConsumer<Trick, String> sink) {
        Variants variants = new Variants(label, sink);
        variants.replaced();
        variants.movedOrLost();
        variants.added();
        variants.words("", GLUED);
        variants.twoGlyphs();
    }

    /// Passes on the variants that count under any suffix.
    static void anywhere(String label, BiConsumer<Trick, String> sink) {
        new Variants(label, sink).words("-", WORDS);
    }

    private void replaced() {
        for (String one : glyphs(label)) {
            sink.accept(Trick.HOMOGLYPH, one);
        }
        for (int i = 0; i < label.length(); i++) {
            for (int bit = 0; bit < BITS; bit++) {
                char other = (char) (label.charAt(i) ^ (1 << bit));
                if (LETTERS_AND_DIGITS.indexOf(other) >= 0 || other == '-') {
                    put(Trick.BITSQUATTING, i, i + 1, other);
                }
            }
        }
    }

    private void movedOrLost() {
        for (int i = 0; i + 1 < label.length(); i++) {
            sink.accept(
                    Trick.TRANSPOSITION,
                    label.substring(0, i) + label.charAt(i + 1) + label.charAt(i) + label.substring(i + 2));
        }
        for (int i = 0; i < label.length(); i++) {
            sink.accept(Trick.OMISSION, label.substring(0, i) + label.substring(i + 1));
        }
        sink.accept(Trick.OMISSION, withoutRepeats());
    }

    private String withoutRepeats() {
        StringBuilder once = new StringBuilder();
        for (int i = 0; i < label.length(); i++) {
            once.append(i > 0 && label.charAt(i) == label.charAt(i - 1) ? "" : label.substring(i, i + 1));
        }
        return once.toString();
    }

    private void added() {
        for (int i = 0; i < label.length(); i++) {
            put(Trick.REPETITION, i, i, label.charAt(i));
            for (char key : Keyboard.beside(label.charAt(i))) {
                put(Trick.REPLACEMENT, i, i + 1, key);
                put(Trick.INSERTION, i, i, key);
                put(Trick.INSERTION, i + 1, i + 1, key);
            }
        }
        vowels();
        for (int i = 1; i < label.length(); i++) {
            put(Trick.HYPHENATION, i, i, '-');
        }
        sink.accept(Trick.PLURAL, label + "s");
        sink.accept(Trick.PLURAL, label + "es");
        for (int i = 1; i < label.length(); i++) {
            put(Trick.PLURAL, i, i, 's');
        }
        for (int i = 0; i < LETTERS_AND_DIGITS.length(); i++) {
            char c = LETTERS_AND_DIGITS.charAt(i);
            put(Trick.ADDITION, label.length(), label.length(), c);
            put(Trick.ADDITION, 0, 0, c);
        }
    }

    private void vowels() {
        for (int i = 0; i < label.length(); i++) {
            if (VOWELS.indexOf(label.charAt(i)) >= 0) {
                for (int vowel = 0; vowel < VOWELS.length(); vowel++) {
                    put(Trick.VOWEL_SWAP, i, i + 1, VOWELS.charAt(vowel));
                }
            }
        }
    }

    private void put(Trick trick, int from, int to, char instead) {
        sink.accept(trick, label.substring(0, from) + instead + label.substring(to));
    }

    private void words(String joint, List<String> words) {
        for (String word : words) {
            sink.accept(Trick.DICTIONARY, label + joint + word);
            sink.accept(Trick.DICTIONARY, word + joint + label);
        }
    }

    private void twoGlyphs() {
        for (String one : glyphs(label)) {
            for (String two : glyphs(one)) {
                sink.accept(Trick.HOMOGLYPH, two);
            }
        }
    }

    /// The names with one letter replaced by a similar one, everywhere within a part of the name.
    private static List<String> glyphs(String name) {
        List<String> variants = new ArrayList<>();
        for (Map.Entry<Character, List<String>> glyph : GLYPHS.entrySet()) {
            for (int from = name.indexOf(glyph.getKey()); from >= 0; from = name.indexOf(glyph.getKey(), from + 1)) {
                for (int to = from; to >= 0; to = name.indexOf(glyph.getKey(), to + 1)) {
                    String letter = String.valueOf(glyph.getKey());
                    String stretch = name.substring(from, to + 1);
                    for (String other : glyph.getValue()) {
                        variants.add(name.substring(0, from) + stretch.replace(letter, other) + name.substring(to + 1));
                    }
                }
            }
        }
        return variants;
    }
}
