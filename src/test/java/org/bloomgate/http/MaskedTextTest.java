package org.bloomgate.http;

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
                "mailto:bob@to.example | mailto:***@to.example",
            })
    void ofAUrlTheHostStays(String url, String masked) {
        assertEquals(masked, MaskedText.url(url));
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.7, 192.0.2.***",
        "2001:db8:1:2::7, 2001:db8:1:***",
        "::1, '::1:***'",
        "http, http",
    })
    void ofAnAddressItsNetworkStays(String client, String masked) {
        assertEquals(masked, MaskedText.client(client));
    }

    @Test
    void whatAClientCallsItselfStaysUnlessItIsAnAddress() {
        assertEquals("mail.sender.example", MaskedText.helo("mail.sender.example"));
        assertEquals("[192.0.2.***]", MaskedText.helo("[192.0.2.7]"));
        assertEquals("[IPv6:2001:db8:***]", MaskedText.helo("[IPv6:2001:db8::7]"));
    }

    @Test
    void aLongTextTakesNoLongTime() {
        String hostile = "a".repeat(20_000) + "\"".repeat(5_000) + "\\\"".repeat(5_000) + "@";
        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> MaskedText.of(hostile));
    }
}
