package org.bloomgate.decision.authentication;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.github.benmanes.caffeine.cache.Ticker;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.bloomgate.RecordCopy;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.lookalike.Brands;
import org.bloomgate.core.lookalike.LookAlikes;
import org.bloomgate.decision.authentication.AuthenticationOptions.OnUnknown;
import org.bloomgate.decision.evaluation.BrandCheck;
import org.bloomgate.decision.evaluation.ConnectingClient;
import org.bloomgate.decision.evaluation.EvaluationRig;
import org.bloomgate.decision.evaluation.MessageDecision;
import org.bloomgate.decision.evaluation.MessageEvaluation;
import org.bloomgate.decision.evaluation.MessageEvaluator;
import org.bloomgate.decision.evaluation.ReportAddresses;
import org.bloomgate.decision.evaluation.Resemblance;
import org.bloomgate.decision.policy.MailboxPattern;
import org.bloomgate.decision.policy.OverridesFor;
import org.bloomgate.decision.policy.PolicyOptions;
import org.bloomgate.decision.policy.PolicyOverrides;
import org.bloomgate.lookup.dns.DnsClient;
import org.bloomgate.lookup.dns.DnsQuestion.RecordType;
import org.bloomgate.lookup.dns.DnsReply;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.Entry;
import org.bloomgate.lookup.tier.Exceptions;
import org.bloomgate.lookup.tier.LocalRules;
import org.bloomgate.server.dns.ListedHosts;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Messages with a listed link and an exception for `partner.example`, before the whole evaluation.
class SenderExceptionTest {
    private static final String LISTED = "Hello http://evil.example/\r\n";
    private static final String CLIENT = "192.0.2.1";
    private static final String PARTNER = "sales@partner.example";
    private static final String STRANGER = "x@stranger.example";

    private final ZoneQueries zones = new ZoneQueries()
            .with("x._domainkey.partner.example", RecordType.TXT, SignedMessage.record())
            .with("partner.example", RecordType.TXT, "v=spf1 ip4:192.0.2.1 -all");
    private final EvaluationRig rig = new EvaluationRig(new ListedHosts()
            .lists("evil.example", "helo.example")
            .listsNetworks("198.51.100.0/24")
            .inForce());
    private PolicyOptions policy = PolicyOptions.defaults();
    private OnUnknown onUnknown = OnUnknown.DEFER;
    private ResultsSource results = ResultsSource.STRANGER;
    private BrandCheck brands = BrandCheck.NONE;
    private List<Resemblance> resemblances = List.of();
    private boolean loggedIn;
    private String client = CLIENT;
    private Optional<Authentication> authentication = Optional.empty();

    SenderExceptionTest() {
        except("partner.example", true);
    }

    private void except(String sender, boolean authenticated) {
        KeyKind kind = sender.indexOf('@') < 0 ? KeyKind.DOMAIN : KeyKind.ADDRESS;
        Entry.Scope scope = new Entry.Scope(Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(sender));
        rig.rules = Optional.of(new LocalRules(
                List.of(), List.of(Exceptions.of(new Key(kind, sender), Match.SUFFIX, scope, authenticated)), 7));
    }

    private Authenticator authenticator() {
        AuthenticationDns dns = new AuthenticationDns(new DnsClient(
                question -> CompletableFuture.completedFuture(zones.query(question.name(), question.type())),
                Ticker.systemTicker()));
        return new Authenticator(
                new AuthenticationOptions(List.of("mx.corp.example"), onUnknown, Duration.ofSeconds(5)),
                Set.of("corp.example"),
                dns,
                () -> SignedMessage.NOW);
    }

