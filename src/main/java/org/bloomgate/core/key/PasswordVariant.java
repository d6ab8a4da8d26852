package org.bloomgate.core.key;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// A password that is easily guessed from another one: what was changed, and the digests of what it was changed from.
/// Holds no text.
///
/// @param changes that lead from the password given to this one
/// @param digests as of [PasswordDigest#candidates]
public record PasswordVariant(Set<Change> changes, List<byte[]> digests) {
    /// Variants of one password at most. Hides nothing: all there are.
    public static final int MAX_VARIANTS = 11;

    /// A shorter rest says nothing about the password it was cut from.
    static final int MIN_CHARACTERS = 4;

    /// The changes that people, and the rules of password crackers, make to a word.
    public enum Change {
        /// Upper case instead of lower.
        CASE_FOLDED("case-folded"),
        /// Digits at the end.
        DIGITS_CUT("digits-cut"),
        /// Digits and signs instead of the letters they look like.
        SUBSTITUTED("substituted");

        private final String label;

        Change(String label) {
            this.label = label;
        }

        /// The word in JSON.
        public String label() {
            return label;
        }
    }

    public PasswordVariant {
        changes = Set.copyOf(changes);
        digests = List.copyOf(digests);
    }

    /// The variants, all different from the password and from each other, those with fewer changes first. The array
    /// is not changed; working copies are overwritten.
    public static List<PasswordVariant> of(char[] password) {
        List<Form> forms = new ArrayList<>();
        forms.add(new Form(Set.of(), password));
        add(forms, forms.getFirst().folded());
        for (Form whole : List.copyOf(forms)) {
            add(forms, whole.cut());
        }
        for (Form plain : List.copyOf(forms)) {
            add(forms, plain.spelled('i'));
            add(forms, plain.spelled('l'));
        }
        List<Form> variants = forms.subList(1, forms.size());
        List<PasswordVariant> answer = variants.stream()
                .map(form -> new PasswordVariant(form.changes, PasswordDigest.candidates(form.text)))
                .toList();
        variants.forEach(Form::overwrite);
        return answer;
    }

    private static void add(List<Form> forms, Form form) {
        boolean known = forms.stream().anyMatch(other -> Arrays.equals(other.text, form.text));
        if (known || form.text.length < MIN_CHARACTERS) {
            form.overwrite();
        } else {
            forms.add(form);
        }
    }

    /// A text and how it came about.
    private static final class Form {
        private final Set<Change> changes;
        private final char[] text;

        Form(Set<Change> changes, char[] text) {
            this.changes = changes;
            this.text = text;
        }

        Form folded() {
            char[] folded = text.clone();
            for (int i = 0; i < folded.length; i++) {
                folded[i] = Character.toLowerCase(folded[i]);
            }
            return changed(Change.CASE_FOLDED, folded);
        }

        Form cut() {
            int end = text.length;
            while (end > 0 && text[end - 1] >= '0' && text[end - 1] <= '9') {
                end--;
            }
            return changed(Change.DIGITS_CUT, Arrays.copyOf(text, end));
        }

        /// @param one the letter that a `1` stands for
        Form spelled(char one) {
            char[] spelled = text.clone();
            for (int i = 0; i < spelled.length; i++) {
                spelled[i] = letter(spelled[i], one);
            }
            return changed(Change.SUBSTITUTED, spelled);
        }

        private static char letter(char sign, char one) {
            return switch (sign) {
                case '0' -> 'o';
                case '1', '!', '|' -> one;
                case '3' -> 'e';
                case '4', '@' -> 'a';
                case '5', '$' -> 's';
                case '7', '+' -> 't';
                default -> sign;
            };
        }

        private Form changed(Change change, char[] into) {
            Set<Change> all = EnumSet.of(change);
            all.addAll(changes);
            return new Form(all, into);
        }

        void overwrite() {
            Arrays.fill(text, '\0');
        }
    }
}
