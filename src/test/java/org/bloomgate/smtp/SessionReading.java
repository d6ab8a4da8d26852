package org.bloomgate.smtp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// A second reading of a whole session: what the client sent is walked through beside the replies, so that every
/// command and every message has one reply and no octet of a message is a command.
///
/// @param kept messages that were accepted, as they have to arrive
record SessionReading(List<String> kept) {

    /// @param replies after the greeting, the last line of each
    static SessionReading of(String sent, List<String> replies) {
        List<String> kept = new ArrayList<>();
        int at = 0;
        boolean inData = false;
        for (int i = 0; i < replies.size(); i++) {
            String reply = replies.get(i);
            boolean last = i == replies.size() - 1;
            assertFalse(reply.startsWith("421 4.3.0"), "a fault in the program");
            String rest = sent.substring(at);
            if (inData) {
                int end = DataFuzzTest.endOfData(rest);
                assertTrue(end >= 0, reply + " to a message that has not ended");
                if (reply.equals("250 2.0.0 kept")) {
                    kept.add(DataFuzzTest.message(rest.substring(0, end)));
                }
                at += end;
                inData = false;
            } else {
                int end = rest.indexOf("\r\n");
                String line = end < 0 ? rest : rest.substring(0, end);
                boolean whole = end >= 0 && !line.contains("\r") && !line.contains("\n") && line.length() <= 998;
                assertTrue(whole || (last && reply.startsWith("500 5.5.2")), reply + " to no command: " + line);
                assertEquals(
                        reply.startsWith("354"),
                        reply.startsWith("354") && verb(line).equals("DATA"));
                inData = reply.startsWith("354");
                at += end + 2;
            }
        }
        assertTrue(
                over(replies) || (inData ? DataFuzzTest.endOfData(sent.substring(at)) : sent.indexOf("\r\n", at)) < 0,
                "something was not answered");
        return new SessionReading(kept);
    }

    private static String verb(String line) {
        return line.strip().split(" ", 2)[0].toUpperCase(Locale.ROOT);
    }

    /// True when nothing after the last reply is read.
    private static boolean over(List<String> replies) {
        String last = replies.isEmpty() ? "" : replies.getLast();
        return last.startsWith("221")
                || last.startsWith("421")
                || last.startsWith("500 5.5.2")
                || last.startsWith("550 5.5.2")
                || last.startsWith("502 5.5.1");
    }
}