    private Action deliver(String mailFrom, String message) {
        ConnectingClient caller = new ConnectingClient(
                Optional.of(InetAddress.ofLiteral(client)), "", "mail.client.example", loggedIn, results);
        try (MessageEvaluation evaluation = rig.evaluator(policy)
                .withParts(new MessageEvaluator.SenderChecks(
                        LookAlikes.NONE, brands, MessageEvaluator.History.NONE, authenticator(), ReportAddresses.NONE))
                .open(rig.lease(), caller)) {
            evaluation.mailFrom(mailFrom);
            Optional<MessageDecision> refusal = evaluation.refusal("bob@rcpt.example");
            if (refusal.isPresent()) {
                return refusal.get().enforced();
            }
            evaluation.rcptTo("bob@rcpt.example");
            evaluation.message(() -> new ByteArrayInputStream(message.getBytes(ISO_8859_1)), 0);
            evaluation.lookUp();
            MessageDecision decision = evaluation.decide(() -> new ByteArrayInputStream(message.getBytes(ISO_8859_1)));
            authentication = evaluation.authentication();
            resemblances = evaluation.resemblances();
            return decision.enforced();
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private String auth() {
        return authentication.map(Authentication::text).orElse("");
    }

    private static SignedMessage signed() {
        return new SignedMessage().body(LISTED);
    }

    private static String unsigned(String from) {
        return "From: " + from + "\r\nTo: b@customer.example\r\n\r\n" + LISTED;
    }

    @Test
    void stranger_claimingTheSender_isRejected() {
        client = "203.0.113.9";
        assertEquals(Action.REJECT, deliver("anyone@partner.example", unsigned("a@partner.example")));
        assertEquals("fail:dkim=none,spf=fail", auth());
    }

    @Test
    void signature_ofThePartner_passes() {
        client = "203.0.113.9";
        assertEquals(Action.PASS, deliver(STRANGER, signed().text()));
        assertEquals("dkim:partner.example", auth());
        assertEquals("header:From", authentication.orElseThrow().in());
    }

    @Test
    void spf_ofThePartner_passes() {
        assertEquals(Action.PASS, deliver(PARTNER, unsigned(PARTNER)));
        assertEquals("spf:partner.example", auth());
    }

    @Test
    void signature_afterAChange_isRejected() {
        client = "203.0.113.9";
        zones.with("partner.example", RecordType.TXT, new DnsReply.Absent(Duration.ZERO));
        assertEquals(
                Action.REJECT, deliver(PARTNER, signed().append("footer\r\n").text()));
        assertEquals("fail:dkim=body-changed,spf=none", auth());
    }

    @Test
    void silentDns_defersOrCounts() {
        client = "203.0.113.9";
        zones.unknown("x._domainkey.partner.example", RecordType.TXT, "timeout");
        zones.unknown("partner.example", RecordType.TXT, "timeout");
        assertEquals(Action.DEFER, deliver(PARTNER, signed().text()));
        assertEquals("unknown:dkim=timeout,spf=timeout", auth());
        onUnknown = OnUnknown.COUNT;
        assertEquals(Action.REJECT, deliver(PARTNER, signed().text()));
    }

    @Test
    void cleanOrUnmatchedMail_queriesNothing() {
        assertEquals(Action.PASS, deliver(PARTNER, signed().body("Hello\r\n").text()));
        assertEquals(Action.REJECT, deliver(STRANGER, unsigned("Ada <ada@stranger.example>")));
        assertEquals(List.of(), zones.queried());
        assertEquals("", auth());
    }

    @Test
    void unauthenticatedException_passesForgery() {
        except("partner.example", false);
        client = "203.0.113.9";
        assertEquals(Action.PASS, deliver(PARTNER, unsigned(PARTNER)));
        assertEquals("unauthenticated", auth());
        assertEquals(List.of(), zones.queried());
    }

    /// DKIM says nothing about who hands a message over.
    @Test
    void listedClient_isCoveredBySpfAlone() {
        client = "198.51.100.9";
        assertEquals(Action.REJECT, deliver(STRANGER, signed().text()));
        assertEquals(Action.REJECT, deliver(PARTNER, signed().text()));
        assertEquals("fail:dkim=not-covered,spf=fail", auth());
        zones.with("partner.example", RecordType.TXT, "v=spf1 ip4:198.51.100.9 -all");
        assertEquals(Action.PASS, deliver(PARTNER, unsigned(PARTNER)));
    }

    @Test
    void addedReplyTo_isNotCovered() {
        client = "203.0.113.9";
        String text =
                "Reply-To: x@evil.example\r\n" + signed().body("Hello\r\n").text();
        assertEquals(Action.REJECT, deliver(PARTNER, text));
        assertEquals("fail:dkim=not-covered,spf=fail", auth());
        String fields = "From: a@partner.example\r\nReply-To: x@evil.example\r\n";
        assertEquals(
                Action.PASS,
                deliver(
                        PARTNER,
                        signed().tag("h", "from:reply-to")
                                .fields(fields, fields)
                                .text()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a@partner.example, b@stranger.example",
                "a@partner.example\r\nFrom: b@stranger.example",
                "b@stranger.example\r\nFrom: a@partner.example",
                "\r\nFrom: a@partner.example",
                "Friends: a@partner.example;",
                "a@partner.example (b@stranger.example)",
                "\"a@partner.example\" <b@stranger.example>",
                "a@partner.example <b@stranger.example>",
                "<a@partner.example> <b@stranger.example>",
                "<@partner.example:b@stranger.example>",
                "\"a@partner.example\"@stranger.example",
                "a@partner.example.stranger.example",
                "a@xpartner.example",
                "a@[192.0.2.1]",
                "=?utf-8?q?a=40partner.example?=",
                "a@partner.example\0.stranger.example"
            })
    void unusualFrom_doesNotCount(String from) {
        zones.with("x._domainkey.stranger.example", RecordType.TXT, SignedMessage.record());
        String field = "From: " + from + "\r\n";
        String text = signed().tag("d", "stranger.example").fields(field, field).text();
        assertEquals(Action.REJECT, deliver(STRANGER, text));
        assertEquals(List.of(), zones.queried());
    }

    @Test
    void signatureOfAnotherDomain_costsNoQuery() {
        client = "203.0.113.9";
        zones.with("partner.example", RecordType.TXT, new DnsReply.Absent(Duration.ZERO));
        assertEquals(
                Action.REJECT,
                deliver(PARTNER, signed().tag("d", "stranger.example").text()));
        assertEquals(Set.of("partner.example TXT"), Set.copyOf(zones.queried()));
    }

    @Test
    void subdomain_countsUnlessTheOwnerWantsEqualNames() {
        client = "203.0.113.9";
        zones.with("x._domainkey.mail.partner.example", RecordType.TXT, SignedMessage.record());
        String text = signed().tag("d", "mail.partner.example").text();
        assertEquals(Action.PASS, deliver(STRANGER, text));
        zones.with("_dmarc.partner.example", RecordType.TXT, "v=DMARC1; p=none; adkim=s");
        assertEquals(Action.REJECT, deliver(STRANGER, text));
        assertEquals("fail:dkim=not-aligned,spf=not-aligned", auth());
        zones.unknown("_dmarc.partner.example", RecordType.TXT, "timeout");
        assertEquals(Action.DEFER, deliver(STRANGER, text));
    }

    /// The owner of the name may have signed: the message is deferred, and never passes by it.
    @ParameterizedTest
    @CsvSource({"partner.example, DEFER", "stranger.example, REJECT"})
    void dkim2Signature_ofTheSender_isUnknown(String domain, Action action) {
        client = "203.0.113.9";
        zones.with("partner.example", RecordType.TXT, new DnsReply.Absent(Duration.ZERO));
        String field = "DKIM2-Signature: i=1; t=1; d=" + domain + "; s=x:rsa-sha256:AAAA\r\n";
        String text = field + signed().tag("d", "stranger.example").text();
        assertEquals(action, deliver(PARTNER, text));
        assertEquals(action == Action.DEFER ? "unknown:dkim=dkim2,spf=none" : "fail:dkim=none,spf=none", auth());
        assertEquals(Action.PASS, deliver(PARTNER, field + signed().text()));
    }

    @Test
    void results_countFromATrustedHopAboveItsReceived() {
        client = "203.0.113.9";
        String own = "Authentication-Results: mx.corp.example; dkim=pass header.d=partner.example\r\n";
        String received = "Received: by mx.corp.example\r\nReceived: by a.example\r\n";
        zones.with("partner.example", RecordType.TXT, new DnsReply.Absent(Duration.ZERO));
        assertEquals(Action.REJECT, deliver(PARTNER, own + received + unsigned(PARTNER)));
        results = ResultsSource.TRUSTED_RELAY;
        assertEquals(Action.PASS, deliver(PARTNER, own + received + unsigned(PARTNER)));
        assertEquals("results:partner.example", auth());
        assertEquals(Action.REJECT, deliver(PARTNER, received + own + unsigned(PARTNER)));
        assertEquals(
                Action.REJECT, deliver(PARTNER, own.replace("mx.corp", "mx.xcorp") + received + unsigned(PARTNER)));
    }

    @Test
    void login_provesOwnDomainsAlone() {
        loggedIn = true;
        client = "203.0.113.9";
        assertEquals(Action.REJECT, deliver(PARTNER, unsigned(PARTNER)));
        except("corp.example", true);
        assertEquals(Action.PASS, deliver("jane@corp.example", unsigned("jane@corp.example")));
        assertEquals("login:corp.example", auth());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"v=spf1 +all", "v=spf1 ip4:0.0.0.0/0", "v=spf1 ip4:192.0.0.0/7", "v=spf1 exists:%{i}.x.example"})
    void recordThatPassesAnyone_doesNotCount(String record) {
        zones.with("partner.example", RecordType.TXT, record);
        zones.with("192.0.2.1.x.example", RecordType.A, "127.0.0.2")
                .with("100.64.0.1.x.example", RecordType.A, "127.0.0.2");
        zones.with("240.0.0.1.x.example", RecordType.A, "127.0.0.2");
        assertEquals(Action.REJECT, deliver(PARTNER, unsigned(PARTNER)));
        assertEquals("fail:dkim=none,spf=too-wide", auth());
    }

    /// Whoever replays a signed message writes the envelope.
    @Test
    void signature_ofAnotherMailbox_provesNoReversePath() {
        except("boss@partner.example", true);
        client = "203.0.113.9";
        String evil = "From: evil@partner.example\r\nTo: b@customer.example\r\n";
        assertEquals(
                Action.REJECT,
                deliver("boss@partner.example", signed().fields(evil, evil).text()));
        String boss = evil.replace("evil@", "boss@");
        assertEquals(
                Action.PASS,
                deliver("boss@partner.example", signed().fields(boss, boss).text()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Type: text/html\r\nContent-Base: http://evil.example/",
                "Content-Type: text/html\r\nContent-Location: http://evil.example/",
                "Content-Type: message/external-body; access-type=URL; URL=\"http://evil.example/\"",
                "Content-Transfer-Encoding: quoted-printable"
            })
    void fieldThatChangesHowTheBodyIsRead_isNotCovered(String added) {
        client = "203.0.113.9";
        String body = "<a href=\"/invoice\">invoice</a> http://evil.exam=\r\nple/\r\n";
        assertEquals(
                Action.REJECT,
                deliver(PARTNER, added + "\r\n" + signed().body(body).text()));
    }

    @Test
    void signedContentType_isCovered() {
        client = "203.0.113.9";
        String fields = "From: a@partner.example\r\nContent-Type: text/plain\r\n";
        SignedMessage message = signed().tag("h", "from:content-type").fields(fields, fields);
        assertEquals(Action.PASS, deliver(PARTNER, message.text()));
        message.body("<a href=\"http://evil.e&#120;ample/\">it</a>\r\n");
        assertEquals(Action.PASS, deliver(PARTNER, message.text()), "shown as text");
        assertEquals(Action.REJECT, deliver(PARTNER, "Content-Type: text/html\r\n" + message.text()), "a second one");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Subject: http://evil.example/",
                "Subject: http://good.example/?u=www.evil.example/x",
                "List-Unsubscribe: <http://evil.example/>"
            })
    void unsignedField_isNotCovered(String field) {
        client = "203.0.113.9";
        assertEquals(
                Action.REJECT,
                deliver(PARTNER, field + "\r\n" + signed().body("Hello\r\n").text()));
    }

    @Test
    void fieldOfAnAttachedMessage_isPartOfTheBody() {
        client = "203.0.113.9";
        String fields = "From: a@partner.example\r\nContent-Type: message/rfc822\r\n";
        String attached = "Subject: http://evil.example/\r\nReply-To: x@evil.example\r\n\r\nHello\r\n";
        assertEquals(
                Action.PASS,
                deliver(
                        STRANGER,
                        signed().tag("h", "from:content-type")
                                .fields(fields, fields)
                                .body(attached)
                                .text()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "junk\r\nAuthentication-Results: mx.corp.example; dkim=pass header.d=partner.example\r\n",
                "Authentication-Results : mx.corp.example; dkim=pass header.d=partner.example\r\n"
            })
    void resultsThatAHopMayOverlook_doNotCount(String field) {
        client = "203.0.113.9";
        results = ResultsSource.OWN_MAIL_SERVER;
        assertEquals(Action.REJECT, deliver(PARTNER, field + unsigned(PARTNER)));
    }

    @Test
    void resultsWithEqualsSigns_areRead() {
        client = "203.0.113.9";
        results = ResultsSource.OWN_MAIL_SERVER;
        String field = "Authentication-Results: mx.corp.example; dkim=pass header.b=ab+/= header.d=partner.example;"
                + " spf=pass smtp.mailfrom=prvs=12345abcde=sales@partner.example\r\n";
        assertEquals(Action.PASS, deliver(PARTNER, field + unsigned(PARTNER)));
    }

    @Test
    void undecidedResult_defers() {
        client = "203.0.113.9";
        results = ResultsSource.OWN_MAIL_SERVER;
        String field = "Authentication-Results: mx.corp.example; spf=temperror smtp.mailfrom=sales@partner.example\r\n";
        assertEquals(Action.DEFER, deliver(PARTNER, field + unsigned(PARTNER)));
    }

    @Test
    void nullReversePath_matchesNothing() {
        assertEquals(Action.REJECT, deliver("", unsigned("postmaster@stranger.example")));
        assertEquals(List.of(), zones.queried());
    }

    @Test
    void milderRuleOfASender_needsProof() {
        rig.rules = Optional.empty();
        rule(OverridesFor.everyPlace(Action.TAG));
        assertEquals(Action.TAG, deliver(PARTNER, unsigned(PARTNER)));
        client = "203.0.113.9";
        assertEquals(Action.REJECT, deliver(PARTNER, unsigned(PARTNER)));
        rule(RecordCopy.with(OverridesFor.everyPlace(Action.TAG), "authenticated", Optional.of(false)));
        assertEquals(Action.TAG, deliver(PARTNER, unsigned(PARTNER)));
        rule(OverridesFor.shadow(true));
        assertEquals(Action.REJECT, deliver(PARTNER, unsigned(PARTNER)));
        client = CLIENT;
        assertEquals(Action.PASS, deliver(PARTNER, unsigned(PARTNER)));
    }

    @Test
    void stricterRuleOfASender_countsAsWritten() {
        rig.rules = Optional.empty();
        policy = RecordCopy.with(policy, "categories", Map.of("phishing", Action.TAG));
        rule(OverridesFor.categories(Map.of("phishing", Action.REJECT)));
        client = "203.0.113.9";
        assertEquals(Action.REJECT, deliver(PARTNER, unsigned(PARTNER)));
        assertEquals(List.of(), zones.queried());
    }

    private void rule(PolicyOverrides own) {
        policy = RecordCopy.with(policy, "senders", Map.of(MailboxPattern.of("partner.example"), own));
    }

    /// The protected domain `partner.example`, which From names beside the address of a stranger.
    @Nested
    class OfABrand {
        private static final String NAMING = "From: Partner Support <a@stranger.example>\r\nTo: b@customer.example\r\n";

        @BeforeEach
        void tag() {
            protect(Action.TAG);
        }

        private void protect(Action action) {
            brands = new BrandCheck(Brands.shippedWith(List.of("partner.example")), action);
        }

        private static SignedMessage named() {
            return new SignedMessage().fields(NAMING, NAMING);
        }

        private static String unsignedOf(String from) {
            return "From: " + from + "\r\nTo: b@customer.example\r\n\r\nHello\r\n";
        }

        private static final String UNSIGNED = NAMING + "\r\nHello\r\n";

        @Test
        void stranger_isTaggedWithoutAQuery() {
            assertEquals(Action.TAG, deliver(STRANGER, UNSIGNED));
            assertEquals("fail:dkim=none,spf=not-aligned", auth());
            assertEquals("brand", authentication.orElseThrow().in());
            assertEquals(
                    List.of(new Resemblance("Partner Support", "header:From", "partner.example", "brand")),
                    resemblances);
            assertEquals(List.of(), zones.queried());
        }

        @Test
        void signatureOfTheBrand_passes() {
            assertEquals(Action.PASS, deliver(STRANGER, named().text()));
            assertEquals("dkim:partner.example", auth());
            assertEquals(List.of(), resemblances);
        }

        @Test
        void signatureOfTheBrand_thatDoesNotCoverFrom_isTagged() {
            String signed = "To: b@customer.example\r\n";
            String text =
                    new SignedMessage().tag("h", "to").fields(NAMING, signed).text();
            assertEquals(Action.TAG, deliver(STRANGER, text));
        }

        @Test
        void spfOfTheBrand_passes() {
            assertEquals(Action.PASS, deliver(PARTNER, UNSIGNED));
            assertEquals("spf:partner.example", auth());
        }

        @Test
        void addressOfTheBrand_orNoBrand_queriesNothing() {
            assertEquals(Action.PASS, deliver(STRANGER, unsignedOf("Partner <a@news.partner.example>")));
            assertEquals(Action.PASS, deliver(PARTNER, unsignedOf("Ada <a@stranger.example>")));
            assertEquals("", auth());
            assertEquals(List.of(), zones.queried());
        }

        @Test
        void mailOfAUser_isNotSearched() {
            loggedIn = true;
            assertEquals(Action.PASS, deliver(STRANGER, UNSIGNED));
            assertEquals("", auth());
        }

        @Test
        void quarantine_isForAStranger() {
            protect(Action.QUARANTINE);
            assertEquals(Action.QUARANTINE, deliver(STRANGER, UNSIGNED));
        }

        @Test
        void silentDns_tagsAtMost() {
            zones.unknown("x._domainkey.partner.example", RecordType.TXT, "timeout");
            assertEquals(Action.TAG, deliver(STRANGER, named().text()));
            assertEquals("unknown:dkim=timeout,spf=not-aligned", auth());
            protect(Action.QUARANTINE);
            assertEquals(Action.TAG, deliver(STRANGER, named().text()));
            protect(Action.PASS);
            assertEquals(Action.PASS, deliver(STRANGER, named().text()));
        }

        @Test
        void report_onlyReports() {
            protect(Action.PASS);
            assertEquals(Action.PASS, deliver(STRANGER, UNSIGNED));
            assertEquals(1, resemblances.size());
            assertEquals(Action.PASS, deliver(STRANGER, named().text()));
            assertEquals(List.of(), resemblances);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "Partner Support ,_<a@stranger.example>",
                    "=?utf-8?b?UGFydG5lciBTdXBwb3J0?= <a@stranger.example>",
                    "a@stranger.example (Partner Support)",
                    "\"<Partner Support>\" <a@stranger.example>",
                    "Partner Support,(<a@stranger.example>)",
                    "Partner Support <a@stranger.example>, <a@partner.example>",
                })
        void textBesideTheAddresses_namesTheBrand(String from) {
            assertEquals(Action.TAG, deliver(STRANGER, unsignedOf(from)));
        }

        @Test
        void localPartOfTheAddress_namesNoBrand() {
            assertEquals(Action.PASS, deliver(STRANGER, unsignedOf("partner@stranger.example")));
            assertEquals(
                    Action.PASS,
                    deliver(STRANGER, unsignedOf("\"partner@stranger.example\" <partner@stranger.example>")));
        }
    }
}
