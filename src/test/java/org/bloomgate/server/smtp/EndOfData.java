package org.bloomgate.server.smtp;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/// A line of `dialogues/end-of-data.tsv`: bytes that some server takes for the end of DATA.
///
/// @param shown as in the file
/// @param ends true when DATA really ends with them
/// @param bare true when they hold a CR or LF alone
/// @param message what they become in the message
record EndOfData(String shown, String bytes, boolean ends, boolean bare, String message) {
    static final String BEFORE = "Subject: t\r\n\r\nA";
    static final String AFTER = "MAIL FROM:<evil@x.example>\r\nRCPT TO:<v@y.example>\r\nDATA\r\nS: 2\r\n\r\nB\r\n.\r\n";

    /// What the message is as a whole, sent with [#AFTER] behind it.
    String whole() {
        return BEFORE + message + (ends ? "" : AFTER.substring(0, AFTER.length() - 3));
    }

    @Override
    public String toString() {
        return shown;
    }

    static List<EndOfData> all() {
        List<EndOfData> all = new ArrayList<>();
        try (InputStream file = EndOfData.class.getResourceAsStream("/dialogues/end-of-data.tsv")) {
            for (String line : new String(file.readAllBytes(), UTF_8).split("\n", -1)) {
                String[] columns = line.split("\t", -1);
                if (columns.length == 3 && !line.startsWith("#")) {
                    all.add(new EndOfData(
                            columns[0],
                            RelayScript.bytes(columns[0] + "\\c"),
                            columns[1].contains("ends"),
                            columns[1].contains("bare"),
                            RelayScript.bytes(columns[2] + "\\c")));
                }
            }
            return all;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
