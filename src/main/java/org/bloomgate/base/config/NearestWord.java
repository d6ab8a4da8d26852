package org.bloomgate.base.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/// Finds the known word that a misspelt one most likely means.
final class NearestWord {
    private NearestWord() {}

    /// The candidate with the fewest edits, when there are at most a third of its letters and at least two.
    static Optional<String> find(String word, Collection<String> candidates) {
        return candidates.stream()
                .min(Comparator.comparingInt(candidate -> countEdits(word, candidate)))
                .filter(best -> countEdits(word, best) <= Math.max(2, best.length() / 3));
    }

    /// Levenshtein distance, case ignored, with one row of the table in memory.
    static int countEdits(String a, String b) {
        String from = a.toLowerCase(Locale.ROOT);
        String to = b.toLowerCase(Locale.ROOT);
        int[] row = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[to.length()];
    }
}
