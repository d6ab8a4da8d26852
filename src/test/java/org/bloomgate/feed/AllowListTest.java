package org.bloomgate.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.bloomgate.key.Key;
import org.bloomgate.key.KeyKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AllowListTest {
    @TempDir
    Path folder;

    @Test
    void allowedNameAndEveryNameAboveItAreHeld() {
        AllowList list = AllowList.of(List.of("mail.shop.example"));
        assertEquals(Optional.of("mail.shop.example"), list.holding(domain("mail.shop.example")));
        assertEquals(Optional.of("mail.shop.example"), list.holding(domain("shop.example")));
        assertEquals(Optional.empty(), list.holding(domain("evil.mail.shop.example")));
        assertEquals(Optional.empty(), list.holding(domain("other.shop.example")));
        assertEquals(Optional.empty(), list.holding(domain("myshop.example")));
    }

    @Test
    void urlIsHeldOnlyWhenItIsAWholeHost() {
        AllowList list = AllowList.of(List.of("mail.shop.example"));
        assertEquals(Optional.of("mail.shop.example"), list.holding(url("mail.shop.example/")));
        assertEquals(Optional.of("mail.shop.example"), list.holding(url("shop.example/")));
        assertEquals(Optional.empty(), list.holding(url("shop.example/a")));
        assertEquals(Optional.empty(), list.holding(url("shop.example/?q=1")));
    }

    @Test
    void addressesAndPasswordsAreNeverHeld() {
        AllowList list = AllowList.of(List.of("shop.example"));
        assertEquals(Optional.empty(), list.holding(new Key(KeyKind.ADDRESS, "shop.example")));
        assertEquals(Optional.empty(), list.holding(new Key(KeyKind.PASSWORD, "shop.example")));
    }

    @Test
    void addressOfAHostAllowsNothingAboveIt() {
        AllowList list = AllowList.of(List.of("192.0.2.1"));
        assertEquals(Optional.of("192.0.2.1"), list.holding(domain("192.0.2.1")));
        assertEquals(Optional.empty(), list.holding(domain("2.1")));
    }

    @Test
    void shippedListHoldsTheBestKnownSites() throws IOException {
        AllowList shipped = AllowList.load(List.of());
        for (String name :
                List.of("google.com", "t.co", "bit.ly", "tinyurl.com", "github.com", "w3.org", "paypal.com")) {
            assertTrue(shipped.holding(domain(name)).isPresent(), name);
        }
        assertEquals(Optional.empty(), shipped.holding(domain("phish.example")));
    }

    @Test
    void ownListIsAddedToTheShippedOne() throws IOException {
        Path own = Files.writeString(folder.resolve("own.txt"), "# ours\nPartner.Example.\n*.customer.example # all\n");
        AllowList list = AllowList.load(List.of(own.toString()));
        assertTrue(list.holding(domain("partner.example")).isPresent());
        assertTrue(list.holding(domain("customer.example")).isPresent());
        assertTrue(list.holding(domain("google.com")).isPresent());
    }

    @Test
    void wrongLineAndMissingFileAreNamed() throws IOException {
        Path own = Files.writeString(folder.resolve("own.txt"), "ok.example\nnot/a/name\n");
        IOException wrong = assertThrows(IOException.class, () -> AllowList.load(List.of(own.toString())));
        assertTrue(FeedFixtures.message(wrong).contains("own.txt, line 2"), FeedFixtures.message(wrong));
        IOException missing = assertThrows(IOException.class, () -> AllowList.load(List.of("no/such.txt")));
        assertTrue(FeedFixtures.message(missing).contains("no/such.txt: no such file"), FeedFixtures.message(missing));
    }

    private static Key domain(String name) {
        return new Key(KeyKind.DOMAIN, name);
    }

    private static Key url(String text) {
        return new Key(KeyKind.URL, text);
    }
}
