package org.bloomgate.lookup.dns;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.bloomgate.lookup.dns.DnsQuestion.RecordType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.NSRecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.Opcode;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.TXTRecord;
import org.xbill.DNS.Type;

class ReplyReaderTest {
    private static final String NAME = "bad.example.dbl.example";
    private static final Message QUERY = DnsMessages.query(NAME);

    @Test
    void addressesComeWithTheShortestTtl() {
        Message response = DnsMessages.addresses(QUERY, 300, "127.0.0.4");
        response.addRecord(DnsMessages.a(DnsMessages.name(NAME), 60, "127.0.0.2"), Section.ANSWER);
        assertEquals(addresses(60, "127.0.0.2", "127.0.0.4"), read(response));
    }

    @Test
    void theNameMayComeInAnotherCase() {
        Message response = DnsMessages.response(QUERY, Rcode.NOERROR);
        response.addRecord(DnsMessages.a(DnsMessages.name("BAD.example.DBL.example"), 60, "127.0.0.2"), Section.ANSWER);
        assertEquals(addresses(60, "127.0.0.2"), read(response));
    }

    @Test
    void aTtlWithItsHighestBitSetIsNone() throws IOException {
        byte[] bytes = DnsMessages.addresses(QUERY, 60, "127.0.0.2").toWire();
        bytes[bytes.length - 10] = (byte) 0x80;
        assertEquals(addresses(0, "127.0.0.2"), read(new Message(bytes)));
    }

    @Test
    void aDenialIsKeptAsLongAsTheStartOfAuthoritySays() {
        for (int rcode : List.of(Rcode.NXDOMAIN, Rcode.NOERROR)) {
            for (String zone : List.of("dbl.example", "example", ".")) {
                Message response = DnsMessages.response(QUERY, rcode);
                response.addRecord(DnsMessages.soa(zone, 300, 40), Section.AUTHORITY);
                assertEquals(new DnsReply.Absent(Duration.ofSeconds(40)), read(response));
            }
        }
        Message response = DnsMessages.response(QUERY, Rcode.NXDOMAIN);
        response.addRecord(DnsMessages.soa("dbl.example", 30, 400), Section.AUTHORITY);
        assertEquals(new DnsReply.Absent(Duration.ofSeconds(30)), read(response));
    }

    @Test
    void aDenialWithoutAStartOfAuthorityHasNoTtl() {
        for (int rcode : List.of(Rcode.NXDOMAIN, Rcode.NOERROR)) {
            assertEquals(new DnsReply.Absent(Duration.ZERO), read(DnsMessages.response(QUERY, rcode)));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Rcode.FORMERR, Rcode.SERVFAIL, Rcode.NOTIMP, Rcode.REFUSED, Rcode.NOTAUTH, 15})
    void errorsAreFailures(int rcode) {
        assertFails("answer is an error: ", DnsMessages.response(QUERY, rcode));
        Message withAddress = DnsMessages.addresses(QUERY, 60, "127.0.0.2");
        withAddress.getHeader().setRcode(rcode);
        assertFails("answer is an error: ", withAddress);
    }

    @Test
    void whatIsNoAnswerToTheQuestionIsAFailure() {
        assertOdd(response -> response.getHeader().unsetFlag(Flags.QR));
        assertOdd(response -> response.getHeader().setOpcode(Opcode.NOTIFY));
        assertOdd(response -> response.getHeader().setFlag(Flags.TC));
        assertOdd(response -> response.getHeader().unsetFlag(Flags.AA));
        assertOdd(response -> response.removeAllRecords(Section.QUESTION));
        assertOdd(response -> response.addRecord(QUERY.getQuestion(), Section.QUESTION));
        assertOdd(response -> {
            response.removeAllRecords(Section.QUESTION);
            response.addRecord(DnsMessages.query("other.dbl.example").getQuestion(), Section.QUESTION);
        });
    }

