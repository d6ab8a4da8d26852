package org.bloomgate.content.mime;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

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

    /// What says that a PDF is encrypted with an empty password (RC4, 40 bits).
    private static final String EMPTY_PASSWORD = " 9 0 obj<</Filter/Standard/V 1/R 2/P -4/O<" + "07".repeat(32)
            + ">/U<64eaabb360ef6e0eb16222d0a8d0af5cf404a1712c58c5bac9c972a226aba5c0>>>endobj trailer<</Encrypt 9 0"
            + " R/ID[<0102><0102>]>> 1 0 obj ";

    private HostileMessages() {}

    /// All of them by name; each is made about as long as asked.
    static Map<String, IntFunction<byte[]>> all() {
        Map<String, IntFunction<byte[]>> all = new LinkedHashMap<>();
        for (String pattern : HTML) {
            all.put("html " + pattern, bytes -> ofHtml(pattern, bytes));
        }
        for (String pattern : TEXT) {
            all.put("text " + pattern, bytes -> ofText(pattern, bytes));
        }
        all.putAll(structures());
        return all;
    }

    static byte[] ofHtml(String pattern, int bytes) {
        return repeated("Content-Type: text/html\r\n\r\n", pattern, bytes);
    }

    static byte[] ofText(String pattern, int bytes) {
        return repeated("Content-Type: text/plain; charset=utf-8\r\n\r\n", pattern, bytes);
    }

    private static byte[] repeated(String head, String pattern, int bytes) {
        byte[] start = head.getBytes(StandardCharsets.UTF_8);
        byte[] unit = pattern.getBytes(StandardCharsets.UTF_8);
        byte[] message = new byte[start.length + bytes / unit.length * unit.length];
        System.arraycopy(start, 0, message, 0, start.length);
        for (int at = start.length; at < message.length; at += unit.length) {
            System.arraycopy(unit, 0, message, at, unit.length);
        }
        return message;
    }

    /// In headers, MIME structure, transfer encodings and PDF.
    static Map<String, IntFunction<byte[]>> structures() {
        Map<String, IntFunction<byte[]>> all = new LinkedHashMap<>();
        all.put("messages in messages", bytes -> repeated("", "Content-Type: message/rfc822\r\n\r\n", bytes));
        all.put("multiparts in multiparts", HostileMessages::nestedMultiparts);
        all.put("parts", bytes -> repeated("Content-Type: multipart/mixed; boundary=b\r\n\r\n", "--b\r\n\r\n", bytes));
        all.put(
                "parts of unknown charsets",
                bytes -> numbered(
                        "Content-Type: multipart/mixed; boundary=b\r\n\r\n",
                        "--b\r\nContent-Type: text/plain; charset=x%d\r\n\r\n\r\n",
                        bytes));
        all.put("encoded words of unknown charsets", bytes -> numbered("Subject: ", "=?x%d?q?a?=", bytes));
        all.put("fields of unknown charsets", bytes -> numbered("", "Subject: =?x%d?q?a?= =?y%d?q?a?=\r\n", bytes));
        all.put("fields", bytes -> repeated("", "X: y\r\n", bytes));
        all.put("originators", bytes -> repeated("", "From: a@b.example\r\n", bytes));
        all.put("folded field", bytes -> repeated("Subject: x", "\r\n x", bytes));
        all.put("encoded words", bytes -> repeated("Subject: ", "=?utf-8?q?a?= ", bytes));
        all.put("broken encoded word", bytes -> repeated("Subject: =?", "?a", bytes));
        all.put("comments", bytes -> repeated("From: ", "(", bytes));
        all.put("brackets", bytes -> repeated("From: ", "<a@", bytes));
        all.put("quotes", bytes -> repeated("From: ", "\"a\\", bytes));
        all.put("signature tags", bytes -> repeated("DKIM-Signature: ", ";d=a", bytes));
        all.put("unsubscribe", bytes -> repeated("List-Unsubscribe: ", "<http://a", bytes));
        all.put("parameters", bytes -> repeated("Content-Type: text/html", "; a=b", bytes));
        String external = "Content-Type: message/external-body; site=h%d.example; url=http://u%d.example\r\n";
        all.put("fields of bodies elsewhere", bytes -> numbered("", external, bytes));
        all.put(
                "pieces of an address elsewhere",
                bytes -> numbered("Content-Type: message/external-body", "; url*%d=a", bytes));
        all.put("no fields", bytes -> repeated("", "no field\r\n", bytes));
        all.put("no line end", bytes -> repeated("", "x", bytes));
        all.put("nulls", bytes -> repeated("", "\0", bytes));
        all.put("zeros in text", bytes -> repeated("\r\n", "http://a\0b\0c\0d\0e\0f\0g\0h\0i\0", bytes));
        all.put("zeros in markup", bytes -> repeated("Content-Type: text/html\r\n\r\n", "<\0a\0 \0\0b\0<a ", bytes));
        all.put("line ends", bytes -> repeated("", "\r\n", bytes));
        String html = "Content-Type: text/html\r\nContent-Transfer-Encoding: ";
        String encodings = "8bit\r\nContent-Transfer-Encoding: base64 quoted-printable uuencode x\r\n\r\n";
        all.put("markup in every encoding", bytes -> repeated(html + encodings, "PGEg<a =\r\n", bytes));
        all.put("words of an encoding", bytes -> repeated(html, "a ", bytes));
        all.put("comments of an encoding", bytes -> repeated(html, "(\\)", bytes));
        all.put("fields of encodings", bytes -> repeated("", "Content-Transfer-Encoding: ;base64 x 8bit\r\n", bytes));
        all.put("base64 garbage", bytes -> repeated(html + "base64\r\n\r\n", "!=@\r\n", bytes));
        all.put("base64 of markup", bytes -> repeated(html + "base64\r\n\r\n", "PGEgPGEg\r\n", bytes));
        all.put("soft line breaks", bytes -> repeated(html + "quoted-printable\r\n\r\n", "=\r\n", bytes));
        all.put("equals signs", bytes -> repeated(html + "quoted-printable\r\n\r\n", "=", bytes));
        all.put("documents in documents", HostileMessages::nestedDocuments);
        String unnamed = "Content-Type: application/octet-stream\r\n\r\nID3\1";
        all.put("ends of archives behind sound", bytes -> repeated(unnamed, "PK\1\2PK\5\6", bytes));
        String pdf = "Content-Type: application/pdf\r\n\r\n%PDF-";
        all.put("pdf hex strings", bytes -> repeated(pdf, "/URI<", bytes));
        all.put("pdf strings", bytes -> repeated(pdf, "/URI(", bytes));
        all.put("pdf streams", bytes -> repeated(pdf, "/ObjStm stream\n", bytes));
        all.put("pdf comments", bytes -> repeated(pdf, "%/\n", bytes));
        all.put("pdf comment", bytes -> repeated(pdf, "%/obj", bytes));
        all.put("pdf links in comments", bytes -> numbered(pdf, "%%/URI(http://h%d.example/)\n", bytes));
        all.put("pdf links", bytes -> numbered(pdf, "/URI(http://h%d.example/)", bytes));
        all.put("pdf identifiers", bytes -> repeated(pdf + "/Encrypt ", "/IDx ", bytes));
        all.put("pdf strings under an empty password", bytes -> repeated(pdf + EMPTY_PASSWORD, "(a)", bytes));
        all.put("pdf names under an empty password", bytes -> repeated(pdf + EMPTY_PASSWORD, "/#41 1 ", bytes));
        String note = "%d 0 obj<</Subtype/FreeText/Contents(see http://h%d.example/)/RC(<p>a</p>)>>endobj\n";
        all.put("pdf annotations", bytes -> numbered(pdf, note, bytes));
        all.put("pdf text of an annotation", bytes -> repeated(pdf + "1 0 obj<</Contents(", "\\050a ", bytes));
        all.put(
                "pdf text of one annotation for all",
                bytes -> numbered(pdf, "%d 0 obj<</Contents 1 0 R>>endobj ", bytes));
        all.put("pdf texts of an annotation", bytes -> repeated(pdf + "1 0 obj<</Contents[", "(a.example)", bytes));
        String map = pdf + "2 0 obj<</ToUnicode 3 0 R>>endobj 4 0 obj<</F1 2 0 R/Contents 5 0 R>>endobj "
                + "5 0 obj<<>>stream\n/F1 9 Tf (x) Tj\nendstream endobj 3 0 obj<<>>stream\n"
                + "begincodespacerange <0000><ffff> endcodespacerange beginbfrange ";
        all.put("pdf ranges of characters", bytes -> repeated(map, "<0000><fffe><0041>", bytes));
        all.put("pdf characters", bytes -> repeated(map, "<00><00><0041>", bytes));
        String page = pdf + "4 0 obj<</F1 5 0 R/Contents 3 0 R>>endobj 3 0 obj<<>>stream\n";
        StringBuilder fonts = new StringBuilder();
        for (int i = 20; i < 24; i++) {
            fonts.append("%d 0 obj<</ToUnicode 3%<d 0 R>>endobj 4%<d 0 obj<</F1 %<d 0 R>>endobj ".formatted(i))
                    .append("3%d 0 obj<<>>stream\nbegincodespacerange <00><ff> endcodespacerange ".formatted(i))
                    .append("beginbfchar <61><0062> endbfchar\nendstream endobj ");
        }
        String named = pdf + fonts + "4 0 obj<</Contents 5 0 R>>endobj 5 0 obj<<>>stream\n/F1 9 Tf ";
        all.put("pdf strings in fonts of one name", bytes -> repeated(named, "(a)Tj ", bytes));
        all.put("pdf values of fields", bytes -> repeated(pdf, "/V(a)", bytes));
        all.put("pdf formatted texts", bytes -> repeated(pdf, "/RC(a)", bytes));
        all.put(
                "pdf links below a long base",
                bytes -> repeated(pdf + "/Base(http://a.example/" + "x".repeat(bytes / 2) + ")", "/URI(b)", bytes));
        all.put("pdf objects that overlap", bytes -> overlappingObjects(pdf, bytes));
        all.put(
                "pdf streams in base 85",
                bytes -> repeated(numberedPages(pdf, "ASCII85Decode"), "~zzz", Math.max(bytes, 40_000)));
        all.put("pdf fonts", bytes -> repeated(page, "/F1 Tf ", bytes));
        all.put("pdf polygons", bytes -> repeated(page, "0 0 m 9 9 l 0 9 l f ", bytes));
        String text = "Content-Type: text/plain; charset=utf-8\r\n\r\n";
        all.put("hosts", bytes -> numbered(text, "http://h%d.example ", bytes));
        all.put("punycode hosts", bytes -> numbered(text, "http://xn--h%d-kva.example ", bytes));
        all.put("hosts in other letters", bytes -> numbered(text, "http://\u00fc%d\u4f8b.example ", bytes));
        String marks = "\u0300\u0316".repeat(500);
        all.put("hosts of marks", bytes -> numbered(text, "http://a%d" + marks + ".example ", bytes));
        all.put("hosts that grow", bytes -> numbered(text, "http://%d" + "\ufdfa".repeat(60) + ".example ", bytes));
        all.put("addresses of sigmas", bytes -> numbered(text, "a%d" + "\u03a3".repeat(900) + "@b.example ", bytes));
        all.put("links to sigmas", bytes -> numbered(text, "mailto:%d" + "%CE%A3".repeat(900) + "@b.example ", bytes));
        all.put("parentheses in a link", bytes -> enclosed(text + "http://a.example/", "(", bytes, ")"));
        all.put("parameters in links", bytes -> numbered(text, "http://h%d.example/?" + "&".repeat(8000) + " ", bytes));
        String inner = IntStream.range(0, 400)
                .mapToObj(i -> "u" + i + "=http://h" + i + ".x%d.example&")
                .collect(Collectors.joining());
        all.put("links in links", bytes -> numbered(text, "http://h%d.example/?" + inner + " ", bytes));
        String coded = code("http://a.example/?u=" + code("http://b.example/?u=" + code("http://c.example/")));
        all.put("codes in links", bytes -> numbered(text, "http://h%d.example/?u=" + coded + " ", bytes));
        all.put("codes in a path", bytes -> numbered(text, "http://h%d.example/" + (coded + "/").repeat(30), bytes));
        String deflated = "http://h%d.example/?" + "u=eJzLKCkpKLbS1y8vL9dLrUjMLchJ1UvOzwUAb3EI_w&".repeat(60);
        all.put("inflated texts in links", bytes -> numbered(text, deflated + " ", bytes));
        all.put("digits of a link", bytes -> numbered(text, "http://h%d.example/" + "68747470".repeat(900), bytes));
        all.put(
                "escapes of escapes in a link",
                bytes -> numbered(text, "http://h%d.example/?u=" + "%25".repeat(2000), bytes));
        String within = "http://a.example/?u=".repeat(400);
        all.put("links within links", bytes -> numbered(text, "http://h%d.example/?u=" + within + " ", bytes));
        all.put("bare hosts in other letters", bytes -> numbered(text, "\u00fc%d.example ", bytes));
        all.put("addresses", bytes -> numbered(text, "a%d@b.example ", bytes));
        String calendar = "Content-Type: text/calendar\r\n\r\nBEGIN:VCALENDAR\r\n";
        all.put("folds of a calendar", bytes -> repeated(calendar + "a", "\r\n x", bytes));
        all.put("folds of a named line", bytes -> repeated(calendar + "a".repeat(9000) + ":", "\r\n x", bytes));
        all.put("soft breaks of a card", bytes -> repeated(calendar + "a;QUOTED-PRINTABLE:", "=\r\n", bytes));
        all.put("parameters of a calendar", bytes -> repeated(calendar, ";a", bytes));
        all.put("lines of a calendar", bytes -> repeated(calendar, "a;b:\r\n", bytes));
        String rtf = "Content-Type: application/rtf\r\n\r\n{\\rtf1";
        all.put("groups of rich text", bytes -> repeated(rtf, "{\\*\\x a}", bytes));
        all.put("open groups of rich text", bytes -> repeated(rtf, "{\\*a", bytes));
        all.put(
                "escaped hosts in parameters",
                bytes -> numbered(
                        text,
                        "http://a.example/?u=%2F%40b%d%2Eexample.com "
                                .replace("%2", "%%2")
                                .replace("%4", "%%4"),
                        bytes));
        all.put("names of addresses", bytes -> numbered(text, "http://192-0-2-1.c0000201.%d.nip.io ", bytes));
        String names = "Content-Type: multipart/mixed; boundary=b\r\n\r\n";
        String word = "--b\r\nContent-Type: a/b; name=\"" + "=?a?x".repeat(40_000) + "?=\"\r\n\r\n";
        all.put("names that are not encoded", bytes -> repeated(names, word, Math.max(bytes, word.length())));
        all.put("short lines of a file in a text", bytes -> repeated(text + "begin 644 x\n", "_\n", bytes));
        all.put(
                "links below long bases",
                bytes -> repeated(
                        html + "8bit\r\n\r\n"
                                + IntStream.range(0, 16)
                                        .mapToObj(i -> "<p xml:base='http://h%d.example/%s'>"
                                                .formatted(i, "x".repeat(bytes / 32)))
                                        .collect(Collectors.joining()),
                        "<a href=y>",
                        bytes));
        String mailto = html + "8bit\r\n\r\n<a href=\"mailto:";
        all.put("recipients of a link", bytes -> closed(numbered(mailto, "a%d@b.example,", bytes), "\">"));
        all.put(
                "recipients of a link in copy",
                bytes -> closed(numbered(mailto + "?", "&cc=a%d@b.example", bytes), "\">"));
        all.put("separators of a link", bytes -> enclosed(mailto, ",;", bytes, "\">"));
        all.put("quotes of a link", bytes -> enclosed(mailto + "?to=", "%22@,(", bytes, "\">"));
        all.put("recipients of a link in vain", bytes -> enclosed(mailto + "?", "&cc=,@", bytes, "\">"));
        all.put("links of mail", bytes -> repeated(text, "mailto:", bytes));
        all.put("links of mail in words", bytes -> numbered(text, "mailto:a%d%%40b.example ", bytes));
        all.put("links of hosts", bytes -> numbered(html + "8bit\r\n\r\n", "<a href=//h%d.example>", bytes));
        String drawn = html + "8bit\r\n\r\n" + "<i bgcolor=red></i>".repeat(50);
        all.put("rules of a class", bytes -> repeated(drawn + "<style>", ".a{x:y}", bytes));
        String rule = drawn + "<style>.a{" + "b:c;".repeat(10_000) + "}</style>";
        all.put("elements of a long rule", bytes -> repeated(rule, "<b class='a a a a'>", bytes));
        String shadows = drawn + "<style>.a{box-shadow:" + "1px 1px red,".repeat(3_000) + "0 0}</style>";
        all.put("elements with many shadows", bytes -> repeated(shadows, "<b class=a>", bytes));
        all.put("cells of many rows", bytes -> repeated(drawn + "<table>", "<td rowspan=9 width=9>", bytes));
        all.put("closed paths", bytes -> enclosed(drawn + "<svg><path d='", "z", bytes, "'/></svg>"));
        String corner = "<svg><rect x=408 y=408 width=1 height=1 />";
        all.put(
                "shapes that cover all",
                bytes -> closed(
                        repeated(
                                drawn + corner,
                                "<rect width=1 height=1 /><rect width=1 height=1 /><rect width=408 height=408 />",
                                bytes),
                        "</svg>"));
        String archived = "http://archive.x/%d/" + ".".repeat(8000) + "?\u2028";
        all.put(
                "dots behind an archive",
                bytes -> numbered(html + "8bit\r\n\r\n", "<a href=\"" + archived + "\">", bytes));
        all.put(
                "dots behind a wrapped archive",
                bytes -> numbered(text, "http://a.example/?u=" + archived.replace("\u2028", "%0A") + " ", bytes));
        String multipart = "Content-Type: multipart/mixed; boundary=" + "b".repeat(60) + "\r\n\r\n";
        all.put("near boundaries", bytes -> repeated(multipart, "--" + "b".repeat(59) + "\r\n", bytes));
        all.put("nearer boundaries", bytes -> repeated(multipart, "\r\n--" + "b".repeat(59) + "c", bytes));
        all.put("pdf inflate bombs", bytes -> inflateBombs(pdf, bytes));
        all.putAll(commands());
        return all;
    }

    /// In scripts for a shell. A reader that is not bounded takes the square of the bytes, twice the heap for each
    /// line, or a frame for each character.
    private static Map<String, IntFunction<byte[]>> commands() {
        Map<String, IntFunction<byte[]>> all = new LinkedHashMap<>();
        String file = "Content-Type: application/octet-stream\r\nContent-Disposition: attachment; filename=a.";
        String batch = file + "bat\r\n\r\n";
        String shell = file + "sh\r\n\r\n#!/bin/sh\n";
        all.put("words of a command", bytes -> repeated(batch, "a ", bytes));
        all.put("form feeds between words", bytes -> repeated(batch, "a \f", bytes));
        all.put("words of a command of a shell", bytes -> repeated(shell, "https://a ", bytes));
        all.put("escaped line ends", bytes -> repeated(batch, "^\n", bytes));
        all.put("escaped line ends of a shell", bytes -> repeated(shell, "\\\n", bytes));
        all.put("quotes in quotes", bytes -> repeated(batch + "cmd /c ", "\"^\"", bytes));
        all.put("quotes of shells in quotes", bytes -> repeated(shell, "sh -c \"'\\\"", bytes));
        all.put("open quote of a shell", bytes -> repeated(shell + "eval '", "\\\"", bytes));
        all.put("open substitutions", bytes -> repeated(shell + "echo ", "$(", bytes));
        all.put("substitutions", bytes -> repeated(shell, "$(echo $(echo $(echo a)))", bytes));
        all.put("open names of variables", bytes -> repeated(shell, "${a", bytes));
        all.put("names of variables", bytes -> repeated(batch, "%a", bytes));
        all.put("parts of a variable", bytes -> repeated(batch + "set a=bcd\n", "%a:~1,1%!a:c=ee!\n", bytes));
        all.put("variables that double", bytes -> repeated(batch + "set a=bc\n", "set a=%a%%a%\n", bytes));
        all.put("variables that double by parts", bytes -> repeated(shell + "a=bb\n", "a=${a//b/bb}\n", bytes));
        all.put("variables of a shell", bytes -> numbered(shell + "a=b\n", "a%d=$a\n", bytes));
        all.put("pipes", bytes -> repeated(shell + "echo a", "|base64 -d", bytes));
        all.put("pipes to shells", bytes -> repeated(shell, "echo a|sh|bash\n", bytes));
        all.put("commands of commands", bytes -> repeated(batch, "cmd /c ", bytes));
        String power = file + "ps1\r\n\r\n";
        all.put("words of PowerShell", bytes -> repeated(power, "a ", bytes));
        all.put("open parentheses of PowerShell", bytes -> repeated(power, "(", bytes));
        all.put("quotes of PowerShell", bytes -> repeated(power, "\"`\"'", bytes));
        all.put("sums of PowerShell", bytes -> repeated(power + "'a'", "+'a'", bytes));
        all.put("joins of PowerShell", bytes -> repeated(power, "('a','b') -join ''\n", bytes));
        all.put("items of a list", bytes -> repeated(power + "'{0}' -f 'a'", ",'a'", bytes));
        all.put("items of a list that is joined", bytes -> repeated(power + "('a'", ",'a'", bytes));
        String formats = power + "$a='{0}'\n";
        all.put("formats", bytes -> repeated(formats, "$a -f 'b' -f 'c' -replace 'b','c'\n", bytes));
        all.put("formats that double", bytes -> repeated(formats, "$a='{0}{0}' -f $a\n", bytes));
        all.put("sums that double", bytes -> repeated(formats, "$a+=$a\n", bytes));
        all.put("replacements that double", bytes -> repeated(formats, "$a=$a -replace '0','00'\n", bytes));
        all.put("codes of codes", bytes -> {
            String command = "curl https://a.example/" + "x".repeat(bytes / 400);
            for (int i = 0; i < 20; i++) {
                String digits = Base64.getEncoder().encodeToString(command.getBytes(StandardCharsets.US_ASCII));
                command = "echo " + digits + " | base64 -d | sh";
            }
            return (shell + command).getBytes(StandardCharsets.US_ASCII);
        });
        return all;
    }

    /// The head of a PDF whose pages are streams without an end.
    private static String numberedPages(String head, String filter) {
        String pages = IntStream.range(10, 510).mapToObj(i -> i + " 0 R").collect(Collectors.joining(" "));
        return head + "1 0 obj<</Contents[" + pages + "]>>endobj\n"
                + IntStream.range(10, 510)
                        .mapToObj(i -> i + " 0 obj<</Filter/" + filter + ">>stream\n")
                        .collect(Collectors.joining());
    }

    /// Streams of ten thousand objects, each of which is the same name of four thousand characters.
    private static byte[] overlappingObjects(String head, int bytes) {
        String content = "1 0 1 4000 ".repeat(10_000) + '/' + "a".repeat(4_000);
        byte[] packed = deflated(content.getBytes(StandardCharsets.US_ASCII));
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        message.writeBytes(head.getBytes(StandardCharsets.US_ASCII));
        while (message.size() < bytes) {
            message.writeBytes(
                    "1 0 obj<</Type/ObjStm/Filter/FlateDecode>>stream\n".getBytes(StandardCharsets.US_ASCII));
            message.writeBytes(packed);
            message.writeBytes("\nendstream endobj\n".getBytes(StandardCharsets.US_ASCII));
        }
        return message.toByteArray();
    }

    static byte[] deflated(byte[] content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DeflaterOutputStream deflater = new DeflaterOutputStream(bytes)) {
            deflater.write(content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static String code(String text) {
        return Base64.getUrlEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] enclosed(String head, String pattern, int bytes, String tail) {
        return closed(repeated(head, pattern, bytes), tail);
    }

    private static byte[] closed(byte[] start, String tail) {
        byte[] end = tail.getBytes(StandardCharsets.UTF_8);
        byte[] message = Arrays.copyOf(start, start.length + end.length);
        System.arraycopy(end, 0, message, start.length, end.length);
        return message;
    }

    /// Each unit with a number of its own.
    private static byte[] numbered(String head, String unit, int bytes) {
        StringBuilder message = new StringBuilder(head);
        for (int i = 0; message.length() < bytes; i++) {
            message.append(unit.replace("%d", Integer.toString(i)));
        }
        return message.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] nestedMultiparts(int bytes) {
        StringBuilder message = new StringBuilder("Content-Type: multipart/mixed; boundary=b0\r\n\r\n");
        for (int i = 0; message.length() < Math.min(bytes, 400_000); i++) {
            message.append("--b" + i + "\r\nContent-Type: multipart/mixed; boundary=b" + (i + 1) + "\r\n\r\n");
        }
        return message.toString().getBytes(StandardCharsets.UTF_8);
    }

    /// `srcdoc` within `srcdoc`: each level is escaped once more than the one around it.
    private static byte[] nestedDocuments(int bytes) {
        StringBuilder message = new StringBuilder("Content-Type: text/html\r\n\r\n");
        String quote = "\"";
        for (int depth = 0; depth < 100; depth++) {
            message.append("<iframe srcdoc=").append(quote);
            quote = depth == 0 ? "&quot;" : quote.replace("&", "&amp;");
        }
        int left = bytes - message.length();
        message.append("<a href=http://a.example>".repeat(Math.max(1, left / 25)));
        return message.toString().getBytes(StandardCharsets.UTF_8);
    }

    /// Streams of 4 MB of zeros each.
    private static byte[] inflateBombs(String head, int bytes) {
        byte[] zeros = new byte[4 * 1024 * 1024];
        byte[] packed = new byte[64 * 1024];
        Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION);
        deflater.setInput(zeros);
        deflater.finish();
        int length = deflater.deflate(packed);
        deflater.end();
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        message.writeBytes(head.getBytes(StandardCharsets.UTF_8));
        while (message.size() < bytes) {
            message.writeBytes("/ObjStm>>stream\n".getBytes(StandardCharsets.UTF_8));
            message.write(packed, 0, length);
        }
        return message.toByteArray();
    }
}
