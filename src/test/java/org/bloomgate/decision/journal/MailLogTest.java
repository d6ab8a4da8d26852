package org.bloomgate.decision.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class MailLogTest {
    @Test
    void aRefusalNamesSenderRecipientFeedAndKey() {
        assertEquals(
                "0123456789AB reject client=192.0.2.7 from=<a@sender.example> to=<b@rcpt.example>"
                        + " refused=<c@rcpt.example>:550 message-id=<1@sender.example> feed=sample key=evil.example next-hop-id=4XYZ"
                        + " reply=\"550 5.7.1 refused\"",
                MailLog.line(Decisions.listed("0123456789AB")));
    }

    @Test
    void shadowModeSaysWhatWouldHaveBeenDone() throws JsonProcessingException {
        assertEquals("would-reject", MailLog.line(with("enforced", "pass")).split(" ", 3)[1]);
    }

    @Test
    void whatAClientSaysIsOneWord() throws JsonProcessingException {
        String line = MailLog.line(with("messageId", "<x>\r\n2026 forged=\"1\" \u202e\u00fc"));
        assertEquals(
                "message-id=<x>\\u000d\\u000a2026\\u0020forged=\\u00221\\u0022\\u0020\\u202e\u00fc",
                line.substring(line.indexOf("message-id="), line.indexOf(" feed=")));
        assertFalse(line.contains("\n"));
    }

    @Test
    void ofManyRecipientsTheFirstAreNamed() {
        String line = MailLog.line(with(Collections.nCopies(7, "b@rcpt.example"), List.of()));
        assertEquals(
                "to=" + "<b@rcpt.example>,".repeat(5) + "+2",
                line.substring(line.indexOf("to="), line.indexOf(" message-id")));
    }

    @Test
    void recipientsThatWereRefusedAreNamedWithTheirCode() {
        List<String> refused = List.of("c d@rcpt.example: 550 5.1.1 no", "\"x: 250 y\"@rcpt.example: 451 4.3.0 later");
        Decision decision = with(List.of(), refused);
        String line = MailLog.line(decision);
        assertEquals(
                "from=<a@sender.example> refused=<c\\u0020d@rcpt.example>:550,"
                        + "<\\u0022x:\\u0020250\\u0020y\\u0022@rcpt.example>:451",
                line.substring(line.indexOf("from="), line.indexOf(" message-id")));
        assertEquals(refused, new MailLog(decision).fields().get("refused"));
    }

    @Test
    void ofManyRefusedTheFirstAreNamed() {
        String line = MailLog.line(with(List.of("b@rcpt.example"), Collections.nCopies(7, "c@rcpt.example: 550 no")));
        assertTrue(
                line.contains(" to=<b@rcpt.example> refused=" + "<c@rcpt.example>:550,".repeat(5) + "+2 message-id="),
                line);
    }

    @Test
    void mailThatWasTakenForAllIsTheLineItWas() {
        ObjectNode fields = DecisionLine.JSON.valueToTree(with(List.of("b@rcpt.example"), List.of()));
        fields.put("reply", "250 2.0.0 Ok");
        Decision accepted = read(fields);
        assertEquals(
                "0123456789AB pass client=192.0.2.7 from=<a@sender.example> to=<b@rcpt.example>"
                        + " message-id=<1@sender.example> next-hop-id=4XYZ",
                MailLog.line(accepted));
        assertEquals(
                List.of("token", "action", "enforced", "client", "from", "to", "messageId", "feed", "key", "nextHopId"),
                List.copyOf(new MailLog(accepted).fields().keySet()));
    }

    @Test
    void mailThatWasTakenHasNoReply() throws JsonProcessingException {
        Decision taken = with("reply", "250 2.0.0 Ok: queued");
        assertTrue(MailLog.line(taken).endsWith(" next-hop-id=4XYZ"), () -> MailLog.line(taken));
        assertFalse(new MailLog(taken).fields().containsKey("reply"));
    }

    @Test
    void mailThatTheNextHopRefusedEndsWithItsReply() throws JsonProcessingException {
        for (String reply : List.of("552 5.2.2 Mailbox full", "451 4.4.2 Next hop lost / try again", "554")) {
            Decision refused = with("reply", reply);
            assertTrue(MailLog.line(refused).endsWith(" reply=\"" + reply + "\""), () -> MailLog.line(refused));
            assertEquals(reply, new MailLog(refused).fields().get("reply"));
        }
    }

    @Test
    void whatANextHopSaysEndsNeitherItsQuotesNorTheLine() throws JsonProcessingException {
        String line = MailLog.line(with("reply", "550 no\" feed=x\r\n\\ \u202e\u00fc"));
        assertTrue(line.endsWith(" reply=\"550 no\\u0022 feed=x\\u000d\\u000a\\u005c \\u202e\u00fc\""), line);
    }

    @Test
    void aWordToAMailServerIsNoReply() throws JsonProcessingException {
        for (String word : List.of("", "continue", "quarantine", "200", "354 go on", "5500 x", "55", "4.2.0 no")) {
            assertEquals("", with("reply", word).processing().negativeReply(), word);
        }
    }

    private static Decision with(List<String> recipients, List<String> refused) {
        ObjectNode fields = DecisionLine.JSON.valueToTree(Decisions.clean("0123456789AB"));
        fields.set("recipients", DecisionLine.JSON.valueToTree(recipients));
        fields.set("refused", DecisionLine.JSON.valueToTree(refused));
        return read(fields);
    }

    private static Decision read(ObjectNode fields) {
        return DecisionLine.read(fields.toString()).orElseThrow();
    }

    private static Decision with(String field, String value) throws JsonProcessingException {
        ObjectNode fields = DecisionLine.JSON.valueToTree(Decisions.listed("0123456789AB"));
        fields.put(field, value);
        return read(fields);
    }
}
