package org.bloomgate.lists.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AllowListTest {
    @TempDir
    Path folder;

    @Test
    void allowedNameAndEveryNameAboveItAreHeld() {
        AllowList list = AllowList.of(List.of("mail.shop.example"));
        assertEquals(Optional.of("mail.shop.example"), list.findAllowedName(domain("mail.shop.example")));
        assertEquals(Optional.of("mail.shop.example"), list.findAllowedName(domain("shop.example")));
        assertEquals(Optional.empty(), list.findAllowedName(domain("evil.mail.shop.example")));
        assertEquals(Optional.empty(), list.findAllowedName(domain("other.shop.example")));
        assertEquals(Optional.empty(), list.findAllowedName(domain("myshop.example")));
    }

    @Test
    void urlIsHeldOnlyWhenItIsAWholeHost() {
        AllowList list = AllowList.of(List.of("mail.shop.example"));
        assertEquals(Optional.of("mail.shop.example"), list.findAllowedName(url("mail.shop.example/")));
        assertEquals(Optional.of("mail.shop.example"), list.findAllowedName(url("shop.example/")));
        assertEquals(Optional.empty(), list.findAllowedName(url("shop.example/a")));
        assertEquals(Optional.empty(), list.findAllowedName(url("shop.example/?q=1")));
    }

    @Test
    void addressesAndPasswordsAreNeverHeld() {
        AllowList list = AllowList.of(List.of("shop.example"));
        assertEquals(Optional.empty(), list.findAllowedName(new Key(KeyKind.ADDRESS, "shop.example")));
        assertEquals(Optional.empty(), list.findAllowedName(new Key(KeyKind.PASSWORD, "shop.example")));
    }

    @Test
    void addressOfAHostAllowsNothingAboveIt() {
        AllowList list = AllowList.of(List.of("192.0.2.1"));
        assertEquals(Optional.of("192.0.2.1"), list.findAllowedName(domain("192.0.2.1")));
        assertEquals(Optional.empty(), list.findAllowedName(domain("2.1")));
    }

    @Test
    void shippedListHoldsTheBestKnownSites() throws IOException {
        AllowList shipped = AllowList.load(List.of());
        for (String name :
                List.of("google.com", "t.co", "bit.ly", "tinyurl.com", "github.com", "w3.org", "paypal.com")) {
            assertTrue(shipped.findAllowedName(domain(name)).isPresent(), name);
        }
        assertEquals(Optional.empty(), shipped.findAllowedName(domain("phish.example")));
    }

    @Test
    void ownListIsAddedToTheShippedOne() throws IOException {
        Path own = Files.writeString(folder.resolve("own.txt"), "# ours\nPartner.Example.\n*.customer.example # all\n");
        AllowList list = AllowList.load(List.of(own.toString()));
        assertTrue(list.findAllowedName(domain("partner.example")).isPresent());
        assertTrue(list.findAllowedName(domain("customer.example")).isPresent());
        assertTrue(list.findAllowedName(domain("google.com")).isPresent());
    }

    @Test
    void wrongLineAndMissingFileAreNamed() throws IOException {
        Path own = Files.writeString(folder.resolve("own.txt"), "ok.example\nnot/a/name\n");
        IOException wrong = assertThrows(IOException.class, () -> AllowList.load(List.of(own.toString())));
        assertTrue(FeedFixtures.message(wrong).contains("own.txt, line 2"), FeedFixtures.message(wrong));
        IOException missing = assertThrows(IOException.class, () -> AllowList.load(List.of("no/such.txt")));
        assertTrue(FeedFixtures.message(missing).contains("no/such.txt: no such file"), FeedFixtures.message(missing));
    }

    @ParameterizedTest
    @CsvSource({
        "string, shop.example, shop.example evil.shop.example myshop.example",
        "hostname, .shop.example, shop.example evil.shop.example myshop.example",
        "substring, HOP.exa, shop.example other.example shop.test",
        "regex, '/^s[a-z]op\\\\.example$/', shop.example xshop.example shop.example.test",
        "cidr, 192.0.2.0/25, 192.0.2.127 192.0.2.128 0.2.127",
        "cidr, 2001:db8::/33, [2001:db8:7fff::1] [2001:db8:8000::1] 192.0.2.1",
        "cidr, 192.0.2.1, 192.0.2.1 192.0.2.2 192.0.3.1"
    })
    void typeOfAWarningListIsHonoured(String type, String entry, String hosts) throws IOException {
        String json = "{\"name\": \"n\", \"type\": \"" + type + "\", \"list\": [\"" + entry + "\"]}";
        Path file = Files.writeString(folder.resolve("list.json"), json);
        AllowList list = AllowList.load(List.of(file.toString()));
        List<String> heldThenNot = List.of(hosts.split(" "));
        assertTrue(list.findAllowedName(domain(heldThenNot.getFirst())).isPresent());
        assertTrue(list.findAllowedName(url(heldThenNot.getFirst() + "/")).isPresent());
        assertEquals(Optional.empty(), list.findAllowedName(url(heldThenNot.getFirst() + "/a")));
        heldThenNot.stream()
                .skip(1)
                .forEach(host -> assertEquals(Optional.empty(), list.findAllowedName(domain(host)), host));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"type\": \"asn\", \"list\": []} | type 'asn' is none of",
                "{\"type\": \"cidr\", \"list\": [\"10.0.0.0/33\"]} | '10.0.0.0/33' is not an address or network",
                "{\"type\": \"regex\", \"list\": [\"(\"]} | '(' is not a regular expression",
                "{\"type\": \"string\", | not JSON"
            })
    void warningListThatCannotBeReadIsNamed(String json, String reason) throws IOException {
        Path file = Files.writeString(folder.resolve("list.json"), json);
        IOException wrong = assertThrows(IOException.class, () -> AllowList.load(List.of(file.toString())));
        assertTrue(FeedFixtures.message(wrong).contains("list.json: " + reason), FeedFixtures.message(wrong));
    }

    /// It has lookaround, which the others do not need.
    @Test
    void expressionBeyondRe2_isSkippedAlone() throws IOException {
        String json = "{\"type\": \"regex\", \"list\": [\"(?=a)a\", \"^shop[.]example$\"]}";
        Path file = Files.writeString(folder.resolve("list.json"), json);
        AllowList list = AllowList.load(List.of(file.toString()));
        assertTrue(list.findAllowedName(domain("shop.example")).isPresent());
        assertEquals(Optional.empty(), list.findAllowedName(domain("a.example")));
    }

    private static Key domain(String name) {
        return new Key(KeyKind.DOMAIN, name);
    }

    private static Key url(String text) {
        return new Key(KeyKind.URL, text);
    }
}
