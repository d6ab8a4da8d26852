package org.bloomgate.content.mime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.bloomgate.content.links.PhoneScan;
import org.bloomgate.core.key.Identifier;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.MessageLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PhonesTest {
    private static final String NUMBER = "+18005550199";

    static Stream<ExpectationTable> text() {
        return ExpectationTable.rows("phones.table");
    }

    static Stream<ExpectationTable> html() {
        return ExpectationTable.rows("phones-html.table");
    }

    @ParameterizedTest
    @MethodSource("text")
    void numberInText_isFoundAsInTheTable(ExpectationTable row) {
        agrees(row, ReadMessage.text(row.text()));
    }

    @ParameterizedTest
    @MethodSource("html")
    void numberInHtml_isFoundAsInTheTable(ExpectationTable row) {
        agrees(row, ReadMessage.html(row.text()));
    }

    private static void agrees(ExpectationTable row, ReadMessage read) {
        List<String> expected = row.place().equals("NONE") ? List.of() : List.of(row.host());
        assertEquals(expected, phones(read.identifiers()), row::text);
        assertEquals(Set.of(), read.limits());
    }

    private static List<String> phones(List<Identifier> found) {
        return found.stream()
                .filter(one -> one.place() == Place.PHONE && one.kind() == KeyKind.PHONE)
                .map(Identifier::value)
                .toList();
    }

    @Test
    void severalNumbersOfALine_areFound() {
        assertEquals(
                List.of("+12025550123", "+12025550124", "+442079460018"),
                phones(ReadMessage.text("202-555-0123, 202-555-0124 or +44 20 7946 0018")
                        .identifiers()));
    }

    @Test
    void digitsAroundANumber_doNotHideIt() {
        assertTrue(phones(ReadMessage.text("order 12345 800-555-0199 24 7").identifiers())
                .contains(NUMBER));
        assertTrue(phones(ReadMessage.text("+49 30 123456 24 7 days").identifiers())
                .contains("+4930123456"));
    }

    @Test
    void textBeforeASign_doesNotHideTheNumber() {
        for (int blanks = 0; blanks < 12; blanks++) {
            for (String number : List.of("+49 30 123456", "+ (49) 30 123456")) {
                for (String before : List.of("1.", "1.)", "2024")) {
                    String text = before + " ".repeat(blanks) + number;
                    assertTrue(phones(ReadMessage.text(text).identifiers()).contains("+4930123456"), text);
                }
                String text = "call" + " ".repeat(blanks) + number;
                assertEquals(
                        List.of("+4930123456"), phones(ReadMessage.text(text).identifiers()), text);
            }
        }
    }

    @Test
    void signFollowedByManySymbols_isNoSign() {
        assertEquals(
                List.of("+4930123456"),
                phones(ReadMessage.text("+ .. 49 30 123456").identifiers()));
        assertEquals(List.of(), phones(ReadMessage.text("+ ... 49 30 123456").identifiers()));
    }

    @Test
    void signBeforeANationalNumber_doesNotHideIt() {
        assertEquals(
                List.of(NUMBER), phones(ReadMessage.text("call + 800 555 0199").identifiers()));
        assertEquals(
                List.of(NUMBER),
                phones(ReadMessage.text("call    + 800 555 0199").identifiers()));
    }

    @Test
    void overlappingNumberBehindASign_isFound() {
        assertTrue(phones(ReadMessage.text("+212 800 5550 199").identifiers()).contains(NUMBER));
    }

    @Test
    void internationalNumber_isNoNationalOne() {
        assertEquals(
                List.of("+447890123456"),
                phones(ReadMessage.text("+44 7890 1234 56").identifiers()));
    }

    @Test
    void numberInTheSubject_isFound() {
        assertEquals(
                List.of(NUMBER),
                phones(ReadMessage.header("Subject: =?utf-8?q?call_800=C2=A0555=C2=A00199?=")
                        .identifiers()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://chat.example/18005550199",
                "https://chat.example/+18005550199",
                "https://chat.example/#p/%2B18005550199",
                "https://chat.example/send/?phone=1%20800%20555%200199&text=hi",
                "https://chat.example/send?phone=+1+800+555+0199",
                "https://chat.example/?0018005550199=chat",
                "chat.example.com/1-800-555-0199",
                "app://chat/18005550199#x",
                "https://go.example/?u=https%3A%2F%2Fchat.example%2F18005550199"
            })
    void numberInALink_isFound(String link) {
        assertEquals(
                List.of(NUMBER),
                phones(ReadMessage.html("<a href='" + link + "'>x</a>").identifiers()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://shop.example/orders/8005550199",
                "https://shop.example/a18005550199",
                "https://180.055.501.99/",
                "https://shop.example/18005550199.html",
                "https://shop.example/180055501990000001"
            })
    void otherDigitsOfALink_areNotANumber(String link) {
        assertEquals(
                List.of(),
                phones(ReadMessage.html("<a href='" + link + "'>x</a>").identifiers()));
    }

    @Test
    void thousandsOfLinksWithNumbers_reachNoLimit() {
        StringBuilder links = new StringBuilder();
        for (int i = 0; i < 3_000; i++) {
            links.append("<a href='https://shop.example/order/1800555")
                    .append(1000 + i)
                    .append("'>order</a>\n");
        }

        assertEquals(Set.of(), ReadMessage.html(links.toString()).limits());
    }

    @Test
    void numbers_areNotSearchedIfNoneIsListed() throws IOException {
        KeyBatch batch = new KeyBatch();
        byte[] message = ("Content-Type: text/html\r\n\r\n<a href='tel:" + NUMBER + "'>x</a>" + NUMBER)
                .getBytes(StandardCharsets.UTF_8);
        new MessageReader(MessageLimits.defaults())
                .read(
                        new ByteArrayInputStream(message),
                        PublicSuffixes.bundled(),
                        EnumSet.complementOf(EnumSet.of(KeyKind.PHONE, KeyKind.KEYWORD)),
                        batch,
                        new Allowance(MessageLimits.defaults()));

        assertEquals(List.of(), batch.identifiers());
    }

    @Test
    void candidatesBeyondTheBound_nameTheLimit() {
        String candidates = "x 1111111 x\n".repeat(PhoneScan.MAX_TRIED - 1);

        assertEquals(Set.of(), ReadMessage.text(candidates + NUMBER).limits());
        assertEquals(
                List.of(NUMBER), phones(ReadMessage.text(candidates + NUMBER).identifiers()));
        assertEquals(
                Set.of("phones"),
                ReadMessage.text(candidates + "1111111 x\n" + NUMBER).limits());
    }

    @Test
    void megabyteOfSpacedDigits_endsAtTheLimit() {
        assertEquals(Set.of("phones"), ReadMessage.text("1 ".repeat(500_000)).limits());
    }
}
