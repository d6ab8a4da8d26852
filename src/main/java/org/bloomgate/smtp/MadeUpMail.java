package org.bloomgate.smtp;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.SplittableRandom;

/// Sessions of common kinds, never twice the same, for names that exist nowhere (RFC 2606): a letter with text and
/// HTML of some 15 kB, quoted-printable, base64 or as it is.
final class MadeUpMail {
    private static final String[] WORDS = {
        "the",
        "report",
        "for",
        "your",
        "account",
        "was",
        "sent",
        "please",
        "see",
        "meeting",
        "on",
        "Monday",
        "r\u00e9sum\u00e9"
    };
    private static final int PARAGRAPHS = 18;
    private static final int WORDS_A_PARAGRAPH = 60;
    private static final int LINE = 72;

    private final SplittableRandom random = new SplittableRandom(1);

    /// What a client sends, from its greeting to its farewell.
    byte[] session() {
        String encoding = switch (random.nextInt(4)) {
            case 0 -> "base64";
            case 1 -> "8bit";
            default -> "quoted-printable";
        };
        return ("EHLO client.invalid\r\nMAIL FROM:<news" + random.nextInt(999) + "@sender.invalid> SIZE=16000\r\n"
                        + "RCPT TO:<user" + random.nextInt(99) + "@dest.invalid>\r\nDATA\r\n" + header()
                        + part("text/plain", encoding, text()) + part("text/html", encoding, html())
                        + "--=_b--\r\n.\r\nQUIT\r\n")
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    private String header() {
        return "Received: from mx.invalid (mx.invalid [192.0.2.7]) by relay.invalid; Mon, 05 Jan 2026 10:00:00"
                + " +0000\r\n"
                + "From: =?iso-8859-1?q?M=FCller?= <news@sender.invalid>\r\n"
                + "To: user@dest.invalid\r\n"
                + "Subject: "
                + words(6) + "\r\nMessage-ID: <" + Long.toHexString(random.nextLong()) + "@sender.invalid>\r\n"
                + "Date: Mon, 05 Jan 2026 10:00:00 +0000\r\nMIME-Version: 1.0\r\n"
                + "Content-Type: multipart/alternative; boundary=\"=_b\"\r\n\r\n";
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < PARAGRAPHS; i++) {
            text.append(words(WORDS_A_PARAGRAPH)).append("\r\n").append(link()).append("\r\n\r\n");
        }
        return text.toString();
    }

    private String html() {
        StringBuilder html = new StringBuilder("<!DOCTYPE html><html><head><style>p { color: #333 }</style></head>");
        for (int i = 0; i < PARAGRAPHS; i++) {
            html.append("<table width=\"100%\"><tr><td><p>")
                    .append(words(WORDS_A_PARAGRAPH))
                    .append("&nbsp;&copy;</p>\r\n<a href=\"")
                    .append(link().replace("&", "&amp;"))
                    .append("\"><img src='https://img.invalid/x.png' alt=\"\"></a></td></tr></table>\r\n");
        }
        return html.append("</html>\r\n").toString();
    }

    private String words(int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 1; i <= count; i++) {
            text.append(WORDS[random.nextInt(WORDS.length)]).append(i % 12 == 0 ? "\r\n " : " ");
        }
        return text.toString().strip();
    }

    private String link() {
        String host = "www" + random.nextInt(5000) + ".shop.invalid";
        return random.nextInt(3) == 0
                ? host + "/offer"
                : "https://" + host + "/a/b%20c/" + random.nextInt(9999) + "?id=" + random.nextInt(99999) + "&t=1";
    }

    private static String part(String type, String encoding, String body) {
        String coded = switch (encoding) {
            case "base64" ->
                Base64.getMimeEncoder().encodeToString(body.getBytes(StandardCharsets.ISO_8859_1)) + "\r\n";
            case "8bit" -> body;
            default -> quoted(body);
        };
        return "--=_b\r\nContent-Type: " + type + "; charset=iso-8859-1\r\nContent-Transfer-Encoding: " + encoding
                + "\r\n\r\n" + coded;
    }

    private static String quoted(String text) {
        StringBuilder coded = new StringBuilder();
        int column = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (column > LINE) {
                coded.append("=\r\n");
                column = 0;
            }
            if (c == '=' || c > '~') {
                coded.append(String.format(Locale.ROOT, "=%02X", (int) c));
                column += 3;
            } else {
                coded.append(c);
                column = c == '\n' ? 0 : column + 1;
            }
        }
        return coded.toString();
    }
}
