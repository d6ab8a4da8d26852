package org.bloomgate.server.smtp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.bloomgate.base.net.ListenAddress;
import org.bloomgate.base.net.Network;
import org.bloomgate.core.smtp.EhloExtensions;
import org.bloomgate.core.smtp.Parsed;
import org.bloomgate.core.smtp.RcptArguments;
import org.bloomgate.core.smtp.Replies;
import org.bloomgate.core.smtp.Reply;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// Recipients with a route in the local part, each beside one of the same form without a route.
class RoutedLocalPartsTest {
    private static final InetAddress STRANGER = InetAddress.ofLiteral("198.51.100.7");
    private static final InetAddress OWN = InetAddress.ofLiteral("192.0.2.7");
    private static final List<String> NAMED = List.of("mine.example", "*.below.example", "bücher.example");

    /// Domains that the named ones admit.
    private static final List<String> DOMAINS =
            List.of("mine.example", "MINE.Example", "a.b.below.example", "bücher.example", "xn--bcher-kva.example");

    /// `~` is the place of a route character, or of one that means nothing.
    private static final List<String> FORMS = List.of(
            "user~other.test",
            "USER~Other.TEST",
            "user~other.test~third.test",
            "other.test~user",
            "~user",
            "user~",
            "~",
            "user~[192.0.2.1]",
            "user~mine.example",
            "postmaster~other.test",
            "user+detail~other.test",
            "SRS0=hash=tt=other.test=user~third.test",
            "SRS1=hash=first.test==hash=tt=other.test=user~x",
            "prvs=0123456789=user~other.test",
            "list-bounces+user=other.test~third.test",
            "grüße~other.test");

    private static final List<String> MEANINGLESS = List.of("+", "=", "-", "_", "/", "#", "$", "&", "'", "*", "?", "^");
    private static final List<String> LOOKALIKES = List.of("％", "﹪", "！", "﹗", "＠", "﹫", "ǃ", "¡");

    /// @param accepted of the same form
    private record Pair(String rejected, String accepted) {}

    private static Stream<Pair> pairs() {
        List<Pair> pairs = new ArrayList<>();
        List<String> harmless = new ArrayList<>(MEANINGLESS);
        harmless.addAll(LOOKALIKES);
        for (String domain : DOMAINS) {
            for (String form : FORMS) {
                for (String route : List.of("%", "!", "@")) {
                    for (Quoting quoting : Quoting.values()) {
                        if (quoting != Quoting.NONE || (!route.equals("@") && !form.contains("["))) {
                            String other = harmless.get(pairs.size() % harmless.size());
                            pairs.add(new Pair(
                                    quoting.write(form, route) + "@" + domain,
                                    quoting.write(form, other) + "@" + domain));
                        }
                    }
                }
            }
        }
        return pairs.stream();
    }

    private enum Quoting {
        NONE,
        QUOTED,
        ESCAPED;

        String write(String form, String character) {
            boolean escaped = this == ESCAPED && character.charAt(0) < 0x80;
            String local = form.replace("~", (escaped ? "\\" : "") + character);
            return this == NONE ? local : '"' + local + '"';
        }
    }

    @TestFactory
    Stream<DynamicTest> generatedPair_isToldApart() {
        RelayControl control = control(NAMED, false, List.of());
        return pairs().map(pair -> DynamicTest.dynamicTest(pair.rejected() + " " + pair.accepted(), () -> {
            assertEquals(Optional.of(Replies.ROUTED_LOCAL_PART), refusal(control, STRANGER, pair.rejected()));
            assertEquals(Optional.empty(), refusal(control, STRANGER, pair.accepted()));
        }));
    }

    @Nested
    class WithoutRestriction {
        @Test
        void routesAllowed_everyPairPasses() {
            assertAllPass(control(NAMED, true, List.of()), STRANGER);
        }

        @Test
        void clientOfOwnNetwork_everyPairPasses() {
            assertAllPass(control(NAMED, false, List.of(Network.of("192.0.2.0/24"))), OWN);
        }

        @Test
        void everyDomain_everyPairPasses() {
            assertAllPass(control(List.of("*"), false, List.of()), STRANGER);
            assertAllPass(control(List.of("*", "mine.example"), false, List.of()), STRANGER);
        }

        private void assertAllPass(RelayControl control, InetAddress client) {
            pairs().forEach(pair ->
                    assertEquals(Optional.empty(), refusal(control, client, pair.rejected()), pair::rejected));
        }
    }

    @Test
    void strangerBesideOwnNetworks_isRejected() {
        RelayControl control = control(List.of("*", "mine.example"), false, List.of(Network.of("192.0.2.0/24")));
        assertEquals(
                Optional.of(Replies.ROUTED_LOCAL_PART), refusal(control, STRANGER, "user%other.test@mine.example"));
        assertEquals(Optional.of(Replies.RELAY_DENIED), refusal(control, STRANGER, "user@other.test"));
    }

    @Test
    void clientWithoutAddress_isRejected() {
        RelayControl control = control(NAMED, false, List.of(Network.of("192.0.2.0/24")));
        assertEquals(
                Optional.of(Replies.ROUTED_LOCAL_PART),
                control.rejection(
                        Optional.empty(),
                        parse("<user%other.test@mine.example>").recipient()));
    }

    @Test
    void postmaster_passes() {
        RelayControl control = control(NAMED, false, List.of());
        for (String path : List.of("Postmaster", "postmaster@mine.example", "\"postmaster\"@mine.example")) {
            assertEquals(Optional.empty(), refusal(control, STRANGER, path), path);
        }
    }

    @Test
    void sourceRoute_isStrippedAndHidesNoRoute() {
        RelayControl control = control(NAMED, false, List.of());
        assertEquals(Optional.empty(), refusal(control, STRANGER, "@a.test,@b.test:user@mine.example"));
        assertEquals(
                Optional.of(Replies.ROUTED_LOCAL_PART),
                refusal(control, STRANGER, "@a.test,@b.test:user%other.test@mine.example"));
    }

    private static RelayControl control(List<String> domains, boolean routes, List<Network> networks) {
        return new RelayControl(new RelayOptions.Access(
                ListenAddress.of("127.0.0.1:0"),
                new RelayOptions.Tls(TlsMode.NONE, "", ""),
                domains.stream().map(RelayDomain::of).toList(),
                routes,
                networks,
                List.of(),
                false));
    }

    private static Optional<Reply> refusal(RelayControl control, InetAddress client, String path) {
        return control.rejection(Optional.of(client), parse("<" + path + ">").recipient());
    }

    /// As it comes over the wire.
    private static RcptArguments parse(String path) {
        String bytes = new String(path.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        Parsed<RcptArguments> parsed =
                RcptArguments.parse("TO:" + bytes, EhloExtensions.extended(1_000, EhloExtensions.NOT_KNOWN), true);
        return (RcptArguments)
                assertInstanceOf(Parsed.Valid.class, parsed, path).value();
    }
}