    @Test
    void resolversNeedNotBeAuthoritative() {
        Message response = DnsMessages.addresses(QUERY, 60, "127.0.0.2");
        response.getHeader().unsetFlag(Flags.AA);
        response.getHeader().setFlag(Flags.RA);
        assertEquals(addresses(60, "127.0.0.2"), read(response));
    }

    @Test
    void onlyAddressesOfTheVeryNameAreOne() {
        Message other = DnsMessages.response(QUERY, Rcode.NOERROR);
        other.addRecord(DnsMessages.a(DnsMessages.name("other.dbl.example"), 60, "127.0.0.2"), Section.ANSWER);
        assertFails("answer unusable: ", other);

        Message alias = DnsMessages.addresses(QUERY, 60, "127.0.0.2");
        alias.addRecord(
                new CNAMERecord(DnsMessages.name(NAME), DClass.IN, 60, DnsMessages.name("search.example")),
                Section.ANSWER);
        assertFails("answer unusable: cname", alias);

        Message text = DnsMessages.response(QUERY, Rcode.NOERROR);
        text.addRecord(new TXTRecord(DnsMessages.name(NAME), DClass.IN, 60, "listed"), Section.ANSWER);
        assertFails("answer unusable: txt", text);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, ReplyReader.MAX_ALIASES})
    void aliases_areFollowedForOtherNames(int aliases) {
        Message response = aliased(aliases, Rcode.NOERROR);
        response.addRecord(DnsMessages.a(alias(aliases), 60, "192.0.2.1"), Section.ANSWER);
        response.addRecord(new TXTRecord(alias(aliases), DClass.IN, 60, "ignored"), Section.ANSWER);
        assertEquals(addresses(aliases == 0 ? 60 : 30, "192.0.2.1"), readOther(response));
        if (aliases > 0) {
            assertFails("answer unusable: ", response);
        }
    }

    @Test
    void aliases_beyondTheBound_areAFailure() {
        Message response = aliased(ReplyReader.MAX_ALIASES + 1, Rcode.NOERROR);
        response.addRecord(DnsMessages.a(alias(ReplyReader.MAX_ALIASES + 1), 60, "192.0.2.1"), Section.ANSWER);
        assertInstanceOf(DnsReply.Failed.class, readOther(response));
    }

    /// The zone of the alias denies, not that of the question.
    @ParameterizedTest
    @ValueSource(ints = {Rcode.NOERROR, Rcode.NXDOMAIN})
    void denialBehindAnAlias_isOfTheAlias(int rcode) {
        Message response = aliased(1, rcode);
        response.addRecord(DnsMessages.soa("target.example", 300, 40), Section.AUTHORITY);
        assertEquals(new DnsReply.Absent(Duration.ofSeconds(40)), readOther(response));
        Message wrong = aliased(1, rcode);
        wrong.addRecord(DnsMessages.soa("dbl.example", 300, 40), Section.AUTHORITY);
        assertInstanceOf(DnsReply.Failed.class, readOther(wrong));
    }

    private static Name alias(int i) {
        return DnsMessages.name(i == 0 ? NAME : "a" + i + ".target.example");
    }

    private static Message aliased(int aliases, int rcode) {
        Message response = DnsMessages.response(QUERY, rcode);
        for (int i = 0; i < aliases; i++) {
            response.addRecord(new CNAMERecord(alias(i), DClass.IN, 30, alias(i + 1)), Section.ANSWER);
        }
        return response;
    }

    private static DnsReply readOther(Message response) {
        return ReplyReader.read(response, DnsQuestion.of(NAME, RecordType.A), QUERY.getQuestion());
    }

    @Test
    void recordLength_atBoundAndBeyond_isIgnoredBeyond() {
        Message query = Message.newQuery(Record.newRecord(DnsMessages.name(NAME), Type.TXT, DClass.IN));
        Message response = DnsMessages.response(query, Rcode.NOERROR);
        List<String> longest = new ArrayList<>(Collections.nCopies(ReplyReader.MAX_VALUE_CHARS / 128, "x".repeat(128)));
        response.addRecord(new TXTRecord(DnsMessages.name(NAME), DClass.IN, 60, longest), Section.ANSWER);
        longest.add("x");
        response.addRecord(new TXTRecord(DnsMessages.name(NAME), DClass.IN, 60, longest), Section.ANSWER);
        assertEquals(
                new DnsReply.Found(List.of("x".repeat(ReplyReader.MAX_VALUE_CHARS)), Duration.ofSeconds(60)),
                ReplyReader.read(response, DnsQuestion.of(NAME, RecordType.TXT), query.getQuestion()));
    }

    @Test
    void addressesOfANameThatDoesNotExistAreAFailure() {
        Message response = DnsMessages.addresses(QUERY, 60, "127.0.0.2");
        response.getHeader().setRcode(Rcode.NXDOMAIN);
        assertFails("answer unusable: ", response);
    }

    @Test
    void aReferralDeniesNothing() {
        Message response = DnsMessages.response(QUERY, Rcode.NOERROR);
        response.addRecord(
                new NSRecord(DnsMessages.name("dbl.example"), DClass.IN, 60, DnsMessages.name("ns.example")),
                Section.AUTHORITY);
        assertFails("answer unusable: a referral", response);
    }

    @Test
    void anotherZoneDeniesNothing() {
        Message response = DnsMessages.denial(QUERY, Rcode.NXDOMAIN, "elsewhere.example", 60);
        assertFails("answer unusable: denied by elsewhere.example.", response);
    }

    /// Bits turned behind the header make another address or an answer that is refused, never a denial of a listing,
    /// and no listing out of a denial.
    @Test
    void garbageTurnsNoAnswerIntoItsOpposite() {
        Random random = new Random(7);
        byte[] listed = DnsMessages.addresses(QUERY, 60, "127.0.0.2").toWire();
        byte[] denied =
                DnsMessages.denial(QUERY, Rcode.NXDOMAIN, "dbl.example", 60).toWire();
        int same = 0;
        for (int i = 0; i < 20_000; i++) {
            DnsReply ofListed = garbled(listed, random);
            assertTrue(!(ofListed instanceof DnsReply.Absent), ofListed::toString);
            DnsReply ofDenied = garbled(denied, random);
            assertTrue(!(ofDenied instanceof DnsReply.Found), ofDenied::toString);
            same += ofListed instanceof DnsReply.Found && ofDenied instanceof DnsReply.Absent ? 1 : 0;
        }
        assertTrue(same > 100, "garbled beyond use, nearly all of it: " + same);
    }

    private static DnsReply garbled(byte[] bytes, Random random) {
        byte[] garbled = bytes.clone();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            garbled[12 + random.nextInt(garbled.length - 12)] ^= (byte) (1 << random.nextInt(8));
        }
        try {
            return read(new Message(garbled));
        } catch (IOException e) {
            return new DnsReply.Failed(DnsReply.Cause.ERROR, "unreadable");
        }
    }

    private static void assertOdd(Consumer<Message> change) {
        for (Message sound : List.of(
                DnsMessages.addresses(QUERY, 60, "127.0.0.2"),
                DnsMessages.denial(QUERY, Rcode.NXDOMAIN, "dbl.example", 60))) {
            change.accept(sound);
            assertFails("answer unusable: ", sound);
        }
    }

    private static void assertFails(String beginning, Message response) {
        String reason = assertInstanceOf(DnsReply.Failed.class, read(response)).reason();
        assertTrue(reason.startsWith(beginning), reason);
    }

    private static DnsReply read(Message response) {
        return ReplyReader.read(response, DnsQuestion.ofList(NAME, "dbl.example"), QUERY.getQuestion());
    }

    private static DnsReply addresses(long ttl, String... addresses) {
        return new DnsReply.Found(List.of(addresses), Duration.ofSeconds(ttl));
    }
}
