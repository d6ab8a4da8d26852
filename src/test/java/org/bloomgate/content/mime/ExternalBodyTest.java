package org.bloomgate.content.mime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.bloomgate.core.key.Place;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Content that is elsewhere (RFC 2046, 5.2.3; RFC 2017): clients show where.
class ExternalBodyTest {
    private static final String TYPE = "Content-Type: message/external-body; access-type=";
    private static final String BODY = "\r\n\r\nContent-Type: text/html\r\nContent-ID: <a@b.example>\r\n\r\n";

    private static ReadMessage read(String message) {
        return ReadMessage.withoutFault(message.getBytes(StandardCharsets.US_ASCII));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "URL; URL=\"http://evil.example/x\"",
                "url; url=\"http://evil.exa\r\n mple/x\"",
                "URL; URL*0=\"http://evil.exa\"; URL*1=\"mple/x\"",
                "URL; URL*=us-ascii''http%3A//evil.example/x",
                "URL; URL=\"  http://evil. example/\tx\"",
                "anon-ftp; site=evil.example; directory=pub; name=x.exe",
                "ftp; SITE=\"evil.example\"; name=x",
                "tftp; site=evil.example",
                "x-new; URL=\"http://evil.example/x\"",
                "anon-ftp; site=decoy.example; URL=\"http://evil.example/x\"",
                "anon-ftp; site=evil.example; URL=\"http://decoy.example/x\""
            })
    void whereItIsIsALink(String access) {
        ReadMessage read = read(TYPE + access + BODY);
        assertTrue(read.holds(Place.LINK, "evil.example"), () -> "" + read);
        assertEquals(Set.of(), read.limits());
        String part = "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n" + TYPE + access + BODY + "--b--\r\n";
        assertTrue(read(part).holds(Place.LINK, "evil.example"));
    }

    @Test
    void theFileOnAServerIsNamedAsAUrlDoes() {
        String access = "anon-ftp; site=evil.example; directory=pub/a; name=x.exe";
        List<String> links = read(TYPE + access + BODY).identifiers().stream()
                .filter(found -> found.place() == Place.LINK)
                .map(found -> found.value())
                .toList();
        assertEquals(List.of("ftp://evil.example/pub/a/x.exe"), links);
    }

    @Test
    void aSecondFieldMayNameIt() {
        String field = TYPE + "URL; URL=\"http://evil.example/\"";
        assertTrue(read("Content-Type: text/plain\r\n" + field + BODY).holds(Place.LINK, "evil.example"));
        assertTrue(read(field + "\r\nContent-Type: text/plain" + BODY).holds(Place.LINK, "evil.example"));
        assertTrue(read(TYPE + "ftp; site=decoy.example\r\n" + field + BODY).holds(Place.LINK, "evil.example"));
        for (String type : List.of("multipart/mixed; boundary=b", "message/rfc822")) {
            assertTrue(read("Content-Type: " + type + "\r\n" + field + BODY).holds(Place.LINK, "evil.example"), type);
        }
    }

    @Test
    void moreOfThemThanAreKeptAreALimit() {
        String field = TYPE + "URL; URL=\"http://decoy.example/\"\r\n";
        String kept =
                field.repeat(PartHeaderBuilder.MAX_EXTERNAL_URLS - 1) + TYPE + "URL; URL=\"http://evil.example/\"";
        assertTrue(read(kept + BODY).holds(Place.LINK, "evil.example"));
        assertEquals(Set.of(), read(kept + BODY).limits());
        assertEquals(Set.of("mime"), read(field + kept + BODY).limits());
    }

    @Test
    void whatIsInTheMessageIsNowhereElse() {
        String type = "Content-Type: text/html; URL=\"http://evil.example/\"; site=evil.example";
        assertEquals(
                List.of(),
                read(type + BODY).identifiers().stream()
                        .filter(found -> found.place() == Place.LINK)
                        .toList());
    }
}
