package org.bloomgate.server.nexthop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.bloomgate.core.smtp.Reply;
import org.junit.jupiter.api.Test;

class RecentRepliesTest {
    private static final Instant NOON = Instant.parse("2026-03-02T12:00:00Z");
    private static final Reply OK = Reply.of(250, "2.0.0", "Ok");
    private static final Reply DOWN = Reply.of(451, "4.4.1", "Next hop not reachable");

    /// Whether mail is refused after these messages: `r` is refused, `a` accepted.
    private static boolean refuses(String messages) {
        RecentReplies replies = new RecentReplies(InstantSource.fixed(NOON));
        messages.chars().forEach(c -> replies.add(c == 'r' ? DOWN : OK));
        return replies.refusals().isPresent();
    }

    @Test
    void outage_lastsFromItsFirstMessageToTheFirstAccepted() {
        for (int length = 1; length < 50; length++) {
            String outage = "r".repeat(length);
            assertTrue(refuses(outage), outage);
            assertFalse(refuses(outage + "a"), outage);
            assertTrue(refuses(outage + "ar"), outage);
        }
    }

    /// Both sides of a fifth of the last twenty.
    @Test
    void share_isThatOfTheAlert() {
        assertFalse(refuses("a".repeat(16) + "rrrr"));
        assertTrue(refuses("a".repeat(15) + "rrrrr"));
        assertFalse(refuses("arrr" + "a".repeat(16) + "r"), "older ones do not count");
        assertTrue(refuses("rarararaa"));
        assertFalse(refuses("rarararaaa"));
    }

    @Test
    void refusals_haveTheirReplyAndTime() {
        RecentReplies replies = new RecentReplies(InstantSource.fixed(NOON));
        replies.add(OK);
        replies.add(DOWN);
        assertEquals(
                "refused 1 of the last 2 messages, one with 451 4.4.1 Next hop not reachable",
                replies.refusals().orElseThrow().text());
        assertEquals(NOON, replies.refusals().orElseThrow().since());
        replies.clear();
        assertTrue(replies.refusals().isEmpty());
    }

    @Test
    void replyAboutARecipient_isNoRefusalOfMail() {
        for (Reply reply : List.of(
                OK,
                Reply.of(550, "5.1.1", "User unknown"),
                Reply.of(452, "4.2.2", "Mailbox full"),
                new Reply(550, List.of("No such user")))) {
            RecentReplies replies = new RecentReplies(InstantSource.fixed(NOON));
            replies.addRecipient(reply);
            assertTrue(replies.refusals().isEmpty(), reply.text());
        }
        for (Reply reply : List.of(
                Reply.of(554, "5.7.1", "Relay access denied"),
                Reply.of(451, "4.3.0", "Try again"),
                new Reply(554, List.of("Relay access denied")))) {
            RecentReplies replies = new RecentReplies(InstantSource.fixed(NOON));
            replies.addRecipient(reply);
            assertTrue(replies.refusals().isPresent(), reply.text());
        }
    }
}
