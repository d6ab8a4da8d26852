package org.bloomgate.core.lookalike;

import java.util.HashMap;
import java.util.Map;
import org.bloomgate.core.text.TextForms;

/// A form in which names that look alike are equal: without accents, the skeleton of UTS #39, and further pairs
/// that look alike at a glance: `0` and `o`, `vv` and `w`, `cl` and `d`, small capitals, hooked letters.
///
/// Case is folded after the skeleton, because the skeleton of `0` is a capital O and that of `m` is `rn`. An
/// ASCII name is mapped by a table, in some 50 ns.
final class Skeleton {
    private static final int ASCII = 0x80;

    /// Letters of other alphabets that look like Latin ones but have another skeleton in UTS #39.
    private static final Map<Integer, Integer> DRAWN_LIKE =
            pairs("ĸkкkᴋkⱪk ƅbьbʙb ƈc ǝaəa ɢgԍg ɾrʀr ʉu ȝ3ʒ3 ƽ5 ʝj ʍmмmᴍm" + " тtᴛt ᶌvⱱvⱴv ⱨh ⱳw ꞑn");

    private static final String[] BY_CHAR = table();

    private Skeleton() {}

    private static String[] table() {
        String[] table = new String[ASCII];
        for (int c = 0; c < ASCII; c++) {
            table[c] = folded(String.valueOf((char) c));
        }
        return table;
    }

    /// The skeleton of a label of a host in canonical form; an A-label is decoded first.
    static String ofLabel(String label) {
        return of(TextForms.uLabels(label));
    }

    static String of(String text) {
        StringBuilder skeleton = new StringBuilder(text.length() + 8);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= ASCII) {
                return joined(new StringBuilder(folded(text)));
            }
            skeleton.append(BY_CHAR[c]);
        }
        return joined(skeleton);
    }

    private static Map<Integer, Integer> pairs(String text) {
        int[] letters = text.codePoints().filter(c -> c != ' ').toArray();
        Map<Integer, Integer> pairs = new HashMap<>();
        for (int i = 0; i < letters.length; i += 2) {
            pairs.put(letters[i], letters[i + 1]);
        }
        return Map.copyOf(pairs);
    }

    private static String folded(String text) {
        String once = latin(text);
        return TextForms.lowerCase(once.codePoints().anyMatch(DRAWN_LIKE::containsKey) ? latin(once) : once);
    }

    private static String latin(String text) {
        return withoutMarks(TextForms.skeleton(withoutMarks(text)));
    }

    /// The text without marks, and with letters that look like Latin ones replaced by these.
    private static String withoutMarks(String text) {
        String decomposed = TextForms.decomposed(text);
        StringBuilder plain = new StringBuilder(decomposed.length());
        decomposed
                .codePoints()
                .filter(c -> Character.getType(c) != Character.NON_SPACING_MARK)
                .forEach(c -> plain.appendCodePoint(DRAWN_LIKE.getOrDefault(c, c)));
        return plain.toString();
    }

    /// Replaces two letters that look like one.
    private static String joined(StringBuilder skeleton) {
        int length = 0;
        for (int i = 0; i < skeleton.length(); i++) {
            char c = skeleton.charAt(i);
            char before = length == 0 ? ' ' : skeleton.charAt(length - 1);
            if (c == 'v' && before == 'v') {
                skeleton.setCharAt(length - 1, 'w');
            } else if (c == 'l' && before == 'c') {
                skeleton.setCharAt(length - 1, 'd');
            } else {
                skeleton.setCharAt(length++, c);
            }
        }
        skeleton.setLength(length);
        return skeleton.toString();
    }
}
