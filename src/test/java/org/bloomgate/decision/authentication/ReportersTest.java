package org.bloomgate.decision.authentication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.bloomgate.decision.authentication.AuthenticationOptions.OnUnknown;
import org.bloomgate.decision.evaluation.ConnectingClient;
import org.bloomgate.decision.evaluation.MessageDecision;
import org.bloomgate.decision.evaluation.RecipientSplit;
import org.bloomgate.lookup.dns.DnsQuestion.RecordType;
import org.bloomgate.lookup.tier.Action;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Who may report: messages with a listed link to the address for reports, before the whole evaluation.
class ReportersTest {
    private static final String REPORTS = ReporterRig.REPORTS;
    private static final String BODY = "Look: http://evil.example/\r\n";
    private static final String FIELDS =
            "From: ann@corp.example\r\nTo: phish@corp.example\r\nDate: Fri, 27 Nov 2026 23:50:00 +0000\r\n";
    private static final String STRANGE_CLIENT = "203.0.113.9";

    private final ZoneQueries zones = new ZoneQueries()
            .with("x._domainkey.corp.example", RecordType.TXT, SignedMessage.record())
            .with("x._domainkey.other.example", RecordType.TXT, SignedMessage.record())
            .with("x._domainkey.sub.corp.example", RecordType.TXT, SignedMessage.record())
            .with("corp.example", RecordType.TXT, "v=spf1 ip4:192.0.2.1 ~all")
            .with("sub.corp.example", RecordType.TXT, "v=spf1 ip4:203.0.113.9 -all");
    private final ReporterRig rig = new ReporterRig(zones);
    private Optional<String> reporter = Optional.empty();

    private static SignedMessage signed() {
        return new SignedMessage()
                .tag("d", "corp.example")
                .tag("h", "from:to:date")
                .fields(FIELDS, FIELDS)
                .body(BODY);
    }

    private static String unsigned(String fields) {
        return fields + "\r\n" + BODY;
    }

    private static ConnectingClient client(String address, boolean hasLoggedIn) {
        return ReporterRig.client(address, hasLoggedIn, ResultsSource.STRANGER);
    }

    private MessageDecision deliver(ConnectingClient client, String mailFrom, String message, String... recipients) {
        ReporterRig.Delivery delivery = rig.deliver(client, mailFrom, message, recipients);
        reporter = delivery.reporter();
        return delivery.decision();
    }

