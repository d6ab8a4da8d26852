package org.bloomgate.core.lookalike;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.text.TextScan;
import org.bloomgate.core.url.DomainName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class BrandsTest {
    private static final String NONE = "nothing";
    private static final Brands BRANDS = new Brands(
            List.of(
                    "GoodPay, Good Payments Bank: goodpay.example mail.goodpay.test",
                    "~Morgan, Morgan Stern Bank: morgan.example",
                    "Aldo: aldo.example",
                    "MailHome: *.mailhome.example"),
            List.of("corp.example", "it.example"));

    private static String find(String text, String... senders) {
        return BRANDS.find(text, Set.of(senders), List.of("dest.example"), PublicSuffixes.bundled())
                .map(Brands.Brand::name)
                .orElse(NONE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GoodPay",
                "GOODPAY Service",
                "Good Pay",
                "G o o d p a y",
                "g00dpay.com",
                "GоodРay",
                "Ｇｏｏｄｐａｙ",
                "Go\u200bod\u00adpay",
                "G\ufe0foodpay",
                "GoodPay® | Konto",
                "*GOOD*PAYMENTS*BANK*",
                "GoodPaymentsBank",
                "security@goodpay.example",
            })
    void nameInOtherSpelling_isTheBrand(String text) {
        assertEquals("GoodPay", find(text, "evil.test"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Goodpayer",
                "GoodPayAlerts",
                "A good payment",
                "Good, pays",
                "Al Do Meola",
                "Aldous",
                "Good Bank"
            })
    void partOfAWord_isNoBrand(String text) {
        assertEquals(NONE, find(text, "evil.test"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Morgan", "Morgan Support", "Account Morgan", "Morgan Stern Bank", "MORGAN!"})
    void ordinaryWord_aloneOrBesideABusinessWord_isTheBrand(String text) {
        assertEquals("Morgan", find(text, "evil.test"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Morgan Miller", "Ann Morgan", "Morgan Valley School", "Morgan Valley Support Group"})
    void ordinaryWord_elsewhere_isNoBrand(String text) {
        assertEquals(NONE, find(text, "evil.test"));
    }

    @Test
    void shortName_inSeveralWords_isNoBrand() {
        assertEquals("Aldo", find("Aldo market", "evil.test"));
        assertEquals(NONE, find("Al Do", "evil.test"));
        assertEquals(NONE, find("A L D O", "evil.test"));
    }

    @Nested
    class Senders {
        @Test
        void addressOfTheBrand_isItsOwn() {
            assertEquals(NONE, find("GoodPay", "goodpay.example"));
            assertEquals(NONE, find("GoodPay", "news.goodpay.example"));
            assertEquals("GoodPay", find("GoodPay", "notgoodpay.example"));
            assertEquals("GoodPay", find("GoodPay", "goodpay.example.evil.test"));
        }

        @Test
        void secondAddressOfSomebodyElse_isNot() {
            assertEquals("GoodPay", find("GoodPay", "goodpay.example", "evil.test"));
            assertEquals("GoodPay", find("GoodPay"));
        }

        @Test
        void addressOfOneOfTwoBrands_mayNameBoth() {
            assertEquals(NONE, find("GoodPay by Morgan", "goodpay.example"));
        }

        @Test
        void providerOfMailboxes_ownsOnlyNamesBelowIt() {
            assertEquals("MailHome", find("MailHome", "mailhome.example"));
            assertEquals(NONE, find("MailHome", "notice.mailhome.example"));
        }

        @Test
        void domainsThatProve_areThoseOfAllBrandsAndOfTheSite() {
            assertEquals(
                    List.of("goodpay.example", "mail.goodpay.test", "corp.example", "it.example"),
                    BRANDS.find("GoodPay MailHome", Set.of("evil.test"), List.of(), PublicSuffixes.bundled())
                            .orElseThrow()
                            .domains());
        }
    }

    @Nested
    class Sites {
        @Test
        void protectedDomain_isABrand() {
            assertEquals("corp.example", find("Corp newsletter", "evil.test"));
            assertEquals("corp.example", find("helpdesk corp.example", "evil.test"));
            assertEquals(NONE, find("Corp newsletter", "mail.corp.example"));
        }

        @Test
        void shortLabel_isAnOrdinaryWord() {
            assertEquals("it.example", find("IT support", "evil.test"));
            assertEquals(NONE, find("Does it work", "evil.test"));
        }

        @Test
        void domainOfARecipient_isABrand() {
            assertEquals("dest.example", find("dest.example mail", "evil.test"));
            assertEquals("dest.example", find("Dest Support", "evil.test"));
            assertEquals(NONE, find("Jane Dest", "evil.test"));
            assertEquals(NONE, find("Dest Support", "dest.example"));
        }
    }

    @Test
    void text_isReadToItsBound() {
        String filler = ".".repeat(Brands.MAX_TEXT_CHARS - "GoodPay".length());
        assertEquals("GoodPay", find(filler + "GoodPay", "evil.test"));
        assertEquals(NONE, find(filler + ".GoodPay", "evil.test"));
    }

    @Nested
    class Shipped {
        private static Stream<String> lines() throws IOException {
            try (InputStream in = Objects.requireNonNull(Brands.class.getResourceAsStream("brands.txt"))) {
                return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                        .lines().filter(line -> !line.isBlank() && !line.startsWith("#")).toList().stream();
            }
        }

        @ParameterizedTest
        @MethodSource("lines")
        void line_isWellFormed(String line) {
            int colon = line.indexOf(": ");
            assertTrue(colon > 0, line);
            for (String domain : TextScan.split(line.substring(colon + 2), c -> c == ' ')) {
                String name = domain.startsWith("*.") ? domain.substring(2) : domain;
                assertEquals(name, DomainName.parse(name).orElseThrow().text());
                assertTrue(name.indexOf('.') > 0, domain);
            }
            for (String title : TextScan.split(line.substring(0, colon), c -> c == ',')) {
                List<String> words = NameWords.of(NameWords.plain(title));
                int length = String.join("", words).length();
                assertTrue(length > 1 && length <= Brands.MAX_NAME_CHARS, title);
            }
        }

        @Test
        void brands_areManyAndUnique() throws IOException {
            List<String> first = lines().map(line -> line.split("[,:]", 2)[0]).toList();
            assertEquals(first.size(), Set.copyOf(first).size());
            assertTrue(first.size() >= 200);
        }

        @Test
        void everyName_isFoundAloneAndOwnedByItsDomains() throws IOException {
            Brands shipped = Brands.shippedWith(List.of());
            lines().forEach(line -> {
                int colon = line.indexOf(": ");
                String domain = TextScan.split(line.substring(colon + 2), c -> c == ' ')
                        .getFirst()
                        .replace("*.", "mail.");
                for (String title : TextScan.split(line.substring(0, colon), c -> c == ',')) {
                    assertTrue(
                            shipped.find(
                                            title.replace("~", ""),
                                            Set.of("evil.test"),
                                            List.of(),
                                            PublicSuffixes.bundled())
                                    .isPresent(),
                            title);
                    assertTrue(
                            shipped.find(title.replace("~", ""), Set.of(domain), List.of(), PublicSuffixes.bundled())
                                    .isEmpty(),
                            title);
                }
            });
        }

        @Test
        void honestNames_areNoBrands() throws IOException {
            Brands shipped = Brands.shippedWith(List.of());
            try (InputStream in = Objects.requireNonNull(BrandsTest.class.getResourceAsStream("/brands/honest.txt"))) {
                assertEquals(
                        List.of(),
                        new String(in.readAllBytes(), StandardCharsets.UTF_8)
                                .lines()
                                .filter(name -> !name.startsWith("#"))
                                .filter(name -> shipped.find(
                                                name, Set.of("honest.example"), List.of(), PublicSuffixes.bundled())
                                        .isPresent())
                                .toList());
            }
        }
    }
}
