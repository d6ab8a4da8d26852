package org.bloomgate.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import org.junit.jupiter.api.Test;

class MailLogTest {
    @Test
    void aRefusalNamesSenderRecipientFeedAndKey() {
        assertEquals(
                "0123456789AB reject client=192.0.2.7 from=<a@sender.example> to=<b@rcpt.example>"
                        + " message-id=<1@sender.example> feed=sample key=evil.example next-hop-id=4XYZ",
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
        ObjectNode fields = DecisionLine.JSON.valueToTree(Decisions.clean("0123456789AB"));
        fields.set("recipients", DecisionLine.JSON.valueToTree(Collections.nCopies(7, "b@rcpt.example")));
        String line = MailLog.line(DecisionLine.read(fields.toString()).orElseThrow());
        assertEquals(
                "to=" + "<b@rcpt.example>,".repeat(5) + "+2",
                line.substring(line.indexOf("to="), line.indexOf(" message-id")));
    }

    private static Decision with(String field, String value) throws JsonProcessingException {
        ObjectNode fields = DecisionLine.JSON.valueToTree(Decisions.listed("0123456789AB"));
        fields.put(field, value);
        return DecisionLine.read(fields.toString()).orElseThrow();
    }
}
