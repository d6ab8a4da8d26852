package org.bloomgate.server.milter;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// A message as a mail server takes it apart for a milter, and edits it as it is told. The first line that is no header
/// field begins the body, but a leading line of a mailbox becomes a field, as Postfix has it.
final class ReceivedMessage {
    private final List<Field> fields = new ArrayList<>();
    private final String body;

    private ReceivedMessage(String body) {
        this.body = body;
    }

    /// @param value as it stands behind the colon, its lines parted by LF
    record Field(String name, String value) {}

    static ReceivedMessage of(String bytes) {
        List<String> header = new ArrayList<>();
        int at = 0;
        while (at < bytes.length()) {
            int end = bytes.indexOf("\r\n", at);
            String line = bytes.substring(at, end < 0 ? bytes.length() : end);
            line = at == 0 && line.startsWith("From ") ? "Mailbox-Line: " + line : line;
            boolean continued = !header.isEmpty() && line.matches("[ \t].*");
            if (!continued && !line.matches("[!-9;-~]+[ \t]*:.*")) {
                break;
            }
            if (continued) {
                header.set(header.size() - 1, header.getLast() + "\n" + line);
            } else {
                header.add(line);
            }
            at = end < 0 ? bytes.length() : end + 2;
        }
        ReceivedMessage message =
                new ReceivedMessage(bytes.startsWith("\r\n", at) ? bytes.substring(at + 2) : bytes.substring(at));
        header.forEach(field -> message.fields.add(
                new Field(field.substring(0, field.indexOf(':')), field.substring(field.indexOf(':') + 1))));
        return message;
    }

    List<Field> fields() {
        return fields;
    }

    String body() {
        return body;
    }

    void edit(String answer) {
        if (answer.charAt(0) == '-') {
            return;
        }
        int index = ByteBuffer.wrap(answer.substring(1, 5).getBytes(ISO_8859_1)).getInt();
        String[] parts = answer.substring(5).split("\0", -1);
        if (answer.charAt(0) == 'i') {
            fields.add(index, new Field(parts[0], parts[1]));
        } else {
            change(index, parts[0], parts[1]);
        }
    }

    private void change(int index, String name, String value) {
        int seen = 0;
        for (int i = 0; i < fields.size(); i++) {
            if (fields.get(i).name().equalsIgnoreCase(name) && ++seen == index) {
                if (value.isEmpty()) {
                    fields.remove(i);
                } else {
                    fields.set(i, new Field(fields.get(i).name(), value));
                }
                return;
            }
        }
        throw new AssertionError("no field " + index + " " + name);
    }

    /// With CRLF.
    String text() {
        StringBuilder text = new StringBuilder();
        fields.forEach(field -> text.append(field.name())
                .append(':')
                .append(field.value().replace("\n", "\r\n"))
                .append("\r\n"));
        return text.append("\r\n").append(body).toString();
    }
}
