package org.bloomgate.decision.evaluation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueueIdTest {
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "250 2.0.0 Ok: queued as 4WbV2t5hTxz1,                                  4WbV2t5hTxz1",
                "250 2.0.0 from MTA(smtp:[127.0.0.1]:10025): 250 2.0.0 Ok: queued as AB12CD34, AB12CD34",
                "250 OK id=1tEXaM-0000Q2-3x,                                            1tEXaM-0000Q2-3x",
                "250 2.0.0 4AMC1x2y012345 Message accepted for delivery,                4AMC1x2y012345",
                "250 2.6.0 <a.1@x.example> [InternalId=1 Hostname=h] Queued mail for delivery, a.1@x.example",
                "250 2.0.0 OK  1732270000 a1b2c3-d4e5.12 - gsmtp,                       1732270000 a1b2c3-d4e5.12",
                "250 2.0.0 Ok queued with id \"q-17\",                                  q-17",
            })
    void theWordsOfMailServersAreKnown(String reply, String id) {
        assertEquals(id, QueueId.find(reply));
    }

    @ParameterizedTest
    @CsvSource({"250 2.0.0 Ok", "451 4.3.0 queued as ABCDEF never", "250", "250 2.1.5 Recipient ok"})
    void aReplyThatDoesNotSayHasNone(String reply) {
        assertEquals("", QueueId.find(reply));
    }

    @Test
    void aLongOneIsCut() {
        assertEquals(100, QueueId.find("250 queued as " + "A".repeat(400)).length());
    }
}
