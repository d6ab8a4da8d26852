package org.bloomgate.decision.evaluation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.bloomgate.base.net.IpLiteral;
import org.bloomgate.decision.authentication.ResultsSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EnvelopeTest {
    private static final List<String> BOB = List.of("bob@rcpt.example");

    private static Envelope of(String mailFrom, String... recipients) {
        return Envelope.of(Optional.of(mailFrom), List.of(recipients), Optional.empty(), Optional.empty());
    }

    private static String refusal(String mailFrom, String client, String... recipients) {
        return String.valueOf(assertThrows(
                        IllegalArgumentException.class,
                        () -> Envelope.of(
                                Optional.of(mailFrom), List.of(recipients), Optional.of(client), Optional.empty()))
                .getMessage());
    }

    @Test
    void pathsMayComeInBrackets() {
        Envelope plain = of("a@sender.example", "bob@rcpt.example", "eve@rcpt.example");
        assertEquals(Optional.of("a@sender.example"), plain.mailFrom());
        assertEquals(List.of("bob@rcpt.example", "eve@rcpt.example"), plain.recipients());
        assertEquals(plain, of("<a@sender.example>", "<bob@rcpt.example>", "eve@rcpt.example"));
    }

    @Test
    void onlyAPairOfBracketsIsTakenOff() {
        assertEquals(Optional.of("<a@sender.example"), of("<a@sender.example").mailFrom());
        assertEquals(Optional.of("a@sender.example>"), of("a@sender.example>").mailFrom());
    }

    @Test
    void theNullReversePathIsASenderAndNobodyIsNone() {
        assertEquals(Optional.of(""), of("<>").mailFrom());
        assertEquals(Optional.of(""), of("").mailFrom());
        assertEquals(Envelope.NONE, Envelope.of(Optional.empty(), List.of(), Optional.empty(), Optional.empty()));
    }

    @Test
    void clientAndHeloAreTheCallers() {
        Envelope envelope = Envelope.of(Optional.empty(), BOB, Optional.of("203.0.113.9"), Optional.of("mail.example"));
        assertEquals(
                new ConnectingClient(IpLiteral.parse("203.0.113.9"), "", "mail.example", false, ResultsSource.STRANGER),
                envelope.caller());
        assertEquals("203.0.113.9", envelope.caller().addressText());
    }

    @Test
    void aMappedAddressIsTheIpv4AddressAndNobodysIsEmpty() {
        assertEquals(
                "203.0.113.9",
                ConnectingClient.of(IpLiteral.parse("::ffff:203.0.113.9"), "").addressText());
        assertEquals("", ConnectingClient.UNKNOWN.addressText());
    }

    @Test
    void aCallerIsKnownByAddressByNameOrByHelo() {
        assertFalse(ConnectingClient.UNKNOWN.isKnown());
        assertTrue(ConnectingClient.of(IpLiteral.parse("203.0.113.9"), "").isKnown());
        assertTrue(ConnectingClient.of(Optional.empty(), "mail.example").isKnown());
        assertTrue(new ConnectingClient(Optional.empty(), "mail.example", "", false, ResultsSource.STRANGER).isKnown());
    }

    @ParameterizedTest
    @ValueSource(strings = {"nobody", "a@", "@sender.example", "<", "<<>>"})
    void aSenderThatIsNoAddressIsRefusedByName(String path) {
        assertTrue(refusal(path, "203.0.113.9").startsWith("the sender '"), path);
    }

    @Test
    void whatIsWrongIsNamed() {
        assertEquals("the sender 'nobody' is not an address", refusal("<nobody>", "203.0.113.9"));
        assertEquals(
                "the recipient 'nobody' is not an address",
                refusal("a@sender.example", "203.0.113.9", "bob@rcpt.example", "nobody"));
        assertEquals("the recipient '' is not an address", refusal("", "203.0.113.9", "<>"));
        assertEquals("the client 'mail.example' is not an IP address", refusal("", "mail.example"));
    }

    @Test
    void withoutRecipientsOneWithoutRulesCounts() {
        assertEquals(List.of(""), of("a@sender.example").evaluatedRecipients());
        assertEquals(BOB, of("a@sender.example", "bob@rcpt.example").evaluatedRecipients());
    }
}
