package org.bloomgate.core.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.bloomgate.core.url.Host;

/// What holds for any bytes taken as an address: the form stays the same when read again, and has keys.
public final class AddressFuzz {
    private AddressFuzz() {}

    /// The name that Jazzer looks for.
    public static void fuzzerTestOneInput(byte[] bytes) {
        MailAddress.parse(new String(bytes, StandardCharsets.UTF_8)).ifPresent(AddressFuzz::check);
    }

    /// UTS 46 makes brackets of some letters (U+249C is `(a)`), and a comment taken out may leave an escape. No
    /// feed names such an address, and its form is read otherwise the second time, but its parents must be
    /// asked about. So must those of a name longer than DNS knows.
    private static void check(MailAddress address) {
        boolean plain = address.local().indexOf('%') < 0
                && address.domain().text().length() <= Host.MAX_NAME_BYTES
                && address.domain().text().chars().allMatch(AddressFuzz::isOfName);
        if (plain) {
            assertEquals(Optional.of(address), MailAddress.parse(address.text()));
        }
        assertFalse(
                Batches.keys(KeyKind.ADDRESS, batch -> address.append(PublicSuffixes.bundled(), batch))
                        .isEmpty(),
                address::text);
    }

    private static boolean isOfName(int c) {
        return Character.isLetterOrDigit(c) || "-_.[]:".indexOf(c) >= 0;
    }
}
