package org.bloomgate.core.key;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

final class PasswordRules implements HexRules {
    /// Hex digits of a digest that are shown. The whole digest of a listed password is as good as the password; five
    /// digits, as in the range API of Pwned Passwords, are shared by hundreds of them.
    private static final int SHOWN_DIGITS = 5;

    @Override
    public FeedKey feedKey(String entry, PublicSuffixes suffixes) {
        return new FeedKey.Taken(PasswordDigest.key(PasswordDigest.of(entry)));
    }

    /// Both kinds of digests of which lists consist, so that "not listed" applies to both. Empty for an empty
    /// password, and for an unpaired surrogate, which has no UTF-8.
    @Override
    public List<LookupValue> toLookupValues(String value) {
        if (value.isEmpty() || !StandardCharsets.UTF_8.newEncoder().canEncode(value)) {
            return List.of();
        }
        char[] password = value.toCharArray();
        List<byte[]> digests = new ArrayList<>(PasswordDigest.candidates(password));
        digests.add(NtlmDigest.of(password));
        return List.of(new LookupValue(
                "",
                (_, batch) -> digests.forEach(
                        digest -> batch.append(digest, 0, digest.length).endKey(KeyKind.PASSWORD, true))));
    }

    /// Messages have no passwords; passwords are looked up on their own, less often than messages arrive.
    @Override
    public double keysPerMessage() {
        return 0.1;
    }

    /// A higher rate, because one key is looked up at a time.
    @Override
    public double rate() {
        return 1e-3;
    }

    /// In upper case, as in Pwned Passwords.
    @Override
    public String text(byte[] bytes, int offset, int length) {
        return HexFormat.of().withUpperCase().formatHex(bytes, offset, offset + length);
    }

    @Override
    public String mask(String text) {
        return text.substring(0, SHOWN_DIGITS);
    }

    @Override
    public boolean isSecret() {
        return true;
    }

    @Override
    public boolean hasUses() {
        return false;
    }
}
