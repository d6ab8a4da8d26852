package org.bloomgate.core.lookalike;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// The neighbours of each key on the layouts QWERTY, QWERTZ and AZERTY together. Rows are offset by half a key:
/// a key is next to the keys of its own column and the next one in the row above, and of its own and the
/// previous column in the row below.
final class Keyboard {
    private static final List<List<String>> LAYOUTS = List.of(
            List.of("1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm"),
            List.of("1234567890", "qwertzuiop", "asdfghjkl", "yxcvbnm"),
            List.of("1234567890", "azertyuiop", "qsdfghjklm", "wxcvbn"));

    private static final Map<Character, Set<Character>> BESIDE = beside();

    private Keyboard() {}

    static Set<Character> beside(char key) {
        return BESIDE.getOrDefault(key, Set.of());
    }

    private static Map<Character, Set<Character>> beside() {
        Map<Character, Set<Character>> beside = new HashMap<>();
        for (List<String> rows : LAYOUTS) {
            for (int row = 0; row < rows.size(); row++) {
                for (int column = 0; column < rows.get(row).length(); column++) {
                    addAround(rows, row, column, beside);
                }
            }
        }
        return Map.copyOf(beside);
    }

    private static void addAround(List<String> rows, int row, int column, Map<Character, Set<Character>> beside) {
        Set<Character> around = beside.computeIfAbsent(rows.get(row).charAt(column), _ -> new TreeSet<>());
        add(rows, row, column - 1, around);
        add(rows, row, column + 1, around);
        add(rows, row - 1, column, around);
        add(rows, row - 1, column + 1, around);
        add(rows, row + 1, column - 1, around);
        add(rows, row + 1, column, around);
    }

    private static void add(List<String> rows, int row, int column, Set<Character> around) {
        if (row >= 0
                && row < rows.size()
                && column >= 0
                && column < rows.get(row).length()) {
            around.add(rows.get(row).charAt(column));
        }
    }
}
