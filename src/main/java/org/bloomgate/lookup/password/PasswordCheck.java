package org.bloomgate.lookup.password;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.PasswordDigest;
import org.bloomgate.core.key.PasswordVariant;
import org.bloomgate.core.key.PasswordVariant.Change;

/// The digests that are looked up for one password: its own, and those of passwords it is a small variation of.
/// Contains no text.
///
/// @param forms the password as given first, then its variants
public record PasswordCheck(List<PasswordVariant> forms) {

    /// Whether variants are looked up as well.
    public enum Scope {
        AS_GIVEN,
        WITH_VARIANTS
    }

    public PasswordCheck {
        forms = List.copyOf(forms);
    }

    /// Empty for a text that is not a password: an empty string, or one with an unpaired surrogate, which has
    /// no UTF-8.
    public static Optional<PasswordCheck> of(String password, Scope scope) {
        if (password.isEmpty() || !StandardCharsets.UTF_8.newEncoder().canEncode(password)) {
            return Optional.empty();
        }
        char[] text = password.toCharArray();
        List<PasswordVariant> forms = new ArrayList<>();
        forms.add(new PasswordVariant(Set.of(), PasswordDigest.candidates(text)));
        if (scope == Scope.WITH_VARIANTS) {
            forms.addAll(PasswordVariant.of(text));
        }
        return Optional.of(new PasswordCheck(forms));
    }

    /// Empty for anything but as many hex digits as such a digest has.
    public static Optional<PasswordCheck> ofDigest(DigestMode mode, String hex) {
        Optional<Key> key = switch (mode) {
            case SHA1 -> PasswordDigest.ofHex(hex);
            case NTLM -> PasswordDigest.ofNtlmHex(hex);
        };
        return key.map(Key::bytes)
                .map(digest -> new PasswordCheck(List.of(new PasswordVariant(Set.of(), List.of(digest)))));
    }

    /// The answer, from the counts of the forms in the same order.
    ///
    /// @param counts negative for a form that is not listed
    Strength strength(List<Long> counts) {
        List<ListedVariant> variants = new ArrayList<>();
        for (int i = 1; i < forms.size(); i++) {
            if (counts.get(i) >= 0) {
                variants.add(ListedVariant.of(forms.get(i).changes(), counts.get(i)));
            }
        }
        return new Strength(counts.getFirst() >= 0, Math.max(0, counts.getFirst()), variants);
    }

    /// @param weak the password is listed, exactly as given or in its NFC form
    /// @param count the highest count of any list, 0 when no list counts
    /// @param variants that stand in a list
    @JsonPropertyOrder({"weak", "count", "variants"})
    public record Strength(
            boolean weak,
            long count,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ListedVariant> variants) {
        public static final Strength GOOD = new Strength(false, 0, List.of());
    }

    /// A listed password that another one is easily guessed from.
    ///
    /// @param changes labels of what leads to it, in the order of [Change]
    /// @param count the highest of any list, 0 when no list counts
    @JsonPropertyOrder({"changes", "count"})
    public record ListedVariant(List<String> changes, long count) {
        public ListedVariant {
            changes = List.copyOf(changes);
        }

        static ListedVariant of(Set<Change> changes, long count) {
            return new ListedVariant(
                    EnumSet.copyOf(changes).stream().map(Change::label).toList(), count);
        }
    }
}
