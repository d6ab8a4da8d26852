package org.bloomgate.server.dns;

import static org.bloomgate.server.dns.Asking.ZONE;
import static org.bloomgate.server.dns.Asking.extendedError;
import static org.bloomgate.server.dns.Asking.question;
import static org.bloomgate.server.dns.Asking.summary;
import static org.bloomgate.server.dns.Asking.withEdns;
import static org.bloomgate.server.dns.Asking.zone;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.ListingSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.DClass;
import org.xbill.DNS.EDNSOption;
import org.xbill.DNS.ExtendedFlags;
import org.xbill.DNS.Flags;
import org.xbill.DNS.GenericEDNSOption;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/// What is answered to whom.
class ResponderTest {
    private static final Instant NOW = ListedHosts.CREATED.plusSeconds(60);

    private static ListedHosts hosts() {
        return new ListedHosts()
                .lists("bad.example", "a.b.deep.example", "192.0.2.7", "[2001:db8::1]")
                .lists("only.example", "sample", "phishing", Match.EXACT)
                .lists("two.example", "sample", "phishing", Match.SUFFIX)
                .lists("two.example", "other", "malware", Match.SUFFIX)
                .lists("noise.example", "other", "tracking", Match.SUFFIX)
                .collides("chance.example")
                .fallsSilent("silent.example");
    }

    @ParameterizedTest
    @CsvSource({
        "bad.example, NOERROR 127.0.0.2",
        "www.bad.example, NOERROR 127.0.0.2",
        "BAD.Example, NOERROR 127.0.0.2",
        "only.example, NOERROR 127.0.0.2",
        "www.only.example, NXDOMAIN",
        "good.example, NXDOMAIN",
        "chance.example, NXDOMAIN",
        "silent.example, SERVFAIL",
        "7.2.0.192, NOERROR 127.0.0.2",
        "8.2.0.192, NXDOMAIN",
        "192.0.2.7, NXDOMAIN",
        "1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2, NOERROR 127.0.0.2",
        "2.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2, NXDOMAIN",
        "test, NOERROR 127.0.0.2",
        "TEST, NOERROR 127.0.0.2",
        "invalid, NXDOMAIN",
        "1.0.0.127, NXDOMAIN",
    })
    void host_isAnswered(String host, String answer) {
        assertEquals(answer, new Asking(hosts().inForce()).address(host));
    }

