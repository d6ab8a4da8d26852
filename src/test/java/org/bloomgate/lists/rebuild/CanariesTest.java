package org.bloomgate.lists.rebuild;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.MailAddress;
import org.bloomgate.core.url.CanonicalUrl;
import org.bloomgate.core.url.Host;
import org.bloomgate.lists.format.AllowList;
import org.bloomgate.lists.layer.Canary;
import org.junit.jupiter.api.Test;

/// The canaries that ship with the product.
class CanariesTest {

    /// Otherwise one entry of a feed would keep whole snapshots from being published.
    @Test
    void hostOfEachIsOnTheShippedAllowList() throws IOException {
        AllowList allow = AllowList.load(List.of());
        List<String> canaries =
                Files.readAllLines(Path.of("src/main/resources/org/bloomgate/lists/rebuild/canaries.txt"));
        assertEquals(
                List.of(),
                canaries.stream()
                        .filter(line -> !line.startsWith("#"))
                        .map(line -> host(Canary.parse(line).orElseThrow()))
                        .filter(host -> allow.findAllowedName(new Key(KeyKind.DOMAIN, host))
                                .isEmpty())
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
