package org.bloomgate.rebuild;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.bloomgate.account.Canary;
import org.bloomgate.format.AllowList;
import org.bloomgate.key.Key;
import org.bloomgate.key.KeyKind;
import org.bloomgate.key.MailAddress;
import org.bloomgate.url.CanonicalUrl;
import org.bloomgate.url.Host;
import org.junit.jupiter.api.Test;

/// The canaries that ship with the product.
class CanariesTest {

    /// Otherwise one entry of a feed would keep whole snapshots from being published.
    @Test
    void hostOfEachIsOnTheShippedAllowList() throws IOException {
        AllowList allow = AllowList.load(List.of());
        List<String> canaries = Files.readAllLines(Path.of("src/main/resources/org/bloomgate/rebuild/canaries.txt"));
        assertEquals(
                List.of(),
                canaries.stream()
                        .filter(line -> !line.startsWith("#"))
                        .map(line -> host(Canary.parse(line).orElseThrow()))
                        .filter(host ->
                                allow.holding(new Key(KeyKind.DOMAIN, host)).isEmpty())
                        .toList());
    }

    private static String host(Canary canary) {
        Optional<Host> host = switch (canary.kind()) {
            case URL -> CanonicalUrl.parse(canary.text()).map(CanonicalUrl::host);
            case ADDRESS -> MailAddress.parse(canary.text()).map(MailAddress::domain);
            case DOMAIN, PASSWORD, HASH, KEYWORD, NETWORK, PHONE, DOMAIN_SHA1, ADDRESS_SHA1 ->
                Host.parse(canary.text());
        };
        return host.orElseThrow().text();
    }
}