    /// RFC 8020: below a name that does not exist nothing is asked by a resolver that minimises names.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "example",
                "deep.example",
                "b.deep.example",
                "192",
                "0.192",
                "2.0.192",
                "2",
                "0.0.2",
                "d.0.1.0.0.2"
            })
    void nameAboveAListedOne_exists(String host) {
        Message answer = new Asking(hosts().inForce()).ask(host, Type.A);
        assertEquals("NOERROR", summary(answer));
        assertEquals(Type.SOA, answer.getSection(Section.AUTHORITY).getFirst().getType());
    }

    @ParameterizedTest
    @ValueSource(strings = {"com", "shallow.example", "c.b.deep.example", "193"})
    void otherName_doesNotExist(String host) {
        assertEquals("NXDOMAIN", new Asking(hosts().inForce()).address(host));
    }

    @Test
    void unknownParents_denyNoName() {
        assertEquals("NOERROR", new Asking(hosts().movesElsewhere().inForce()).address("good.example"));
    }

    @Test
    void category_hasItsCodeAndText() {
        Asking asking = new Asking(
                hosts().inForce(),
                zone(List.of(), Map.of("malware", "127.0.0.5", "default", "127.0.0.9"), "see {name} ({category})"));
        assertEquals("NOERROR 127.0.0.5 127.0.0.9", asking.address("two.example"));
        assertEquals(
                "NOERROR \"see www.two.example (malware)\" \"see www.two.example (phishing)\"",
                summary(asking.ask("www.two.example", Type.TXT)));
    }

    @Test
    void feedOutsideTheZone_isNotAnswered() {
        Asking asking = new Asking(hosts().inForce(), zone(List.of("other"), Map.of("malware", "127.0.0.5"), ""));
        assertEquals("NOERROR 127.0.0.5", asking.address("two.example"));
        assertEquals("NXDOMAIN", asking.address("bad.example"));
    }

    @Test
    void categoryThatDoesNotReject_needsItsOwnCode() {
        RejectedCategories refused = category -> !category.equals("tracking");
        Asking without = new Asking(hosts().inForce(), ZoneOptions.defaults(), refused, NOW);
        assertEquals("NXDOMAIN", without.address("noise.example"));
        Asking with = new Asking(hosts().inForce(), zone(List.of(), Map.of("tracking", "127.0.0.8"), ""), refused, NOW);
        assertEquals("NOERROR 127.0.0.8", with.address("noise.example"));
    }

    /// Nor does a feed that only marks mail, by its action or while it is on probation; one on trial never
    /// does.
    @Test
    void feedThatDoesNotReject_needsItsOwnCode() {
        ListedHosts hosts = new ListedHosts()
                .lists("trial.example", "phishing", new ListingSource.OfFeed(Optional.empty(), true))
                .lists("rejects.example", "spam", new ListingSource.OfFeed(Optional.of(Action.REJECT), false))
                .lists("tags.example", "spam", new ListingSource.OfFeed(Optional.of(Action.TAG), false))
                .lists("defers.example", "phishing", new ListingSource.OfFeed(Optional.of(Action.DEFER), false))
                .inForce();
        Asking byDefault = new Asking(hosts);
        Asking coded = new Asking(hosts, zone(List.of(), Map.of("phishing", "127.0.0.4", "spam", "127.0.0.6"), ""));
        assertEquals(List.of("NXDOMAIN", "NXDOMAIN"), said("trial.example", byDefault, coded));
        assertEquals(List.of("NOERROR 127.0.0.2", "NOERROR 127.0.0.6"), said("rejects.example", byDefault, coded));
        assertEquals(List.of("NXDOMAIN", "NOERROR 127.0.0.6"), said("tags.example", byDefault, coded));
        assertEquals(List.of("NXDOMAIN", "NOERROR 127.0.0.4"), said("defers.example", byDefault, coded));
    }

    private static List<String> said(String host, Asking... queried) {
        return Arrays.stream(queried).map(asking -> asking.address(host)).toList();
    }

    /// Another feed's listing must not make "cannot say" of a feed in the zone look like "not listed".
    @Test
    void listingOutsideTheZone_doesNotHideAnUnknown() {
        ListedHosts hosts = new ListedHosts()
                .lists("www.doubt.example", "other", "phishing", Match.SUFFIX)
                .fallsSilent("doubt.example");
        Asking asking = new Asking(hosts.inForce(), zone(List.of("sample"), Map.of(), ""));
        assertEquals("SERVFAIL", asking.address("www.doubt.example"));
    }

    @Test
    void operatorListing_hasTheDefaultCodeInEveryZone() {
        ListedHosts hosts = hosts().operatorLists("mine.example", "phishing").inForce();
        Asking asking =
                new Asking(hosts, zone(List.of("other"), Map.of("phishing", "127.0.0.4", "default", "127.0.0.3"), ""));
        assertEquals("NOERROR 127.0.0.3", asking.address("www.mine.example"));
        assertEquals("NXDOMAIN", asking.address("deeper.example"));
    }

    @Test
    void exception_appliesOnlyIfItIsForAllRecipients() {
        ListedHosts hosts = hosts().operatorExempts("bad.example", Optional.empty())
                .operatorExempts("two.example", Optional.of("lists.example"))
                .inForce();
        Asking asking = new Asking(hosts);
        assertEquals("NXDOMAIN", asking.address("www.bad.example"));
        assertEquals("NOERROR 127.0.0.2", asking.address("two.example"));
    }

    @Test
    void noSnapshot_answersOperatorListingsOnly() {
        ListedHosts hosts =
                new ListedHosts().operatorLists("mine.example", "spam").onlyLocal();
        Asking asking = new Asking(hosts);
        for (String host : List.of("", "test", "invalid", "good.example")) {
            Message answer = asking.ask(withEdns(question(host.isEmpty() ? ZONE : host + "." + ZONE, Type.A), 1232, 0));
            assertEquals("SERVFAIL", summary(answer), host);
            assertEquals(14, extendedError(answer), host);
        }
        assertEquals("NOERROR 127.0.0.2", asking.address("mine.example"));
    }

    @Test
    void oldSnapshot_getsServfail() {
        Instant late = ListedHosts.CREATED.plus(Duration.ofDays(7)).plusSeconds(1);
        Asking asking = new Asking(hosts().inForce(), ZoneOptions.defaults(), Asking.ALL_REJECT, late);
        for (String host : List.of("bad.example", "good.example", "test")) {
            Message answer = asking.ask(withEdns(question(host + "." + ZONE, Type.A), 1232, 0));
            assertEquals("SERVFAIL", summary(answer), host);
            assertEquals(3, extendedError(answer), host);
        }
        Instant inTime = late.minusSeconds(1);
        assertEquals(
                "NOERROR 127.0.0.2",
                new Asking(hosts().inForce(), ZoneOptions.defaults(), Asking.ALL_REJECT, inTime)
                        .address("bad.example"));
    }

    @Test
    void unresolvedName_hasAnExtendedError() {
        Message answer =
                new Asking(hosts().inForce()).ask(withEdns(question("silent.example." + ZONE, Type.A), 1232, 0));
        assertEquals("SERVFAIL", summary(answer));
        assertEquals(14, extendedError(answer));
    }

    @Test
    void clientOutsideNetworks_getsRefused() {
        Asking asking = new Asking(hosts().inForce());
        Message answer = asking.ask(
                withEdns(question("bad.example." + ZONE, Type.A), 1232, 0),
                InetAddress.ofLiteral("192.0.2.1"),
                Transport.UDP);
        assertEquals("REFUSED", summary(answer));
        assertEquals(18, extendedError(answer));
        assertFalse(answer.getHeader().getFlag(Flags.AA));
    }

    @Test
    void otherZoneClassOrTransfer_getsRefused() throws Exception {
        Asking asking = new Asking(hosts().inForce());
        assertEquals("REFUSED", summary(asking.ask(question("bad.example", Type.A))));
        assertEquals("REFUSED", summary(asking.ask(question("xdbl.example", Type.A))));
        assertEquals("REFUSED", summary(asking.ask(question(ZONE, Type.AXFR))));
        Record chaos = Record.newRecord(Name.fromString("bad.example." + ZONE + "."), Type.TXT, DClass.CH);
        assertEquals("REFUSED", summary(asking.ask(Message.newQuery(chaos))));
        Message transfer = question(ZONE, Type.IXFR);
        transfer.addRecord(asking.ask("", Type.SOA).getSection(Section.ANSWER).getFirst(), Section.AUTHORITY);
        assertEquals("REFUSED", summary(asking.ask(transfer)));
    }

    @Test
    void apex_hasSoaAndNs() {
        Asking asking = new Asking(hosts().inForce());
        SOARecord soa =
                (SOARecord) asking.ask("", Type.SOA).getSection(Section.ANSWER).getFirst();
        assertEquals("mail.example.", soa.getHost().toString());
        assertEquals("hostmaster.mail.example.", soa.getAdmin().toString());
        assertEquals(ListedHosts.CREATED.getEpochSecond(), soa.getSerial());
        assertEquals(60, soa.getMinimum());
        assertEquals("NOERROR mail.example.", summary(asking.ask("", Type.NS)));
        assertEquals("NOERROR", summary(asking.ask("", Type.A)));
    }

    @Test
    void otherTypeOfAListedName_isEmpty() {
        Asking asking = new Asking(hosts().inForce());
        assertEquals("NOERROR", summary(asking.ask("bad.example", Type.MX)));
        assertEquals("NOERROR", summary(asking.ask("bad.example", Type.AAAA)));
        assertEquals("NOERROR 127.0.0.2", summary(asking.ask("bad.example", Type.ANY)));
    }

    /// RFC 8482 for ANY; nothing is served by a type of its own.
    @ParameterizedTest
    @CsvSource({
        "1, 1, NOERROR 127.0.0.2",
        "1, 255, NOERROR 127.0.0.2",
        "255, 1, NOERROR 127.0.0.2",
        "255, 255, NOERROR 127.0.0.2",
        "65, 1, NOERROR",
        "64, 1, NOERROR",
        "2, 1, NOERROR",
        "6, 1, NOERROR",
        "43, 1, NOERROR",
        "48, 1, NOERROR",
        "0, 1, NOERROR",
        "10, 1, NOERROR",
        "65535, 1, NOERROR",
        "1, 3, REFUSED",
        "16, 4, REFUSED",
        "255, 3, REFUSED",
        "1, 0, REFUSED",
        "1, 254, REFUSED",
        "252, 1, REFUSED",
        "252, 255, REFUSED",
        "251, 1, REFUSED",
    })
    void everyTypeAndClass_hasItsAnswer(int type, int classCode, String said) {
        Asking asking = new Asking(hosts().inForce());
        byte[] question = question("bad.example." + ZONE, Type.A).toWire();
        question[question.length - 3] = (byte) type;
        question[question.length - 4] = (byte) (type >> 8);
        question[question.length - 1] = (byte) classCode;
        Message answer = Asking.read(asking.bytes(question, Asking.CLIENT, Transport.UDP));
        assertEquals(said, summary(answer));
        assertEquals(
                said.equals("NOERROR") ? 1 : 0,
                answer.getSection(Section.AUTHORITY).size());
    }

    /// Signed zones are not served: who asks for signatures gets the answer without.
    @Test
    void optionsOfAQuery_areIgnored() {
        Asking asking = new Asking(hosts().inForce());
        Message question = question("bad.example." + ZONE, Type.A);
        question.addRecord(
                new OPTRecord(
                        512,
                        0,
                        0,
                        ExtendedFlags.DO,
                        List.of(
                                new GenericEDNSOption(EDNSOption.Code.NSID, new byte[0]),
                                new GenericEDNSOption(EDNSOption.Code.COOKIE, new byte[8]),
                                new GenericEDNSOption(12, new byte[300]))),
                Section.ADDITIONAL);
        Message answer = asking.ask(question);
        assertEquals("NOERROR 127.0.0.2", summary(answer));
        assertEquals(List.of(), answer.getOPT().getOptions());
        assertEquals(ExtendedFlags.DO, answer.getOPT().getFlags());
    }

    @Test
    void zoneWithoutText_hasNoTxtRecords() {
        Asking asking = new Asking(hosts().inForce(), zone(List.of(), Map.of(), ""));
        assertEquals("NOERROR", summary(asking.ask("bad.example", Type.TXT)));
    }

    @Test
    void caseOfTheQuery_isThatOfTheAnswer() {
        Message answer = new Asking(hosts().inForce()).ask(question("bAd.eXaMpLe.DbL.example", Type.A));
        assertEquals("bAd.eXaMpLe.DbL.example.", answer.getQuestion().getName().toString());
        assertEquals(
                "bAd.eXaMpLe.DbL.example.",
                answer.getSection(Section.ANSWER).getFirst().getName().toString());
        Message negative = new Asking(hosts().inForce()).ask(question("gOod.DbL.example", Type.A));
        assertEquals(
                "DbL.example.",
                negative.getSection(Section.AUTHORITY).getFirst().getName().toString());
    }

    @Test
    void ednsQuery_isAnsweredWithEdns() {
        Asking asking = new Asking(hosts().inForce());
        Message answer = asking.ask(withEdns(question("bad.example." + ZONE, Type.A), 4096, 0));
        assertEquals(1232, answer.getOPT().getPayloadSize());
        assertNull(asking.ask("bad.example", Type.A).getOPT());
        Message newer = asking.ask(withEdns(question("bad.example." + ZONE, Type.A), 4096, 1));
        assertEquals(org.xbill.DNS.Rcode.BADVERS, newer.getRcode());
        assertEquals(0, newer.getOPT().getVersion());
    }

    @Test
    void answerBeyondADatagram_isTruncated() {
        ListedHosts hosts = new ListedHosts();
        for (int i = 0; i < 20; i++) {
            hosts.lists("many.example", "feed" + i, "category" + i, Match.SUFFIX);
        }
        String longText = "x".repeat(200);
        Asking asking = new Asking(hosts.inForce(), zone(List.of(), Map.of(), longText));
        Message question = question("many.example." + ZONE, Type.TXT);
        Message cut = asking.ask(question);
        assertTrue(cut.getHeader().getFlag(Flags.TC));
        assertEquals(0, cut.getSection(Section.ANSWER).size());
        Message whole = asking.ask(question, Asking.CLIENT, Transport.TCP);
        assertFalse(whole.getHeader().getFlag(Flags.TC));
        assertEquals(ServedZone.MAX_RECORDS, whole.getSection(Section.ANSWER).size());
        assertTrue(asking.bytes(withEdns(question, 65_535, 0).toWire(), Asking.CLIENT, Transport.UDP).length
                <= AnswerWriter.MAX_UDP_BYTES);
    }

    @Test
    void ttl_endsWithTheNextLayer() {
        ZoneOptions zone = ZoneOptions.defaults();
        Instant soon = ListedHosts.CREATED.plus(Duration.ofHours(1)).minusSeconds(45);
        Asking asking = new Asking(hosts().inForce("hourly"), zone, Asking.ALL_REJECT, soon);
        assertEquals(
                45,
                asking.ask("bad.example", Type.A)
                        .getSection(Section.ANSWER)
                        .getFirst()
                        .getTTL());
        assertEquals(
                45,
                asking.ask("good.example", Type.A)
                        .getSection(Section.AUTHORITY)
                        .getFirst()
                        .getTTL());
        Asking late = new Asking(hosts().inForce("hourly"), zone, Asking.ALL_REJECT, soon.plusSeconds(3_600));
        assertEquals(
                30,
                late.ask("bad.example", Type.A)
                        .getSection(Section.ANSWER)
                        .getFirst()
                        .getTTL());
        Asking early = new Asking(hosts().inForce(), zone, Asking.ALL_REJECT, NOW);
        assertEquals(
                300,
                early.ask("bad.example", Type.A)
                        .getSection(Section.ANSWER)
                        .getFirst()
                        .getTTL());
    }

    @Test
    void nestedZone_isAnsweredByTheLowerOne() {
        ZoneOptions own = new ZoneOptions(
                Set.of(KeyKind.DOMAIN),
                List.of(),
                Map.of("default", ReturnCode.of("127.0.0.77")),
                Duration.ofMinutes(5),
                "");
        ActiveConfiguration rules = ActiveConfiguration.of(
                Asking.with(Map.of(DnsName.of("example"), ZoneOptions.defaults(), DnsName.of("dbl.example"), own)),
                "mail.example",
                Asking.ALL_REJECT,
                Asking.evaluator());
        Question question = new Question();
        byte[] bytes = question("bad.example.dbl.example", Type.A).toWire();
        assertEquals(Question.Reading.READ, question.read(bytes, bytes.length));
        assertEquals(ReturnCode.of("127.0.0.77"), rules.zones().getFirst().defaultCode());
        assertEquals(2, rules.zones().getFirst().labelIn(question));
        assertEquals(3, rules.zones().getLast().labelIn(question));
    }

    @Test
    void responsePacket_isNotAnswered() {
        Asking asking = new Asking(hosts().inForce());
        Message answer = asking.ask("bad.example", Type.A);
        assertEquals(0, asking.bytes(answer.toWire(), Asking.CLIENT, Transport.UDP).length);
        assertEquals(1, asking.counts.ignored.count());
    }
}
