package org.bloomgate.lookup.dnsbl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.NSRecord;
import org.xbill.DNS.Opcode;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Section;
import org.xbill.DNS.TXTRecord;

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
        assertFails("zone answer is an error: ", DnsMessages.response(QUERY, rcode));
        Message withAddress = DnsMessages.addresses(QUERY, 60, "127.0.0.2");
        withAddress.getHeader().setRcode(rcode);
        assertFails("zone answer is an error: ", withAddress);
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
        assertFails("zone answer unusable: ", other);

        Message alias = DnsMessages.addresses(QUERY, 60, "127.0.0.2");
        alias.addRecord(
                new CNAMERecord(DnsMessages.name(NAME), DClass.IN, 60, DnsMessages.name("search.example")),
                Section.ANSWER);
        assertFails("zone answer unusable: cname", alias);

        Message text = DnsMessages.response(QUERY, Rcode.NOERROR);
        text.addRecord(new TXTRecord(DnsMessages.name(NAME), DClass.IN, 60, "listed"), Section.ANSWER);
        assertFails("zone answer unusable: txt", text);
    }

    @Test
    void addressesOfANameThatDoesNotExistAreAFailure() {
        Message response = DnsMessages.addresses(QUERY, 60, "127.0.0.2");
        response.getHeader().setRcode(Rcode.NXDOMAIN);
        assertFails("zone answer unusable: ", response);
    }

    @Test
    void aReferralDeniesNothing() {
        Message response = DnsMessages.response(QUERY, Rcode.NOERROR);
        response.addRecord(
                new NSRecord(DnsMessages.name("dbl.example"), DClass.IN, 60, DnsMessages.name("ns.example")),
                Section.AUTHORITY);
        assertFails("zone answer unusable: a referral", response);
    }

    @Test
    void anotherZoneDeniesNothing() {
        Message response = DnsMessages.denial(QUERY, Rcode.NXDOMAIN, "elsewhere.example", 60);
        assertFails("zone answer unusable: denied by elsewhere.example.", response);
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
            assertTrue(!(ofDenied instanceof DnsReply.Addresses), ofDenied::toString);
            same += ofListed instanceof DnsReply.Addresses && ofDenied instanceof DnsReply.Absent ? 1 : 0;
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
            return new DnsReply.Failed("unreadable");
        }
    }

    private static void assertOdd(Consumer<Message> change) {
        for (Message sound : List.of(
                DnsMessages.addresses(QUERY, 60, "127.0.0.2"),
                DnsMessages.denial(QUERY, Rcode.NXDOMAIN, "dbl.example", 60))) {
            change.accept(sound);
            assertFails("zone answer unusable: ", sound);
        }
    }

    private static void assertFails(String beginning, Message response) {
        String reason = assertInstanceOf(DnsReply.Failed.class, read(response)).reason();
        assertTrue(reason.startsWith(beginning), reason);
    }

    private static DnsReply read(Message response) {
        return ReplyReader.read(response, QUERY.getQuestion());
    }

    private static DnsReply addresses(long ttl, String... addresses) {
        return new DnsReply.Addresses(new TreeSet<>(List.of(addresses)), Duration.ofSeconds(ttl));
    }
}
