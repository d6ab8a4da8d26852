package org.bloomgate.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MaskedTextTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "550 5.1.1 <bob@to.example>: unknown | 550 5.1.1 <***@to.example>: unknown",
                "\"john doe\"@to.example gone | ***@to.example gone",
                "a@x.example, b@y.example | ***@x.example, ***@y.example",
                "nobody is named | nobody is named",
                "@ alone | @ alone",
                "192.0.2.66/32 | 192.0.2.***/32",
                "2001:db8:1:2::/64 | 2001:db8:1:***/64",
                "blocked: 192.0.2.66 and 2001:db8::7. | blocked: 192.0.2.*** and 2001:db8::***.",
                "at 12:30:45 sha1:ab:cd 5.7.1 | at 12:30:45 sha1:ab:cd 5.7.1",
                "2001:db8:1:2:3:4:5:6 | 2001:db8:1:***",
            })
    void localPartsAreTakenOutOfText(String text, String masked) {
        assertEquals(masked, MaskedText.of(text));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "bob@to.example | ***@to.example",
                "\"a@b\"@to.example | ***@to.example",
                "postmaster | ***",
                "bob@[192.0.2.7] | ***@[192.0.2.***]",
                "bob@[IPv6:2001:db8::7] | ***@[IPv6:2001:db8::***]",
                "`` | ``",
            })
    void ofAMailboxTheDomainStays(String mailbox, String masked) {
        assertEquals(masked, MaskedText.mailbox(mailbox));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "http://evil.example/?to=bob%40to.example | http://evil.example/***",
                "http://bob@evil.example/ | http://***@evil.example",
                "http://bob%40evil.example | http://***@evil.example",
                "http://evil.example | http://evil.example",
                "evil.example/bad/path | evil.example/***",
                "http://192.0.2.66/bad | http://192.0.2.***/***",
                "http://bob@192.0.2.66:8080 | http://192.0.2.***",
                "http://0xC0000242/ | http://192.0.2.***",
                "http://3221225986:80/bad | http://192.0.2.***/***",
                "http://%31%39%32.0.2.66/ | http://192.0.2.***",
                "http://[2001:db8::7]:8080/bad | http://[2001:db8::***]/***",
                "192.0.2.66/bad | 192.0.2.***/***",
                "mailto:bob@to.example | mailto:***@to.example",
            })
    void ofAUrlTheHostStays(String url, String masked) {
        assertEquals(masked, MaskedText.url(url));
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.7, 192.0.2.***",
        "2001:db8:1:2::7, 2001:db8:1:***",
        "2001:db8:1::7, 2001:db8:1::***",
        "2001::7, 2001::***",
        "::1, ::***",
        "http, http",
    })
    void ofAnAddressItsNetworkStays(String client, String masked) {
        assertEquals(masked, MaskedText.client(client));
    }

    @Test
    void whatAClientCallsItselfStaysUnlessItIsAnAddress() {
        assertEquals("mail.sender.example", MaskedText.of("mail.sender.example"));
        assertEquals("192.0.2.***", MaskedText.of("192.0.2.7"));
        assertEquals("[192.0.2.***]", MaskedText.of("[192.0.2.7]"));
        assertEquals("[IPv6:2001:db8::***]", MaskedText.of("[IPv6:2001:db8::7]"));
    }

    @Test
    void aLongTextTakesNoLongTime() {
        String hostile = "a".repeat(20_000) + "\"".repeat(5_000) + "\\\"".repeat(5_000) + "@";
        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> MaskedText.of(hostile));
    }
}
