package org.bloomgate.decision.authentication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bloomgate.decision.authentication.SpfResult.Reason;
import org.bloomgate.lookup.dns.DnsQuestion.RecordType;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SpfCheckTest {
    private static final String DOMAIN = "partner.example";
    private static final String MAIL_FROM = "sales@" + DOMAIN;
    private static final String HELO = "mail.partner.example";
    private static final String IPV4 = "192.0.2.1";
    private static final String IPV6 = "2001:db8:1::1";

    private final ZoneQueries zones = new ZoneQueries();

    private SpfCheckTest record(String domain, String record) {
        zones.with(domain, RecordType.TXT, record);
        return this;
    }

    private Reason check() {
        return check(IPV4);
    }

    private Reason check(String client) {
        return check(client, MAIL_FROM, HELO).reason();
    }

    private SpfResult check(String client, String mailFrom, String helo) {
        return new SpfCheck(zones).check(InetAddress.ofLiteral(client), mailFrom, helo);
    }

    private static String terms(int count, String term) {
        return IntStream.rangeClosed(1, count).mapToObj(term::formatted).collect(Collectors.joining(" "));
    }

    private static String[] names(int count, String name) {
        return IntStream.rangeClosed(1, count).mapToObj(name::formatted).toArray(String[]::new);
    }

    @Nested
    class MailFrom {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "",
                    "sales",
                    "sales@",
                    "sales@localhost",
                    "sales@[192.0.2.1]",
                    "sales@192.0.2.1",
                    "sales@partner..example",
                    "sales@partner.example.",
                    "sales@p%61rtner.example",
                    "sales@partner .example"
                })
        void mailFrom_withoutDomain_isNone(String mailFrom) {
            record(DOMAIN, "v=spf1 ip4:192.0.2.1 -all").record(HELO, "v=spf1 ip4:192.0.2.1 -all");

            assertEquals(new SpfResult(Reason.NONE, ""), check(IPV4, mailFrom, HELO));
            assertEquals(List.of(), zones.queried());
        }

        @ParameterizedTest
        @CsvSource({
            "sales@PARTNER.example, partner.example",
            "sales@bücher.example, xn--bcher-kva.example",
            "sales@straße.example, xn--strae-oqa.example",
            "\"a@b\"@partner.example, partner.example",
            "@partner.example, partner.example"
        })
        void domain_anySpelling_isALabels(String mailFrom, String domain) {
            record(domain, "v=spf1 ip4:192.0.2.1 -all");

            assertEquals(new SpfResult(Reason.PASS, domain), check(IPV4, mailFrom, HELO));
        }

        @Test
        void mailFrom_longerThanBound_isNone() {
            record(DOMAIN, "v=spf1 ip4:192.0.2.1 -all");
            String longest = "a".repeat(SpfCheck.MAX_MAIL_FROM_CHARS - DOMAIN.length() - 1) + "@" + DOMAIN;

            assertEquals(Reason.PASS, check(IPV4, longest, HELO).reason());
            assertEquals(Reason.NONE, check(IPV4, "a" + longest, HELO).reason());
        }

        @Test
        void helo_withOwnRecord_isNoIdentity() {
            record(HELO, "v=spf1 ip4:192.0.2.1 -all");

            assertEquals(Reason.NONE, check());
            assertEquals(List.of("partner.example TXT"), zones.queried());
        }

        @Test
        void helo_inMacro_isExpanded() {
            record(DOMAIN, "v=spf1 a:%{h} -all");
            zones.with(HELO, RecordType.A, IPV4);

            assertEquals(Reason.PASS, check());
        }

        @Test
        void client_ipv4Mapped_isIpv4() throws UnknownHostException {
            byte[] mapped = new byte[16];
            mapped[10] = -1;
            mapped[11] = -1;
            System.arraycopy(InetAddress.ofLiteral(IPV4).getAddress(), 0, mapped, 12, 4);
            record(DOMAIN, "v=spf1 ip4:192.0.2.1 -all");

            assertEquals(
                    Reason.PASS,
                    new SpfCheck(zones)
                            .check(Inet6Address.getByAddress(null, mapped, -1), MAIL_FROM, HELO)
                            .reason());
        }
    }

    @Nested
    class Results {
        @ParameterizedTest
        @CsvSource({
            "ip4:192.0.2.1 -all, PASS, PASS",
            "ip4:198.51.100.1 -all, FAIL, FAIL",
            "ip4:198.51.100.1 ~all, SOFTFAIL, FAIL",
            "?ip4:192.0.2.1 -all, NEUTRAL, FAIL",
            "ip4:198.51.100.1, NEUTRAL, FAIL",
            "ip4:192.0.2.256, PERMERROR, FAIL",
            "ip4:192.0.2.1/99999999999, PERMERROR, FAIL",
            "ip4:192.0.2.1 a/024, PERMERROR, FAIL",
            "ip4:192.0.2.1 a:%{c}.example, PERMERROR, FAIL",
            "ip4:192.0.2.1 a:%{d0}.example, PERMERROR, FAIL"
        })
        void record_evaluated_hasReasonAndResult(String terms, Reason reason, MechanismResult result) {
            record(DOMAIN, "v=spf1 " + terms);

            SpfResult spf = check(IPV4, MAIL_FROM, HELO);

            assertEquals(reason, spf.reason());
            assertEquals(result, spf.result());
        }

        @ParameterizedTest
        @EnumSource(Reason.class)
        void reason_asLabel_isLowerCaseWithHyphens(Reason reason) {
            assertTrue(reason.label().matches("[a-z]+(-[a-z]+)?"));
        }

        @Test
        void include_ofRecordWithoutTerms_doesNotMatch() {
            record(DOMAIN, "v=spf1 include:empty.example ip4:192.0.2.1 -all").record("empty.example", "v=spf1");

            assertEquals(Reason.PASS, check());
        }

        @Test
        void tree_ofIncludesAndRedirect_isFollowed() {
            record(DOMAIN, "v=spf1 include:a.example redirect=b.example")
                    .record("a.example", "v=spf1 include:c.example -all")
                    .record("b.example", "v=spf1 ip4:192.0.2.1 -all")
                    .record("c.example", "v=spf1 ip4:198.51.100.1 -all");

            assertEquals(Reason.PASS, check());
            assertEquals(Reason.PASS, check("198.51.100.1"));
            assertEquals(Reason.FAIL, check("203.0.113.1"));
        }

        @Test
        void explanation_ofFail_isNotQueried() {
            record(DOMAIN, "v=spf1 -all exp=why.example");

            assertEquals(Reason.FAIL, check());
            assertEquals(List.of("partner.example TXT"), zones.queried());
        }

        @Test
        void label_tooLongAfterExpansion_doesNotMatch() {
            record(DOMAIN, "v=spf1 a:%{l}.spf.example ip4:192.0.2.1 -all");

            assertEquals(
                    Reason.PASS,
                    check(IPV4, "a".repeat(64) + "@" + DOMAIN, HELO).reason());
        }

        @Test
        void localPart_beyondAscii_isNotQueried() {
            record(DOMAIN, "v=spf1 include:%{l}.spf.example -all");

            assertEquals(
                    Reason.PERMERROR, check(IPV4, "b\u00fccher@" + DOMAIN, HELO).reason());
            assertEquals(List.of("partner.example TXT"), zones.queried());
        }

        @Test
        void mx_afterMxWithoutAddress_isEvaluated() {
            record(DOMAIN, "v=spf1 mx:a.example mx:b.example -all");
            zones.with("a.example", RecordType.MX, "10 none.example").with("b.example", RecordType.MX, "10 " + HELO);
            zones.with(HELO, RecordType.A, IPV4);

            assertEquals(Reason.PASS, check());
        }

        @Test
        void mx_thatIsAddress_isNoAddressOfNextMx() {
            record(DOMAIN, "v=spf1 mx:a.example mx:b.example -all");
            zones.with("a.example", RecordType.MX, "10 none.example").with("b.example", RecordType.MX, "10 192.0.2.1");

            assertEquals(Reason.FAIL, check());
        }
    }

    @Nested
    class Bounds {
        @ParameterizedTest
        @CsvSource({
            "mx:none%d.example, 2, PASS",
            "mx:none%d.example, 3, PERMERROR",
            "exists:none%d.example, 2, PASS",
            "exists:none%d.example, 3, PERMERROR"
        })
        void voidLookups_atAndBeyondBound_passAndPermerror(String term, int lookups, Reason reason) {
            record(DOMAIN, "v=spf1 " + terms(lookups, term) + " ip4:192.0.2.1 -all");

            assertEquals(reason, check());
        }

        @Test
        void voidLookups_beforePassOfExists_arePermerror() {
            record(DOMAIN, "v=spf1 " + terms(3, "exists:none%d.example") + " exists:%{i}.spf.example -all");
            zones.with("192.0.2.1.spf.example", RecordType.A, "127.0.0.2");

            assertEquals(Reason.PERMERROR, check());
        }

        @ParameterizedTest
        @CsvSource({"10, PASS", "11, PERMERROR"})
        void mxNames_atAndBeyondBound_passAndPermerror(int names, Reason reason) {
            record(DOMAIN, "v=spf1 mx -all");
            zones.with(DOMAIN, RecordType.MX, names(names, "10 h%d.example"));
            IntStream.rangeClosed(1, names)
                    .forEach(i -> zones.with("h" + i + ".example", RecordType.A, "192.0.2." + i));

            assertEquals(reason, check());
        }

        @ParameterizedTest
        @CsvSource({"10, PASS", "11, FAIL"})
        void ptrNames_atAndBeyondBound_areUsedAndNot(int names, Reason reason) {
            record(DOMAIN, "v=spf1 ptr -all");
            zones.with("1.2.0.192.in-addr.arpa", RecordType.PTR, names(names, "h%d.partner.example"));
            IntStream.range(1, names)
                    .forEach(i -> zones.with("h" + i + ".partner.example", RecordType.A, "198.51.100.1"));
            zones.with("h" + names + ".partner.example", RecordType.A, IPV4);

            assertEquals(reason, check());
        }

        @Test
        void term_longerThanBound_isPermerror() {
            String longest = "x=" + "y".repeat(SpfTermParser.MAX_TERM_CHARS - 2);
            record("a.example", "v=spf1 ip4:192.0.2.1 " + longest)
                    .record("b.example", "v=spf1 ip4:192.0.2.1 " + longest + "y");

            assertEquals(Reason.PASS, check(IPV4, "sales@a.example", HELO).reason());
            assertEquals(Reason.PERMERROR, check(IPV4, "sales@b.example", HELO).reason());
        }

        @ParameterizedTest
        @CsvSource({"10, PASS", "11, PERMERROR"})
        void macros_atAndBeyondBound_passAndPermerror(int macros, Reason reason) {
            record(DOMAIN, "v=spf1 ip4:192.0.2.1 a:" + "%{d1}.".repeat(macros - 1) + "%{d1} -all");

            assertEquals(reason, check());
        }

        @Test
        void helo_longerThanBound_isNotExpanded() {
            String longest = "a.".repeat(SpfCheck.MAX_HELO_CHARS / 2) + "a";
            record(DOMAIN, "v=spf1 exists:%{h1}.spf.example -all");

            check(IPV4, MAIL_FROM, longest);
            check(IPV4, MAIL_FROM, "a" + longest);

            assertEquals("a.spf.example A", zones.queried().get(1));
            assertEquals("unknown.spf.example A", zones.queried().getLast());
        }

        @Test
        void txt_inLatin1_isPermerrorOrIgnored() {
            record("a.example", "v=spf1 ip4:192.0.2.1 ip4:\u00e9 -all");
            zones.with("b.example", RecordType.TXT, "Gru\u00df", "v=spf1 ip4:192.0.2.1 -all");

            assertEquals(Reason.PERMERROR, check(IPV4, "sales@a.example", HELO).reason());
            assertEquals(Reason.PASS, check(IPV4, "sales@b.example", HELO).reason());
        }
    }

    @Nested
    class TooWide {
        @ParameterizedTest
        @CsvSource({
            "ip4:192.0.0.0/8, PASS",
            "ip4:192.0.0.0/7, TOO_WIDE",
            "a/8, PASS",
            "a/7, TOO_WIDE",
            "a/7//128, TOO_WIDE",
            "a/0, TOO_WIDE",
            "mx/8, PASS",
            "mx/7, TOO_WIDE",
            "ip4:10.0.0.0/7 ip4:192.0.2.1, PASS",
            "ip6:2001:db8::/19 ip4:192.0.2.1, PASS"
        })
        void ipv4Network_atAndBeyondBound_passAndNot(String terms, Reason reason) {
            record(DOMAIN, "v=spf1 " + terms + " -all");
            zones.with(DOMAIN, RecordType.A, IPV4).with(DOMAIN, RecordType.MX, "10 " + DOMAIN);

            assertEquals(reason, check());
        }

        @ParameterizedTest
        @CsvSource({
            "ip6:2600:1::/20, PASS",
            "ip6:2600:1::/19, TOO_WIDE",
            "a/7//20, PASS",
            "a//19, TOO_WIDE",
            "a//0, TOO_WIDE",
            "mx/32//20, PASS",
            "mx/32//19, TOO_WIDE"
        })
        void ipv6Network_atAndBeyondBound_passAndNot(String terms, Reason reason) {
            record(DOMAIN, "v=spf1 " + terms + " -all");
            zones.with(DOMAIN, RecordType.AAAA, "2600:1::2").with(DOMAIN, RecordType.MX, "10 " + DOMAIN);

            assertEquals(reason, check("2600:1::1"));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "+all",
                    "all",
                    "-ip4:198.51.100.1 -ip6:2600::/32 +all",
                    "include:all.example",
                    "redirect=all.example"
                })
        void all_ofEitherFamily_isTooWide(String terms) {
            record(DOMAIN, "v=spf1 " + terms).record("all.example", "v=spf1 +all");

            assertEquals(Reason.TOO_WIDE, check(IPV4));
            assertEquals(Reason.TOO_WIDE, check(IPV6));
        }

        @ParameterizedTest
        @ValueSource(strings = {"100.64.0.0/10", "240.0.0.0/8"})
        void controlAddress_ofIpv4_isTooWide(String network) {
            record(DOMAIN, "v=spf1 ip4:192.0.2.1 ip4:" + network + " -all");

            assertEquals(Reason.TOO_WIDE, check());
        }

        @Test
        void controlAddress_ofIpv6_isTooWide() {
            record(DOMAIN, "v=spf1 ip6:2600::1 ip6:2001:db8::/126 -all");

            assertEquals(Reason.TOO_WIDE, check("2600::1"));
        }

        @Test
        void controlAddress_ofOtherFamily_isNotChecked() {
            record(DOMAIN, "v=spf1 ip4:192.0.2.1 ip6:2001:db8::/126 -all");

            assertEquals(Reason.PASS, check());
        }

        @Test
        void exists_ofEveryAddress_isTooWide() {
            record(DOMAIN, "v=spf1 exists:%{i}.spf.example -all");
            List.of(IPV4, "100.64.0.1", "240.0.0.1")
                    .forEach(address -> zones.with(address + ".spf.example", RecordType.A, "127.0.0.2"));

            assertEquals(Reason.TOO_WIDE, check());
        }

        @Test
        void exists_ofOneAddress_passes() {
            record(DOMAIN, "v=spf1 exists:%{i}.spf.example -all");
            zones.with(IPV4 + ".spf.example", RecordType.A, "127.0.0.2");

            assertEquals(Reason.PASS, check());
        }

        @ParameterizedTest
        @ValueSource(strings = {"a:%{i}", "a:%{i}/32", "a:%{h}", "a:%{l}//64"})
        void address_thatMacroExpandsTo_doesNotMatch(String term) {
            record(DOMAIN, "v=spf1 " + term + " -all");

            assertEquals(Reason.FAIL, check(IPV4, IPV4 + "@" + DOMAIN, IPV4).reason());
            assertEquals(List.of("partner.example TXT", "192.0.2.1 A"), zones.queried());
        }

        @Test
        void wideNetwork_inFailedInclude_doesNotCount() {
            record(DOMAIN, "v=spf1 include:a.example ip4:192.0.2.1 -all")
                    .record("a.example", "v=spf1 -include:b.example -all")
                    .record("b.example", "v=spf1 ip4:192.0.0.0/7 -all");

            assertEquals(Reason.PASS, check());
        }

        @Test
        void wideNetwork_inPassedInclude_isTooWide() {
            record(DOMAIN, "v=spf1 include:a.example -all")
                    .record("a.example", "v=spf1 redirect=b.example")
                    .record("b.example", "v=spf1 ip4:192.0.0.0/7 -all");

            assertEquals(Reason.TOO_WIDE, check());
        }

        @Test
        void controlAddresses_ofSameNames_costNoQuery() {
            record(DOMAIN, "v=spf1 include:a.example a mx ptr -all").record("a.example", "v=spf1 a:b.example -all");
            zones.with(DOMAIN, RecordType.MX, "10 " + HELO).with(DOMAIN, RecordType.A, "198.51.100.1");
            zones.with(HELO, RecordType.A, IPV4).with("b.example", RecordType.A, "198.51.100.2");

            assertEquals(Reason.PASS, check());
            assertEquals(new HashSet<>(zones.queried()).size(), zones.queried().size());
            assertEquals(6, zones.queried().size());
        }
    }

    @Nested
    class UnknownAnswers {
        @ParameterizedTest
        @CsvSource({
            "timeout, TIMEOUT, timeout",
            "bound, BOUND, bound",
            "servfail, TEMPERROR, temperror",
            "pass, TEMPERROR, temperror"
        })
        void record_unknown_hasReasonOfAnswer(String answer, Reason reason, String label) {
            zones.unknown(DOMAIN, RecordType.TXT, answer);

            assertEquals(reason, check());
            assertEquals(MechanismResult.UNKNOWN, reason.result());
            assertEquals(label, reason.label());
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "a:slow.example",
                    "mx:slow.example",
                    "mx:slowhost.example",
                    "ptr",
                    "exists:slow.example",
                    "include:slow.example",
                    "include:tree.example",
                    "redirect=slow.example",
                    "exists:%{p}.example"
                })
        void answer_unknownMidTree_endsQueriesAsUnknown(String term) {
            record(DOMAIN, "v=spf1 " + term + (term.startsWith("redirect") ? "" : " a:later.example +all"));
            record("tree.example", "v=spf1 exists:slow.example ip4:192.0.2.1 -all");
            zones.with("slowhost.example", RecordType.MX, "10 slow.example");
            List.of(RecordType.A, RecordType.MX, RecordType.TXT)
                    .forEach(type -> zones.unknown("slow.example", type, "timeout"));
            zones.unknown("1.2.0.192.in-addr.arpa", RecordType.PTR, "timeout");

            assertEquals(Reason.TIMEOUT, check());
            assertFalse(zones.queried().contains("later.example A"));
        }

        /// Three terms, each of which matches the client, a control address or no address, or cannot be resolved.
        @ParameterizedTest
        @CsvSource({
            "192.0.2.1, ip4:192.0.2.1, ip4:198.51.100.1, ip4:100.64.0.0/10",
            "192.0.2.1, exists:%{i}.yes.example, ip4:198.51.100.1, exists:all.example",
            "192.0.2.1, mx:yes.example, mx:no.example, ip4:240.0.0.0/8",
            "2600::1, ip6:2600::1, a:no.example, ip6:2001:db8::/32",
            "2600::1, include:yes.example, include:no.example, include:wide.example"
        })
        void answer_unknownAfterPass_changesNothing(String client, String own, String none, String wide) {
            record("yes.example", "v=spf1 ip6:2600::1 -all").record("no.example", "v=spf1 -all");
            record("wide.example", "v=spf1 ip6:2001:db8::/32 -all");
            zones.with("192.0.2.1.yes.example", RecordType.A, "127.0.0.2");
            zones.with("all.example", RecordType.A, "127.0.0.2").with("yes.example", RecordType.MX, "10 yes.example");
            zones.with("yes.example", RecordType.A, IPV4).with("no.example", RecordType.MX, "10 no.example");
            zones.with("no.example", RecordType.A, "198.51.100.1").with("no.example", RecordType.AAAA, "2600::2");
            List.of(RecordType.A, RecordType.AAAA, RecordType.MX, RecordType.TXT)
                    .forEach(type -> zones.unknown("slow.example", type, "timeout"));
            zones.unknown("1.2.0.192.in-addr.arpa", RecordType.PTR, "timeout");
            zones.unknown("1." + "0.".repeat(29) + "6.2.ip6.arpa", RecordType.PTR, "timeout");
            for (String slow : List.of(
                    "include:slow.example", "a:slow.example", "mx:slow.example", "exists:slow.example", "ptr")) {
                List<String> kinds = List.of(own, none, wide, slow);
                for (int i = 0; i < 64; i++) {
                    List<String> terms = List.of(kinds.get(i / 16), kinds.get(i / 4 % 4), kinds.get(i % 4));
                    record(DOMAIN, "v=spf1 " + String.join(" ", terms) + " -all");

                    assertEquals(expected(terms, own, wide, slow), check(client), terms.toString());
                }
            }
        }

        /// The reverse zone of a control address is not queried.
        private static Reason expected(List<String> terms, String own, String wide, String slow) {
            Reason ofClient =
                    first(terms, Map.of(own, Reason.PASS, "exists:all.example", Reason.PASS, slow, Reason.TIMEOUT));
            Map<String, Reason> forControls = slow.equals("ptr")
                    ? Map.of(wide, Reason.TOO_WIDE)
                    : Map.of(wide, Reason.TOO_WIDE, slow, Reason.TIMEOUT);
            boolean isWide = first(terms, forControls) == Reason.TOO_WIDE;
            return ofClient == Reason.PASS && isWide ? Reason.TOO_WIDE : ofClient;
        }

        private static Reason first(List<String> terms, Map<String, Reason> reasons) {
            return terms.stream()
                    .filter(reasons::containsKey)
                    .findFirst()
                    .map(reasons::get)
                    .orElse(Reason.FAIL);
        }

        @Test
        void answer_unknownAfterOtherResult_isNotQueried() {
            record(DOMAIN, "v=spf1 -ip4:192.0.2.1 include:slow.example -all");
            zones.unknown("slow.example", RecordType.TXT, "bound");

            assertEquals(Reason.FAIL, check());
        }
    }
}
