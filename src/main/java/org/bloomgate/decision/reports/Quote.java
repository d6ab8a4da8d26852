package org.bloomgate.decision.reports;

import java.util.List;
import org.bloomgate.content.mime.Mailbox;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.core.text.TextScan;

/// The message that a text quotes. Mail programs name its sender in the language of their user, so the line is known by
/// what all of them have in common: a label and a colon, or a colon at the end, and an address that is not the
/// writer's.
///
/// @param from name and address of the sender; empty if the text quotes nothing
/// @param text below that line; the whole text if it quotes nothing
record Quote(String from, String text) {
    private static final int MAX_LABEL_CHARS = 24;
    private static final int MAX_LINE_CHARS = 500;
    private static final int MAX_SIGNATURE_LINES = 15;

    /// @param writer address of the writer, whose signature may contain it
    static Quote find(String text, String writer) {
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i)
                    .substring(TextScan.end(lines.get(i), 0, c -> c == '>' || c <= ' '))
                    .strip();
            int colon = TextScan.next(line, 0, c -> c == ':' || c == '\uff1a');
            boolean isLabelled = colon <= MAX_LABEL_CHARS && colon < line.length();
            if ((isLabelled || line.endsWith(":"))
                    && line.indexOf('@') > 0
                    && line.indexOf("://") < 0
                    && line.length() <= MAX_LINE_CHARS
                    && !TextForms.lowerCase(line).contains(writer)) {
                String from = Mailbox.parseAll(line).stream()
                        .findFirst()
                        .map(sender -> sender.name() + " <" + TextScan.without(sender.address(), c -> c == ']') + ">")
                        .orElse("");
                return new Quote(from, String.join("\n", lines.subList(i + 1, lines.size())));
            }
        }
        return new Quote("", text);
    }

    /// The text without a signature at the end, of few lines below a line `--`.
    String withoutSignature() {
        List<String> lines = text.lines().toList();
        for (int i = lines.size() - 1; i >= Math.max(0, lines.size() - MAX_SIGNATURE_LINES); i--) {
            if (lines.get(i).stripTrailing().equals("--")) {
                return String.join("\n", lines.subList(0, i));
            }
        }
        return text;
    }
}
