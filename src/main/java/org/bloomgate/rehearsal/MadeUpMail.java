package org.bloomgate.rehearsal;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.james.mime4j.codec.QuotedPrintableOutputStream;

/// Sessions of common kinds, never twice the same: notes, newsletters and answers, alone or with a picture, an invoice
/// or an invitation, forwarded or not, in the usual transfer encodings. What real mail makes busy should be busy here:
/// code that the compiler has seen with one kind of mail alone is compiled again for the next.
public final class MadeUpMail {
    /// Of all recipients. It exists nowhere (RFC 2606).
    public static final String DOMAIN = "dest.invalid";

    private static final String[] PICTURES = {"photo.png", "logo.png", "scan.png", "button.png"};
    private static final String[] CHARSETS = {"UTF-8", "iso-8859-1", "windows-1252", "GB18030"};
    private static final String BOUNDARY = "=_b";

    /// Of so many texts one is long.
    private static final int SHORT_LETTERS = 5;

    /// Of one text: some 60 KB.
    private static final int MOST_LETTERS = 15;

    private final SplittableRandom random = new SplittableRandom(1);
    private final MadeUpText text = new MadeUpText(random);

    /// What a client sends.
    ///
    /// @param commands from its greeting to DATA, each with its line end
    /// @param message with its final dot
    public record Session(List<String> commands, String message) {}

    /// The next one.
    public Session session() {
        String message = (text.slipped(text.fill(header())) + body()).replace("\r\n.", "\r\n..") + ".\r\n";
        List<String> commands =
                new ArrayList<>(List.of("EHLO client.invalid\r\n", text.fill(sender(message.length()))));
        commands.addAll(recipients());
        commands.add("DATA\r\n");
        return new Session(commands, message);
    }

    private String sender(int size) {
        return switch (random.nextInt(8)) {
            case 0 -> "MAIL FROM:<>\r\n";
            case 1 -> "MAIL FROM:<bounce-{n}=user{n}=dest.invalid@{host}> BODY=8BITMIME\r\n";
            default -> "MAIL FROM:<news{n}@{host}> SIZE=" + size + "\r\n";
        };
    }

    private List<String> recipients() {
        return IntStream.rangeClosed(0, random.nextInt(6) / 4)
                .mapToObj(_ -> "RCPT TO:<user" + random.nextInt(999) + "@" + DOMAIN + ">\r\n")
                .toList();
    }

    private String header() {
        return "Received: from {host} (mx.{host} [192.0.2.7])\r\n\tby relay.invalid (Mailer) with ESMTPS id A{n};"
                + "\r\n\tMon, 05 Jan 2026 10:00:00 +0000 (UTC)\r\n"
                + "Received: by {host} (Mailer, from userid {n})\r\n\tid {n}; Mon, 5 Jan 2026 09:59:58 GMT\r\n"
                + "DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=shop.invalid; s=s1;\r\n"
                + "\th=from:to:subject:date; bh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=;\r\n\tb=Xy{n}/{n}+Ab=\r\n"
                + "Authentication-Results: relay.invalid; spf=pass smtp.mailfrom=news@{host}; dkim=pass\r\n"
                + "Return-Path: <news{n}@{host}>\r\nFrom: =?UTF-8?Q?J=C3=B6rg?= \"M.\" <news{n}@{host}>\r\n"
                + "To: \"User, The\" <user@dest.invalid>, office@dest.invalid\r\n"
                + "Reply-To: {name} <answer{n}@{host}>\r\nCc: team: a@{host}, b@{host};\r\n"
                + (random.nextBoolean()
                        ? "Subject: =?utf-8?B?SWhyZSBCZXN0ZWxsdW5nIPCfjok=?= {n}\r\n"
                        : "Subject: Re: {n}\r\n")
                + "Message-ID: <{n}.{n}@{host}>\r\nReferences: <{n}@{host}>\r\n\t<{n}.{n}@{host}>\r\n"
                + "List-Unsubscribe: <https://{host}/u/{n}>, <mailto:u{n}@{host}>\r\nPrecedence: bulk\r\n"
                + "Date: Mon, 05 Jan 2026 10:00:00 +0000\r\nX-Mailer: Mailer {n}\r\nMIME-Version: 1.0\r\n";
    }

