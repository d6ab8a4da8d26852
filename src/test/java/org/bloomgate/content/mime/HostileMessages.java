package org.bloomgate.content.mime;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.Deflater;

/// Messages made to be slow, of about any size: what the table of costs is made of, and at a reduced size the tests.
final class HostileMessages {
    static final String[] HTML = {
        "<a <a ",
        "<",
        "<!--",
        "<style>",
        "</style",
        "<a href=\"",
        "&",
        "&#",
        "&amp",
        "<title>",
        "<!--[if a]>",
        "<!--[if a]>-->",
        "<div>",
        "<a href=x>",
        "<svg><style>",
        "<style></style>",
        "<base href=x>",
        "<a style=url(",
        "<a style='\\",
        "<img srcset=',,",
        "<a href='javascript:",
        "</ ",
        "<?",
        "<!",
        "<a/",
        "<a =",
        "<meta content=url=",
        "<iframe srcdoc='",
        "<a href='data:text/html,<a href=",
        "<img src='data:,%89PNG%0d%0a%1a%0a'>",
        "<script>http://",
        "<a onclick=://",
        "<b></b>",
        "<textarea>"
    };

    static final String[] TEXT = {
        ".",
        "a.",
        "a@a@",
        "@",
        "http://",
        "http://http://",
        "http://a.b ",
        "www.",
        "@ ",
        "a@b ",
        "a@b.c ",
        "://",
        ":",
        "(((",
        "a.com ",
        "a.com/",
        "\u3002",
        "\u00df",
        "\u00df.com ",
        "http://a@",
        "http://[",
        "%25",
        "http://%25",
        "\u200b",
        "http://a?u=http%3A%2F%2F",
        "/a.com",
        "a@b.com,",
        "1a://",
        "http://a.b?http://a.b?",
        "-.-"
    };

    private HostileMessages() {}

    /// All of them by name; each is made about as long as asked.
    static Map<String, IntFunction<byte[]>> all() {
        Map<String, IntFunction<byte[]>> all = new LinkedHashMap<>();
        for (String pattern : HTML) {
            all.put("html " + pattern, octets -> ofHtml(pattern, octets));
        }
        for (String pattern : TEXT) {
            all.put("text " + pattern, octets -> ofText(pattern, octets));
        }
        all.putAll(structures());
        return all;
    }

    static byte[] ofHtml(String pattern, int octets) {
        return repeated("Content-Type: text/html\r\n\r\n", pattern, octets);
    }

    static byte[] ofText(String pattern, int octets) {
        return repeated("Content-Type: text/plain; charset=utf-8\r\n\r\n", pattern, octets);
    }

    private static byte[] repeated(String head, String pattern, int octets) {
        byte[] start = head.getBytes(StandardCharsets.UTF_8);
        byte[] unit = pattern.getBytes(StandardCharsets.UTF_8);
        byte[] message = new byte[start.length + octets / unit.length * unit.length];
        System.arraycopy(start, 0, message, 0, start.length);
        for (int at = start.length; at < message.length; at += unit.length) {
            System.arraycopy(unit, 0, message, at, unit.length);
        }
        return message;
    }

