package org.bloomgate.core.key;

import static java.util.stream.Collectors.toCollection;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.bloomgate.core.key.PasswordVariant.Change;
import org.junit.jupiter.api.Test;

class PasswordVariantTest {
    private static List<PasswordVariant> variants(String password) {
        return PasswordVariant.of(password.toCharArray());
    }

    private static boolean leads(String password, String to, Change... changes) {
        String digest = hex(PasswordDigest.of(to));
        return variants(password).stream()
                .filter(variant -> variant.digests().stream().anyMatch(one -> hex(one).equals(digest)))
                .anyMatch(variant -> variant.changes().equals(Set.of(changes)));
    }

    private static String hex(byte[] digest) {
        return HexFormat.of().formatHex(digest);
    }

    @Test
    void eachChangeIsMadeAloneAndWithTheOthers() {
        assertTrue(leads("PassWord", "password", Change.CASE_FOLDED));
        assertTrue(leads("PassWord99", "PassWord", Change.DIGITS_CUT));
        assertTrue(leads("PassWord99", "password", Change.CASE_FOLDED, Change.DIGITS_CUT));
        assertTrue(leads("p@$$w0rd", "password", Change.SUBSTITUTED));
        assertTrue(leads("P@55w0rd1984", "password", Change.values()));
    }

    @Test
    void aOneIsAnIAndAnL() {
        assertTrue(leads("1loveyou", "iloveyou", Change.SUBSTITUTED));
        assertTrue(leads("foot8a11", "foot8all", Change.SUBSTITUTED));
    }

    @Test
    void aPlainWordHasNone() {
        assertEquals(List.of(), variants("correct horse battery"));
        assertEquals(List.of(), variants(""));
    }

    @Test
    void aRestOfThreeCharactersIsNotAsked() {
        assertFalse(leads("abc12345", "abc", Change.DIGITS_CUT));
        assertTrue(leads("abcd1234", "abcd", Change.DIGITS_CUT));
    }

    @Test
    void theyAreBoundedAndDifferAndThePasswordIsLeftAlone() {
        Random random = new Random(26);
        for (int i = 0; i < 2_000; i++) {
            char[] password = random.ints(random.nextInt(12), 0, 14)
                    .mapToObj(choice -> "aS5$1iL07@B\u00c9 9".substring(choice, choice + 1))
                    .reduce("", String::concat)
                    .toCharArray();
            char[] given = password.clone();
            List<PasswordVariant> variants = PasswordVariant.of(password);
            assertArrayEquals(given, password);
            assertTrue(variants.size() <= PasswordVariant.MAX_VARIANTS, "variants: " + variants.size());
            TreeSet<String> digests = variants.stream()
                    .map(variant -> hex(variant.digests().getFirst()))
                    .collect(toCollection(TreeSet::new));
            assertEquals(variants.size(), digests.size());
            assertFalse(digests.contains(hex(PasswordDigest.of(new String(given)))));
        }
    }
}
