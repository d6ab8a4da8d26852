package org.bloomgate.decision.authentication;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Reports with a signature, or without one. The constants with a domain prove it for From, To, Date and the body.
enum SignatureForm {
    NONE(""),
    VALID("corp.example"),
    VALID_BELOW("sub.corp.example"),
    VALID_OTHER("other.example"),
    IDENTITY_BELOW("corp.example"),
    IDENTITY_OTHER(""),
    WHOLE_LENGTH("corp.example"),
    LENGTH(""),
    CHANGED_BODY(""),
    CHANGED_FROM(""),
    FROM_UNSIGNED(""),
    TO_UNSIGNED(""),
    DATE_UNSIGNED(""),
    OTHER_TO(""),
    SECOND_TO(""),
    SECOND_DATE(""),
    NO_DATE(""),
    EXPIRED(""),
    FUTURE(""),
    SHA1(""),
    NO_KEY(""),
    REVOKED_KEY(""),
    TESTED_KEY(""),
    UNKNOWN_KEY("");

    private static final String BODY = "Look: http://evil.example/\r\n";
    private static final String MORE = "http://more.example/\r\n";
    private static final String TO = "To: phish@corp.example\r\n";
    private static final String DATE = "Date: Fri, 27 Nov 2026 23:50:00 +0000\r\n";

    private static final Pattern FIELD_START = Pattern.compile("(?<=\r\n)(?=\\S)");

    /// That the signature proves; empty if it proves nothing.
    final String domain;

    SignatureForm(String domain) {
        this.domain = domain;
    }

    String message(String from) {
        String fields = from + TO + DATE;
        SignedMessage message = signed(fields, fields);
        return switch (this) {
            case NONE -> fields + "\r\n" + BODY;
            case VALID -> message.text();
            case VALID_BELOW -> message.tag("d", "sub.corp.example").text();
            case VALID_OTHER -> message.tag("d", "other.example").text();
            case IDENTITY_BELOW -> message.tag("i", "ann@sub.corp.example").text();
            case IDENTITY_OTHER -> message.tag("i", "ann@other.example").text();
            case WHOLE_LENGTH -> message.tag("l", "" + BODY.length()).text();
            case LENGTH -> message.tag("l", "" + BODY.length()).append(MORE).text();
            case CHANGED_BODY -> message.append(MORE).text();
            case CHANGED_FROM ->
                signed(fields, "From: x@corp.example\r\n" + TO + DATE).text();
            case FROM_UNSIGNED -> signed(fields, TO + DATE).tag("h", "to:date").text();
            case TO_UNSIGNED ->
                signed(fields, from + DATE).tag("h", "from:date").text();
            case DATE_UNSIGNED -> signed(fields, from + TO).tag("h", "from:to").text();
            case OTHER_TO -> {
                String toBen = fields.replace("phish@", "ben@");
                yield signed(toBen, toBen).text();
            }
            case SECOND_TO -> {
                String toBen = fields.replace("phish@", "ben@");
                yield signed(TO + toBen, toBen).text();
            }
            case SECOND_DATE -> signed(DATE + fields, fields).text();
            case NO_DATE -> signed(from + TO, from + TO).text();
            case EXPIRED ->
                message.tag("x", "" + (SignedMessage.NOW.getEpochSecond() - 1)).text();
            case FUTURE ->
                message.tag("t", "" + (SignedMessage.NOW.getEpochSecond() + 301))
                        .text();
            case SHA1 -> message.tag("a", "rsa-sha1").text();
            case NO_KEY -> message.tag("s", "absent").text();
            case REVOKED_KEY -> message.tag("s", "revoked").text();
            case TESTED_KEY -> message.tag("s", "tested").text();
            case UNKNOWN_KEY -> message.tag("s", "unknown").text();
        };
    }

    /// Signs every From field: with fewer none of the signatures would count.
    private static SignedMessage signed(String fields, String signed) {
        long count = fields.lines().filter(line -> line.startsWith("From:")).count();
        return new SignedMessage()
                .tag("d", "corp.example")
                .tag("h", "from:".repeat((int) Math.max(1, count)) + "to:date")
                .fields(fields, selected(signed))
                .body(BODY);
    }

    /// From the bottom, as a name that occurs twice in `h=` selects them.
    private static String selected(String fields) {
        Map<Boolean, List<String>> byName = FIELD_START
                .splitAsStream(fields)
                .collect(Collectors.partitioningBy(field -> field.startsWith("From:")));
        return String.join("", byName.getOrDefault(true, List.of()).reversed())
                + String.join("", byName.getOrDefault(false, List.of()));
    }
}
