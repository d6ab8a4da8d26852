package org.bloomgate.decision.authentication;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bloomgate.content.mime.MessageHead;
import org.bloomgate.core.text.TextForms;

/// The readings of a signed body that its signer can have meant, where the fields that say how it is read are not
/// signed. Google, for example, signs no Content-Type.
///
/// Whoever replays a message can add, change and remove such fields, so they say nothing about the signer. The signer
/// wrote an identifier if the body has it whatever these fields were: if it is in **every** reading. It is not enough
/// that the other readings have nothing beyond the one received: `evil.exam=` and `ple` on two lines of plain text
/// become a host by an added `Content-Transfer-Encoding: quoted-printable`.
///
/// The readings are text in each transfer encoding, also in charsets whose shifts and double bytes hide ASCII; HTML,
/// if there is an end tag; the type that the first bytes suggest; a message, if the body begins like one; and a
/// digest by each boundary, as which every multipart can be read. Markup with `=3D` is quoted-printable. A signer
/// encodes no multipart or message (RFC 2045 6.4), and writes no UTF-16, whose lines would not end with CRLF. Other
/// fields and parameters only add to a reading. So base64, or a host over two lines, is never covered.
final class BodyReadings {
    /// The largest body that is read again.
    static final int MAX_BYTES = 256 * 1024;

    /// The most boundaries in a body that is read again; real messages have at most three.
    static final int MAX_BOUNDARIES = 8;

    private static final String TYPE = "content-type";
    private static final String ENCODING = "content-transfer-encoding";
    private static final List<String> FIELDS =
            List.of(TYPE, ENCODING, "content-base", "content-location", "content-disposition");

    private BodyReadings() {}

    /// Whether the signed fields leave one reading.
    static boolean isFixed(DkimHeader header, Set<String> signed) {
        return signed.contains(TYPE)
                && !isEncodingOpen(header, signed)
                && FIELDS.stream()
                        .allMatch(name ->
                                signed.contains(name) || header.fields(name).isEmpty());
    }

    private static boolean isEncodingOpen(DkimHeader header, Set<String> signed) {
        return !signed.contains(ENCODING)
                && !(signed.contains(TYPE)
                        && header.fields(TYPE).stream()
                                .map(type -> TextForms.lowerCase(type.value().strip()))
                                .anyMatch(type -> type.startsWith("multipart/") || type.startsWith("message/")));
    }

    /// Returns the readings as messages; none if the body is too large or has too many boundaries.
    ///
    /// @param signed lower-case names of the fields all of whose instances are signed
    static List<MessageSource> list(MessageSource message, Set<String> signed) throws IOException {
        try (InputStream stream = message.open()) {
            DkimHeader header = DkimHeader.read(stream);
            byte[] body = header.body().readNBytes(MAX_BYTES + 1);
            String text = new String(body, ISO_8859_1);
            List<String> boundaries = findBoundaries(text);
            if (body.length > MAX_BYTES || boundaries.size() > MAX_BOUNDARIES) {
                return List.of();
            }
            String signedText = FIELDS.stream()
                    .filter(signed::contains)
                    .flatMap(name -> header.fields(name).stream())
                    .map(field -> new String(field.bytes(), ISO_8859_1) + "\r\n")
                    .collect(Collectors.joining());
            boolean isOpen = isEncodingOpen(header, signed);
            return (isOpen ? Stream.of("7bit", "base64", "quoted-printable") : Stream.of(""))
                    .flatMap(encoding -> (signed.contains(TYPE) ? List.of("") : listTypes(text, encoding, boundaries))
                            .stream()
                                    .map(type ->
                                            signedText + type + (isOpen ? ENCODING + ": " + encoding + "\r\n" : "")))
                    .map(fields -> (fields + "\r\n").getBytes(ISO_8859_1))
                    .<MessageSource>map(fields -> () ->
                            new SequenceInputStream(new ByteArrayInputStream(fields), new ByteArrayInputStream(body)))
                    .toList();
        }
    }

    /// Returns the boundaries of lines that begin with two hyphens; those that also end with two close a multipart.
    private static List<String> findBoundaries(String body) {
        return body.lines()
                .map(String::stripTrailing)
                .filter(line -> line.startsWith("--") && !line.endsWith("--"))
                .map(line -> line.substring(2).replace("\\", "\\\\").replace("\"", "\\\""))
                .distinct()
                .toList();
    }

    private static List<String> listTypes(String body, String encoding, List<String> boundaries) {
        boolean isEncoded = encoding.startsWith("b") || encoding.startsWith("q");
        List<String> types = new ArrayList<>(
                List.of("text/plain", "text/plain; charset=iso-2022-jp", "text/plain; charset=gb18030"));
        if (isEncoded || !body.contains("=3D")) {
            types.addAll(List.of("application/octet-stream", body.contains("</") ? "text/html" : "text/plain"));
        }
        if (!isEncoded) {
            types.add(MessageHead.looksLike(body) ? "message/rfc822" : "text/plain");
            boundaries.forEach(boundary -> types.add("multipart/digest; boundary=\"" + boundary + "\""));
        }
        return types.stream()
                .distinct()
                .map(type -> "Content-Type: " + type + "\r\n")
                .toList();
    }
}