    /// In headers, MIME structure, transfer encodings and PDF.
    static Map<String, IntFunction<byte[]>> structures() {
        Map<String, IntFunction<byte[]>> all = new LinkedHashMap<>();
        all.put("messages in messages", octets -> repeated("", "Content-Type: message/rfc822\r\n\r\n", octets));
        all.put("multiparts in multiparts", HostileMessages::nestedMultiparts);
        all.put(
                "parts",
                octets -> repeated("Content-Type: multipart/mixed; boundary=b\r\n\r\n", "--b\r\n\r\n", octets));
        all.put(
                "parts of unknown charsets",
                octets -> numbered(
                        "Content-Type: multipart/mixed; boundary=b\r\n\r\n",
                        "--b\r\nContent-Type: text/plain; charset=x%d\r\n\r\n\r\n",
                        octets));
        all.put("encoded words of unknown charsets", octets -> numbered("Subject: ", "=?x%d?q?a?=", octets));
        all.put("fields of unknown charsets", octets -> numbered("", "Subject: =?x%d?q?a?= =?y%d?q?a?=\r\n", octets));
        all.put("fields", octets -> repeated("", "X: y\r\n", octets));
        all.put("originators", octets -> repeated("", "From: a@b.example\r\n", octets));
        all.put("folded field", octets -> repeated("Subject: x", "\r\n x", octets));
        all.put("encoded words", octets -> repeated("Subject: ", "=?utf-8?q?a?= ", octets));
        all.put("broken encoded word", octets -> repeated("Subject: =?", "?a", octets));
        all.put("comments", octets -> repeated("From: ", "(", octets));
        all.put("brackets", octets -> repeated("From: ", "<a@", octets));
        all.put("quotes", octets -> repeated("From: ", "\"a\\", octets));
        all.put("signature tags", octets -> repeated("DKIM-Signature: ", ";d=a", octets));
        all.put("unsubscribe", octets -> repeated("List-Unsubscribe: ", "<http://a", octets));
        all.put("parameters", octets -> repeated("Content-Type: text/html", "; a=b", octets));
        String external = "Content-Type: message/external-body; site=h%d.example; url=http://u%d.example\r\n";
        all.put("fields of bodies elsewhere", octets -> numbered("", external, octets));
        all.put(
                "pieces of an address elsewhere",
                octets -> numbered("Content-Type: message/external-body", "; url*%d=a", octets));
        all.put("no fields", octets -> repeated("", "no field\r\n", octets));
        all.put("no line end", octets -> repeated("", "x", octets));
        all.put("nulls", octets -> repeated("", "\0", octets));
        all.put("zeros in text", octets -> repeated("\r\n", "http://a\0b\0c\0d\0e\0f\0g\0h\0i\0", octets));
        all.put("zeros in markup", octets -> repeated("Content-Type: text/html\r\n\r\n", "<\0a\0 \0\0b\0<a ", octets));
        all.put("line ends", octets -> repeated("", "\r\n", octets));
        String html = "Content-Type: text/html\r\nContent-Transfer-Encoding: ";
        String encodings = "8bit\r\nContent-Transfer-Encoding: base64 quoted-printable uuencode x\r\n\r\n";
        all.put("markup in every encoding", octets -> repeated(html + encodings, "PGEg<a =\r\n", octets));
        all.put("words of an encoding", octets -> repeated(html, "a ", octets));
        all.put("comments of an encoding", octets -> repeated(html, "(\\)", octets));
        all.put("fields of encodings", octets -> repeated("", "Content-Transfer-Encoding: ;base64 x 8bit\r\n", octets));
        all.put("base64 garbage", octets -> repeated(html + "base64\r\n\r\n", "!=@\r\n", octets));
        all.put("base64 of markup", octets -> repeated(html + "base64\r\n\r\n", "PGEgPGEg\r\n", octets));
        all.put("soft line breaks", octets -> repeated(html + "quoted-printable\r\n\r\n", "=\r\n", octets));
        all.put("equals signs", octets -> repeated(html + "quoted-printable\r\n\r\n", "=", octets));
        all.put("documents in documents", HostileMessages::nestedDocuments);
        String unnamed = "Content-Type: application/octet-stream\r\n\r\nID3\1";
        all.put("ends of archives behind sound", octets -> repeated(unnamed, "PK\1\2PK\5\6", octets));
        String pdf = "Content-Type: application/pdf\r\n\r\n%PDF-";
        all.put("pdf hex strings", octets -> repeated(pdf, "/URI<", octets));
        all.put("pdf strings", octets -> repeated(pdf, "/URI(", octets));
        all.put("pdf streams", octets -> repeated(pdf, "/ObjStm stream\n", octets));
        all.put("pdf comments", octets -> repeated(pdf, "%/\n", octets));
        all.put("pdf comment", octets -> repeated(pdf, "%/obj", octets));
        all.put("pdf links in comments", octets -> numbered(pdf, "%%/URI(http://h%d.example/)\n", octets));
        all.put("pdf links", octets -> numbered(pdf, "/URI(http://h%d.example/)", octets));
        String text = "Content-Type: text/plain; charset=utf-8\r\n\r\n";
        all.put("hosts", octets -> numbered(text, "http://h%d.example ", octets));
        all.put("punycode hosts", octets -> numbered(text, "http://xn--h%d-kva.example ", octets));
        all.put("hosts in other letters", octets -> numbered(text, "http://\u00fc%d\u4f8b.example ", octets));
        all.put("parentheses in a link", octets -> enclosed(text + "http://a.example/", "(", octets, ")"));
        all.put(
                "parameters in links",
                octets -> numbered(text, "http://h%d.example/?" + "&".repeat(8000) + " ", octets));
        String inner = IntStream.range(0, 400)
                .mapToObj(i -> "u" + i + "=http://h" + i + ".x%d.example&")
                .collect(Collectors.joining());
        all.put("links in links", octets -> numbered(text, "http://h%d.example/?" + inner + " ", octets));
        String within = "http://a.example/?u=".repeat(400);
        all.put("links within links", octets -> numbered(text, "http://h%d.example/?u=" + within + " ", octets));
        all.put("bare hosts in other letters", octets -> numbered(text, "\u00fc%d.example ", octets));
        all.put("addresses", octets -> numbered(text, "a%d@b.example ", octets));
        String calendar = "Content-Type: text/calendar\r\n\r\nBEGIN:VCALENDAR\r\n";
        all.put("folds of a calendar", octets -> repeated(calendar + "a", "\r\n x", octets));
        all.put("folds of a named line", octets -> repeated(calendar + "a".repeat(9000) + ":", "\r\n x", octets));
        all.put("soft breaks of a card", octets -> repeated(calendar + "a;QUOTED-PRINTABLE:", "=\r\n", octets));
        all.put("parameters of a calendar", octets -> repeated(calendar, ";a", octets));
        all.put("lines of a calendar", octets -> repeated(calendar, "a;b:\r\n", octets));
        String rtf = "Content-Type: application/rtf\r\n\r\n{\\rtf1";
        all.put("groups of rich text", octets -> repeated(rtf, "{\\*\\x a}", octets));
        all.put("open groups of rich text", octets -> repeated(rtf, "{\\*a", octets));
        all.put(
                "escaped hosts in parameters",
                octets -> numbered(
                        text,
                        "http://a.example/?u=%2F%40b%d%2Eexample.com "
                                .replace("%2", "%%2")
                                .replace("%4", "%%4"),
                        octets));
        all.put("names of addresses", octets -> numbered(text, "http://192-0-2-1.c0000201.%d.nip.io ", octets));
        String mailto = html + "8bit\r\n\r\n<a href=\"mailto:";
        all.put("recipients of a link", octets -> closed(numbered(mailto, "a%d@b.example,", octets), "\">"));
        all.put(
                "recipients of a link in copy",
                octets -> closed(numbered(mailto + "?", "&cc=a%d@b.example", octets), "\">"));
        all.put("separators of a link", octets -> enclosed(mailto, ",;", octets, "\">"));
        all.put("quotes of a link", octets -> enclosed(mailto + "?to=", "%22@,(", octets, "\">"));
        all.put("recipients of a link in vain", octets -> enclosed(mailto + "?", "&cc=,@", octets, "\">"));
        all.put("links of mail", octets -> repeated(text, "mailto:", octets));
        all.put("links of mail in words", octets -> numbered(text, "mailto:a%d%%40b.example ", octets));
        all.put("links of hosts", octets -> numbered(html + "8bit\r\n\r\n", "<a href=//h%d.example>", octets));
        String archived = "http://archive.x/%d/" + ".".repeat(8000) + "?\u2028";
        all.put(
                "dots behind an archive",
                octets -> numbered(html + "8bit\r\n\r\n", "<a href=\"" + archived + "\">", octets));
        all.put(
                "dots behind a wrapped archive",
                octets -> numbered(text, "http://a.example/?u=" + archived.replace("\u2028", "%0A") + " ", octets));
        String multipart = "Content-Type: multipart/mixed; boundary=" + "b".repeat(60) + "\r\n\r\n";
        all.put("near boundaries", octets -> repeated(multipart, "--" + "b".repeat(59) + "\r\n", octets));
        all.put("nearer boundaries", octets -> repeated(multipart, "\r\n--" + "b".repeat(59) + "c", octets));
        all.put("pdf inflate bombs", octets -> inflateBombs(pdf, octets));
        return all;
    }

