package org.bloomgate.decision.evaluation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.base.net.IpLiteral;
import org.bloomgate.base.net.Network;
import org.bloomgate.decision.authentication.ResultsSource;
import org.bloomgate.decision.policy.HeloFlaw;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SiteTest {
    private static final Site SITE = new Site(
            Set.of("mx.corp.example", "192.0.2.25", "2001:db8:0:0:0:0:0:25"),
            List.of(Network.of("198.51.100.0/24")),
            Set.of("drop"));

    private static ConnectingClient from(String address) {
        return ConnectingClient.of(IpLiteral.parse(address), "mail.sender.example");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mail.sender.example",
                "mail.sender.example.",
                "MAIL.Sender.Example",
                "localhost",
                "a_b.sender.example",
                "1.2.3.4x",
                "xn--bcher-kva.example",
                "a-z.example",
                "1.a",
                "1.z",
                "z9.example",
                "[203.0.113.9]",
                "[IPv6:2001:db8::9]",
                "[2001:db8::9]"
            })
    void aDomainAndAnAddressLiteralAreNames(String helo) {
        assertEquals(HeloFlaw.NONE, SITE.findFlaw(helo));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "203.0.113.9",
                "mail..example",
                ".example",
                "mail.example..",
                "mail sender.example",
                "-mail.example",
                "mail-.example",
                "bücher.example",
                "mail!.example",
                "1.2.3",
                "[mail.sender.example]",
                "[203.0.113.9",
                "[]",
                "[ipv6:]",
                "[203.0.113.999]",
                "`{.1"
            })
    void whatIsNeitherIsNoName(String helo) {
        assertEquals(HeloFlaw.SYNTAX, SITE.findFlaw(helo));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mx.corp.example",
                "MX.Corp.Example.",
                "192.0.2.25",
                "[192.0.2.25]",
                "[IPv6:2001:db8::25]",
                "[IPV6:2001:DB8:0::25]"
            })
    void aClientThatSaysItIsThisHostIsToldApart(String helo) {
        assertEquals(HeloFlaw.OWN_NAME, SITE.findFlaw(helo));
    }

    @Test
    void whoeverGivesNoNameHasNoFlaw() {
        assertEquals(HeloFlaw.NONE, SITE.findFlaw(""));
    }

    @Test
    void aLabelAndANameAsLongAsDnsAllowsAreNamesAndOneMoreIsNot() {
        assertEquals(HeloFlaw.NONE, SITE.findFlaw("a".repeat(63) + ".example"));
        assertEquals(HeloFlaw.SYNTAX, SITE.findFlaw("a".repeat(64) + ".example"));
        String longest = "a.".repeat(127) + "a";
        assertEquals(255, longest.length());
        assertEquals(HeloFlaw.NONE, SITE.findFlaw(longest));
        assertEquals(HeloFlaw.SYNTAX, SITE.findFlaw(longest + "a"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "10.1.2.3", "192.168.0.9", "::1", "fe80::1", "198.51.100.0", "198.51.100.255"})
    void neighboursAndTheSitesOwnNetworksBelongToIt(String address) {
        assertTrue(SITE.includes(from(address)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"203.0.113.9", "198.51.101.0", "2001:4860::8"})
    void whoeverElseIsAStranger(String address) {
        assertFalse(SITE.includes(from(address)));
    }

    @Test
    void whoHasLoggedInBelongsToTheSiteFromAnywhere() {
        Optional<InetAddress> abroad = IpLiteral.parse("203.0.113.9");
        assertTrue(SITE.includes(new ConnectingClient(abroad, "", "", true, ResultsSource.STRANGER)));
        assertTrue(SITE.includes(new ConnectingClient(Optional.empty(), "", "", true, ResultsSource.STRANGER)));
        assertFalse(SITE.includes(ConnectingClient.UNKNOWN));
    }
}
