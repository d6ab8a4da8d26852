package org.bloomgate.server.smtp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A second reading of a whole session: what the client sent is walked through beside the replies, so that every
/// command and every message has one reply and no byte of a message is a command.
///
/// @param kept messages that were accepted, as they have to arrive
record SessionReading(List<String> kept) {
    private static final Pattern CHUNK = Pattern.compile("BDAT +([0-9]{1,18})( +LAST)?", Pattern.CASE_INSENSITIVE);
    private static final Pattern LINE_END = Pattern.compile("\r\n|\r|\n");

    /// No session is as long.
    private static final int LARGEST = 1 << 29;

    /// @param replies after the greeting, the last line of each
    static SessionReading of(String sent, List<String> replies) {
        List<String> kept = new ArrayList<>();
        int at = 0;
        boolean inData = false;
        StringBuilder chunks = new StringBuilder();
        boolean cutOff = false;
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
                if (verb(line).equals("MAIL") && reply.startsWith("250")) {
                    chunks.setLength(0);
                }
                Matcher chunk = CHUNK.matcher(line.stripTrailing());
                if (chunk.matches()) {
                    int bytes = (int) Math.min(LARGEST, Long.parseLong(chunk.group(1)));
                    assertTrue(at + bytes <= sent.length() || last, reply + " to a chunk that is not whole");
                    cutOff |= at + bytes > sent.length();
                    chunks.append(sent, at, reply.startsWith("250") ? at + bytes : at);
                    if (reply.equals("250 2.0.0 kept")) {
                        assertFalse(chunk.group(2) == null, "kept before its last chunk");
                        kept.add(LINE_END.matcher(chunks).replaceAll("\r\n"));
                    }
                    at += bytes;
                } else if (whole && line.toUpperCase(Locale.ROOT).matches("BDAT( .*)?")) {
                    assertTrue(last && reply.startsWith("501"), reply + " to a chunk of unknown length");
                    cutOff = true;
                }
            }
        }
        assertTrue(cutOff || over(replies) || !isAnswerable(sent, at, inData), "something was not answered");
        return new SessionReading(kept);
    }

    private static boolean isAnswerable(String sent, int at, boolean inData) {
        if (at >= sent.length()) {
            return false;
        }
        String rest = sent.substring(at);
        int end = rest.indexOf("\r\n");
        Matcher chunk = CHUNK.matcher(end < 0 ? "" : rest.substring(0, end).stripTrailing());
        if (!inData && chunk.matches()) {
            return rest.length() - end - 2 >= Long.parseLong(chunk.group(1));
        }
        return (inData ? DataFuzzTest.endOfData(rest) : end) >= 0;
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
                || last.startsWith("550 5.5.2");
    }
}