    static Stream<Arguments> proven() {
        return Stream.of(
                Arguments.of("login", client(STRANGE_CLIENT, true), "ann@corp.example", unsigned(FIELDS)),
                Arguments.of("DKIM", client(STRANGE_CLIENT, false), "bounce@list.example", signed().text()),
                Arguments.of(
                        "DKIM from a listed client",
                        client("198.51.100.9", false),
                        "ann@corp.example",
                        signed().text()),
                Arguments.of("SPF", client("192.0.2.1", false), "ann@corp.example", unsigned(FIELDS)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("proven")
    void provenReporter_isDeliveredAndRead(String how, ConnectingClient client, String mailFrom, String message) {
        assertEquals(Action.PASS, deliver(client, mailFrom, message, REPORTS).enforced());
        assertEquals(Optional.of("ann@corp.example"), reporter);
    }

    static Stream<Arguments> forged() {
        ConnectingClient stranger = client(STRANGE_CLIENT, false);
        String own = "ann@corp.example";
        String below = FIELDS.replace("ann@", "ann@sub.");
        String toColleague = FIELDS.replace("phish@", "bob@");
        String fromAndTo = FIELDS.substring(0, FIELDS.indexOf("Date"));
        return Stream.of(
                Arguments.of("no login and no signature", stranger, "x@other.example", unsigned(FIELDS)),
                Arguments.of(
                        "signature of another domain",
                        stranger,
                        "x@other.example",
                        signed().tag("d", "other.example").text()),
                Arguments.of(
                        "DKIM with l=",
                        stranger,
                        "x@other.example",
                        signed().tag("l", "" + BODY.length())
                                .append("http://more.example/\r\n")
                                .text()),
                Arguments.of(
                        "changed body",
                        stranger,
                        "x@other.example",
                        signed().append("http://more.example/\r\n").text()),
                Arguments.of("SPF softfail", stranger, own, unsigned(FIELDS)),
                Arguments.of(
                        "two From", client("192.0.2.1", false), own, unsigned(FIELDS + "From: boss@corp.example\r\n")),
                Arguments.of(
                        "two From of a login",
                        client(STRANGE_CLIENT, true),
                        own,
                        unsigned(FIELDS + "From: boss@corp.example\r\n")),
                Arguments.of(
                        "group syntax",
                        client("192.0.2.1", false),
                        own,
                        unsigned("From: staff: ann@corp.example;\r\nTo: phish@corp.example\r\n")),
                Arguments.of(
                        "address in the display name",
                        stranger,
                        "x@other.example",
                        unsigned("From: \"ann@corp.example\" <x@other.example>\r\nTo: phish@corp.example\r\n")),
                Arguments.of(
                        "Authentication-Results of the client",
                        stranger,
                        "x@other.example",
                        unsigned("Authentication-Results: mx.corp.example; dkim=pass header.d=corp.example\r\n"
                                + FIELDS)),
                Arguments.of("name below the site's", stranger, "ann@sub.corp.example", unsigned(below)),
                Arguments.of(
                        "signature of a name below the site's, From too",
                        stranger,
                        "x@other.example",
                        signed().tag("d", "sub.corp.example")
                                .fields(below, below)
                                .text()),
                Arguments.of(
                        "replayed message of a colleague",
                        stranger,
                        "x@other.example",
                        signed().fields(toColleague, toColleague).text()),
                Arguments.of(
                        "replayed with another To",
                        stranger,
                        "x@other.example",
                        signed().tag("h", "from:date")
                                .fields(FIELDS, FIELDS.replace("To: phish@corp.example\r\n", ""))
                                .text()),
                Arguments.of(
                        "signature without Date",
                        stranger,
                        "x@other.example",
                        signed().tag("h", "from:to").fields(FIELDS, fromAndTo).text()),
                Arguments.of(
                        "no Date",
                        stranger,
                        "x@other.example",
                        signed().fields(fromAndTo, fromAndTo).text()),
                Arguments.of(
                        "login of another domain", client(STRANGE_CLIENT, true), "x@other.example", unsigned(FIELDS)),
                Arguments.of("null reverse-path", client(STRANGE_CLIENT, true), "", unsigned(FIELDS)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("forged")
    void forgedReporter_isMailLikeAny(String how, ConnectingClient client, String mailFrom, String message) {
        assertEquals(Action.REJECT, deliver(client, mailFrom, message, REPORTS).enforced());
        assertEquals(Optional.empty(), reporter);
    }

    /// What cannot be looked up, by mechanism and cause, for a message with a listed link and one without.
    static Stream<Arguments> unresolved() {
        return Stream.of("x._domainkey.corp.example", "corp.example", "_spf.corp.example")
                .flatMap(name -> Stream.of("timeout", "bound", "servfail")
                        .flatMap(cause -> Stream.of(BODY, "Look: http://unlisted.example/\r\n")
                                .map(body -> Arguments.of(name, cause, body))));
    }

    @ParameterizedTest
    @MethodSource("unresolved")
    void reporterThatCannotBeLookedUp_isDeferred(String name, String cause, String body) {
        zones.with("corp.example", RecordType.TXT, "v=spf1 include:_spf.corp.example ~all")
                .with("_spf.corp.example", RecordType.TXT, "v=spf1 ip4:192.0.2.1 -all")
                .unknown(name, RecordType.TXT, cause);
        String message = name.startsWith("x.")
                ? signed().body(body).text()
                : unsigned(FIELDS).replace(BODY, body);
        for (String[] recipients : List.of(new String[] {REPORTS}, new String[] {"bob@corp.example", REPORTS})) {
            MessageDecision decision = deliver(client("192.0.2.2", false), "ann@corp.example", message, recipients);
            assertEquals(Action.DEFER, decision.enforced());
            assertTrue(decision.reason().contains("sender not authenticated"), decision::reason);
            assertEquals(Optional.empty(), reporter);
        }
        rig.onUnknown = OnUnknown.COUNT;
        assertEquals(
                body.equals(BODY) ? Action.REJECT : Action.PASS,
                deliver(client("192.0.2.2", false), "ann@corp.example", message, REPORTS)
                        .enforced());
    }

    /// Only the domain that could prove the reporter is asked.
    @ParameterizedTest
    @ValueSource(strings = {"x._domainkey.other.example", "other.example"})
    void strangerThatCannotBeLookedUp_isMailLikeAny(String name) {
        zones.unknown(name, RecordType.TXT, "timeout");
        String message = signed().tag("d", "other.example").text();
        assertEquals(
                Action.REJECT,
                deliver(client(STRANGE_CLIENT, false), "x@other.example", message, REPORTS)
                        .enforced());
    }

    /// Any login proves each From of its domain, but submission servers bind the reverse-path to it.
    @Test
    void loginWithFromOfAnother_isTheReversePath() {
        String fromBen = unsigned(FIELDS.replace("ann@", "ben@"));
        assertEquals(
                Action.PASS,
                deliver(client(STRANGE_CLIENT, true), "Ann@corp.example", fromBen, REPORTS)
                        .enforced());
        assertEquals(Optional.of("ann@corp.example"), reporter);
        deliver(client("192.0.2.1", false), "ann@corp.example", fromBen, REPORTS);
        assertEquals(Optional.of("ann@corp.example"), reporter, "SPF");
        deliver(client(STRANGE_CLIENT, false), "x@other.example", signed().text(), REPORTS);
        assertEquals(Optional.of("ann@corp.example"), reporter, "DKIM is of From");
    }

    private static String feedback(String contentType) {
        return unsigned("From: fbl@provider.example\r\nTo: phish@corp.example\r\n" + contentType);
    }

    @Test
    void providerOfFeedback_isProvenByItsNetwork() {
        String report = feedback("Content-Type: Multipart/Report; boundary=b;\r\n report-type=\"feedback-report\"\r\n");
        assertEquals(
                Action.PASS,
                deliver(client("192.0.2.70", false), "", report, REPORTS).enforced());
        assertEquals(Optional.of(""), reporter);
        assertEquals(
                Action.REJECT,
                deliver(client("192.0.2.80", false), "", report, REPORTS).enforced());
        assertEquals(Optional.empty(), reporter);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "text/plain",
                "text/plain; report-type=feedback-report",
                "multipart/report; report-type=delivery-status; boundary=b",
                "multipart/report; boundary=b",
                "multipart/report; report-type=feedback-report; boundary=b\r\nContent-Type: text/plain"
            })
    void otherMailOfProvider_isMailLikeAny(String contentType) {
        assertEquals(
                Action.REJECT,
                deliver(
                                client("192.0.2.70", false),
                                "bulk@provider.example",
                                feedback("Content-Type: " + contentType + "\r\n"),
                                REPORTS)
                        .enforced());
        assertEquals(Optional.empty(), reporter);
    }

    @Test
    void otherRecipients_areFilteredAsUsual() {
        MessageDecision decision = deliver(
                client(STRANGE_CLIENT, true), "ann@corp.example", unsigned(FIELDS), "bob@corp.example", REPORTS);
        RecipientSplit.Apart split = assertInstanceOf(RecipientSplit.Apart.class, decision.split());
        assertEquals(List.of(1), split.delivered());
        assertEquals(List.of(0), split.kept());
        assertTrue(reporter.isPresent());
        assertEquals(
                Action.REJECT,
                deliver(client(STRANGE_CLIENT, true), "ann@corp.example", unsigned(FIELDS), "bob@corp.example")
                        .enforced());
        assertEquals(Optional.empty(), reporter);
    }
}