    private String body() {
        return switch (random.nextInt(10)) {
            case 0, 1 -> text("plain", "note.txt");
            case 2 -> text("html", "newsletter.html");
            case 3 -> text("html", "reply.html");
            case 4 -> multipart("mixed", text("plain", "note.txt"), file("application/pdf", "invoice.pdf"));
            case 5 -> multipart("related", text("html", "reply.html"), file("image/png", picture()));
            case 6 ->
                multipart(
                        "mixed",
                        text("plain", "note.txt"),
                        file("image/jpeg", "photo.jpg"),
                        text("calendar", "invitation.ics"));
            case 7 ->
                multipart(
                        "mixed",
                        text("plain", "note.txt"),
                        "Content-Type: message/rfc822\r\n\r\n" + text.slipped(text.fill(header()))
                                + text("html", "newsletter.html"));
            default -> multipart("alternative", text("plain", "note.txt"), text("html", "newsletter.html"));
        };
    }

    /// In colours, of a palette, grey or partly transparent.
    private String picture() {
        return PICTURES[random.nextInt(PICTURES.length)];
    }

    /// The header fields and the body of a part that shows text.
    private String text(String type, String file) {
        String encoding = switch (random.nextInt(4)) {
            case 0 -> "base64";
            case 1 -> "8bit";
            default -> "quoted-printable";
        };
        String charset =
                encoding.equals("8bit") || random.nextBoolean() ? "utf-8" : CHARSETS[random.nextInt(CHARSETS.length)];
        byte[] octets = letters(file).getBytes(Charset.forName(charset));
        return "Content-Type: text/" + type + "; charset="
                + (random.nextBoolean() ? charset : '"' + charset + "\"; format=flowed")
                + "\r\nContent-Transfer-Encoding: " + encoding + "\r\n\r\n" + coded(octets, encoding) + "\r\n";
    }

    /// One, or now and then a long thread of them: buffers grow and budgets are looked at only in long mail.
    private String letters(String file) {
        return random.nextInt(SHORT_LETTERS) > 0
                ? text.letter(file)
                : Stream.generate(() -> text.letter(file))
                        .limit(random.nextInt(2, MOST_LETTERS))
                        .collect(Collectors.joining());
    }

    private static String file(String type, String file) {
        return "Content-Type: " + type + ";\r\n\tname=\"" + file + "\"\r\nContent-Disposition: attachment; filename=\""
                + file + "\"\r\nContent-Transfer-Encoding: base64\r\n\r\n" + coded(MadeUpText.octets(file), "base64")
                + "\r\n";
    }

    private static String coded(byte[] octets, String encoding) {
        return switch (encoding) {
            case "base64" -> Base64.getMimeEncoder().encodeToString(octets);
            case "quoted-printable" -> quoted(octets);
            default -> new String(octets, StandardCharsets.UTF_8);
        };
    }

    private static String quoted(byte[] octets) {
        ByteArrayOutputStream coded = new ByteArrayOutputStream(2 * octets.length);
        try (OutputStream out = new QuotedPrintableOutputStream(coded, false)) {
            out.write(octets);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return coded.toString(StandardCharsets.US_ASCII);
    }

    private static String multipart(String kind, String... parts) {
        StringBuilder body = new StringBuilder("Content-Type: multipart/" + kind + ";\r\n\tboundary=\"" + BOUNDARY
                + "\"\r\n\r\nThis is a message of several parts.\r\n");
        for (String part : parts) {
            body.append("--" + BOUNDARY + "\r\n").append(part);
        }
        return body.append("--" + BOUNDARY + "--\r\n").toString();
    }
}
