package org.bloomgate.lookup.dnsbl;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.Optional;
import org.bloomgate.core.key.AddressBlock;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ZoneQueryNameTest {

    @ParameterizedTest
    @CsvSource({
        "bad.example, bad.example.dbl.example",
        "xn--dbel-zra.example, xn--dbel-zra.example.dbl.example",
        "1.example, 1.example.dbl.example",
        "192.0.2.1, 1.2.0.192.dbl.example"
    })
    void domainsAreAskedAsTheyAreAndAddressesReversed(String key, String question) {
        assertEquals(
                Optional.of(question), ZoneQueryName.of(new Key(KeyKind.DOMAIN, key), ZoneKeys.NAMES, "dbl.example"));
    }

    /// Digests by sha1sum, sha256sum and base32 of coreutils.
    @ParameterizedTest
    @CsvSource({
        "SHA1, a@mail.example, A1",
        "SHA256, a@mail.example, A256",
        "SHA1, j.a.n.e+x@gmail.com, J1",
        "SHA1, jane@googlemail.com, J1",
        "SHA1, a+tag@mail.example, A1"
    })
    void mailboxes_areQueriedByDigest(ZoneKeys keys, String address, String expected) {
        Map<String, String> digests = Map.of(
                "A1", "2ff482ba927960e4b84532d6e7a0eab6bc2c0f25",
                "A256", "uc2hfgxwahxv4vv32afepf2zqkpt4b27qmsuhbgsta4nbxzvzp3a",
                "J1", "9687a50355851791cc1de3f985a60a2dd7749b58");
        assertEquals(
                Optional.of(digests.get(expected) + ".hbl.example"),
                ZoneQueryName.of(new Key(KeyKind.ADDRESS, address), keys, "hbl.example"));
    }

    @Test
    void files_areQueriedByDigest() {
        Key file = new Key(KeyKind.HASH, "00".repeat(31) + "ff");
        assertEquals(
                Optional.of("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaad7q.hbl.example"),
                ZoneQueryName.of(file, ZoneKeys.SHA256, "hbl.example"));
        assertEquals(Optional.empty(), ZoneQueryName.of(file, ZoneKeys.SHA1, "hbl.example"));
    }

    /// The example of RFC 5782, 2.4.
    @Test
    void sixteenBytesAreAskedDigitByDigit() {
        assertEquals(
                Optional.of("b.a.9.8.7.6.5.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.dbl.example"),
                ZoneQueryName.of(new Key(KeyKind.DOMAIN, "[2001:db8::567:89ab]"), ZoneKeys.NAMES, "dbl.example"));
    }

    @ParameterizedTest
    @EnumSource(
            names = {"DOMAIN", "NETWORK"},
            mode = EnumSource.Mode.EXCLUDE)
    void nothingElseIsAsked(KeyKind kind) {
        assertEquals(Optional.empty(), ZoneQueryName.of(new Key(kind, "bad.example"), ZoneKeys.NAMES, "dbl.example"));
    }

    @Test
    void aClientIsAskedAboutByItsAddressAndANetworkByNothing() {
        assertEquals(Optional.of("1.2.0.192.dbl.example"), question("192.0.2.1"));
        assertEquals(
                Optional.of("b.a.9.8.7.6.5.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.dbl.example"),
                question("2001:db8::567:89ab"));
        assertEquals(Optional.empty(), question("192.0.2.0/24"));
    }

    private static Optional<String> question(String network) {
        return ZoneQueryName.of(AddressBlock.parse(network).key(), ZoneKeys.NAMES, "dbl.example");
    }
}
