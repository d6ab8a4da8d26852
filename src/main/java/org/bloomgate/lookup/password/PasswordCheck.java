package org.bloomgate.lookup.password;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.PasswordDigest;

/// The digests that are looked up for one password: of its text and, if that differs, of its NFC form. Contains no
/// text.
///
/// @param digests at least one, all of the same length
public record PasswordCheck(List<byte[]> digests) {

    public PasswordCheck {
        digests = List.copyOf(digests);
    }

    /// Empty for a text that is not a password: an empty string, or one with an unpaired surrogate, which has
    /// no UTF-8.
    public static Optional<PasswordCheck> of(String password) {
        if (password.isEmpty() || !StandardCharsets.UTF_8.newEncoder().canEncode(password)) {
            return Optional.empty();
        }
        return Optional.of(new PasswordCheck(PasswordDigest.candidates(password.toCharArray())));
    }

    /// Empty if the text is not the hex digits of a digest of this length.
    public static Optional<PasswordCheck> ofDigest(DigestMode mode, String hex) {
        Optional<Key> key = switch (mode) {
            case SHA1 -> PasswordDigest.ofHex(hex);
            case NTLM -> PasswordDigest.ofNtlmHex(hex);
        };
        return key.map(Key::bytes).map(digest -> new PasswordCheck(List.of(digest)));
    }

    /// @param weak the password is listed, exactly as given or in its NFC form
    /// @param count the highest count of any list; 0 if the password is not listed
    @JsonPropertyOrder({"weak", "count"})
    public record Strength(boolean weak, long count) {
        /// The count of an entry in a list without counts, which has seen each of its entries once.
        static final long ONCE = 1;

        public static final Strength GOOD = new Strength(false, 0);

        /// @param count how often a listed password was seen; negative if the password is not listed
        static Strength ofCount(long count) {
            return new Strength(count >= 0, Math.max(0, count));
        }
    }
}