    private static byte[] enclosed(String head, String pattern, int octets, String tail) {
        return closed(repeated(head, pattern, octets), tail);
    }

    private static byte[] closed(byte[] start, String tail) {
        byte[] end = tail.getBytes(StandardCharsets.UTF_8);
        byte[] message = Arrays.copyOf(start, start.length + end.length);
        System.arraycopy(end, 0, message, start.length, end.length);
        return message;
    }

    /// Each unit with a number of its own.
    private static byte[] numbered(String head, String unit, int octets) {
        StringBuilder message = new StringBuilder(head);
        for (int i = 0; message.length() < octets; i++) {
            message.append(unit.replace("%d", Integer.toString(i)));
        }
        return message.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] nestedMultiparts(int octets) {
        StringBuilder message = new StringBuilder("Content-Type: multipart/mixed; boundary=b0\r\n\r\n");
        for (int i = 0; message.length() < Math.min(octets, 400_000); i++) {
            message.append("--b" + i + "\r\nContent-Type: multipart/mixed; boundary=b" + (i + 1) + "\r\n\r\n");
        }
        return message.toString().getBytes(StandardCharsets.UTF_8);
    }

    /// `srcdoc` within `srcdoc`: each level is escaped once more than the one around it.
    private static byte[] nestedDocuments(int octets) {
        StringBuilder message = new StringBuilder("Content-Type: text/html\r\n\r\n");
        String quote = "\"";
        for (int depth = 0; depth < 100; depth++) {
            message.append("<iframe srcdoc=").append(quote);
            quote = depth == 0 ? "&quot;" : quote.replace("&", "&amp;");
        }
        int left = octets - message.length();
        message.append("<a href=http://a.example>".repeat(Math.max(1, left / 25)));
        return message.toString().getBytes(StandardCharsets.UTF_8);
    }

    /// Streams of 4 MB of zeros each.
    private static byte[] inflateBombs(String head, int octets) {
        byte[] zeros = new byte[4 * 1024 * 1024];
        byte[] packed = new byte[64 * 1024];
        Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION);
        deflater.setInput(zeros);
        deflater.finish();
        int length = deflater.deflate(packed);
        deflater.end();
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        message.writeBytes(head.getBytes(StandardCharsets.UTF_8));
        while (message.size() < octets) {
            message.writeBytes("/ObjStm>>stream\n".getBytes(StandardCharsets.UTF_8));
            message.write(packed, 0, length);
        }
        return message.toByteArray();
    }
}
