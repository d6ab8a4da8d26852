package org.bloomgate.content.document;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.core.text.TextScan;

/// Reads the properties of a message of Outlook (MS-OXMSG): a storage holds those of a message, a recipient or an
/// attached file, each in a stream of its own. Sender, subject and transport headers become the header of a message,
/// which is passed on as a file; so are attached files and formatted bodies. Messages in it are storages of the same
/// form.
final class OutlookMessage {
    /// Followed by the number of the property and its type, each in four hexadecimal digits.
    private static final String PROPERTY = "__substg1.0_";

    /// The storage with the names of properties, in streams that are named like properties.
    static final String NAMES = "__nameid_version1.0";

    private static final int NAME_CHARS = PROPERTY.length() + 8;

    /// Types of texts; several texts in one property have a bit more.
    private static final int TEXT = 0x1e;

    private static final int UNICODE = 0x1f;
    private static final int SEVERAL = 0x1000;

    private static final int SUBJECT = 0x37;
    private static final int TRANSPORT_HEADERS = 0x7d;
    private static final int BODY = 0x1000;
    private static final int BODY_RTF = 0x1009;
    private static final int BODY_HTML = 0x1013;
    private static final int ATTACHED = 0x3701;

    /// Where the name of an attached file is, the best first.
    private static final int[] FILE_NAMES = {0x3707, 0x3704, 0x3001, 0x3703};

    /// Where a name and its address are, the address of SMTP first.
    private static final int[] SENDER = {0x0c1a, 0x5d01, 0x0c1f};

    private static final int[] AUTHOR = {0x42, 0x5d02, 0x65};

    private final LinkSink sink;
    private final StringBuilder header = new StringBuilder();
    private final Map<Integer, String> texts = new HashMap<>();

    OutlookMessage(LinkSink sink) {
        this.sink = sink;
    }

    static boolean isProperty(String stream) {
        return stream.startsWith(PROPERTY)
                && stream.length() >= NAME_CHARS
                && TextScan.end(stream, PROPERTY.length(), TextScan::isHexDigit) >= NAME_CHARS;
    }

    /// Whether the property is a text. Texts have to be read first: the name of a file is one.
    static boolean isText(String stream) {
        int type = isProperty(stream) ? type(stream) : 0;
        return type == TEXT || type == UNICODE;
    }

    private static int type(String stream) {
        return Integer.parseInt(stream, NAME_CHARS - 4, NAME_CHARS, 16) & ~SEVERAL;
    }

    void read(String stream, byte[] value) {
        if (!isProperty(stream)) {
            sink.addUnknown(value, value.length);
            return;
        }
        int id = Integer.parseInt(stream, PROPERTY.length(), NAME_CHARS - 4, 16);
        if (id == BODY_HTML && type(stream) != UNICODE) {
            sink.addFile(".html", value, value.length);
        } else if (isText(stream)) {
            readText(
                    id,
                    new String(
                            value, type(stream) == UNICODE ? StandardCharsets.UTF_16LE : StandardCharsets.ISO_8859_1));
        } else if (id == BODY_RTF) {
            byte[] rtf = CompressedRtf.read(value, sink);
            sink.addFile(".rtf", rtf, rtf.length);
        } else if (id == ATTACHED) {
            sink.addFile(fileName(), value, value.length);
        } else {
            sink.addUnknown(value, value.length);
        }
    }

    /// Any property may hold a URL or a share that Outlook opens, for example the sound of a reminder.
    private void readText(int id, String text) {
        switch (id) {
            case SUBJECT -> addField("Subject", text);
            case BODY -> sink.addText(text);
            case BODY_HTML -> {
                byte[] html = text.getBytes(StandardCharsets.UTF_8);
                sink.addFile(".html", html, html.length);
            }
            case TRANSPORT_HEADERS -> text.lines().forEach(this::addTransportLine);
            default -> {
                texts.put(id, text);
                if (text.startsWith("\\\\")) {
                    sink.addLink(text);
                } else if (text.contains("://")) {
                    sink.addText(text);
                }
            }
        }
    }

    /// The structure that the fields describe is not that of the stored message.
    private void addTransportLine(String line) {
        header.append(TextForms.lowerCase(line).startsWith("content-") ? "X-" : "")
                .append(line)
                .append("\r\n");
    }

    private void addField(String name, String value) {
        header.append(name).append(": ");
        value.chars().map(c -> c < ' ' ? ' ' : c).forEach(c -> header.append((char) c));
        header.append("\r\n");
    }

    private String fileName() {
        for (int id : FILE_NAMES) {
            if (texts.containsKey(id)) {
                return texts.getOrDefault(id, "");
            }
        }
        return "";
    }

    /// Ends the properties of one storage.
    void endStorage() {
        addMailbox(SENDER);
        addMailbox(AUTHOR);
        texts.clear();
    }

    private void addMailbox(int[] ids) {
        for (int i = 1; i < ids.length; i++) {
            String address = texts.getOrDefault(ids[i], "");
            if (address.indexOf('@') > 0) {
                String name = texts.getOrDefault(ids[0], "").replace('"', '\'').replace('\\', '/');
                addField("From", '"' + name + "\" <" + address + '>');
                return;
            }
        }
    }

    /// Passes on the header.
    void end() {
        byte[] fields = header.append("\r\n").toString().getBytes(StandardCharsets.UTF_8);
        if (fields.length > 2) {
            sink.addFile(".eml", fields, fields.length);
        }
    }
}
