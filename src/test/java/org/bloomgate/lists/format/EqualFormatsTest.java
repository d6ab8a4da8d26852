package org.bloomgate.lists.format;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.bloomgate.lists.fetch.FeedRefusedException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// One publisher's list in each format a feed of domains may have: all must give the same keys.
class EqualFormatsTest {
    private static final List<String> NAMES = List.of("one.example", "two.test", "xn--bcher-kva.example");

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "lines, %s",
                "lines, .%s",
                "lines, *.%s",
                "lines, https://%s/",
                "lines, %s:443",
                "lines, %s.",
                "hosts, 0.0.0.0 %s",
                "hosts, ::1 %s # x",
                "adblock, ||%s^",
                "wildcard, *.%s",
                "dnsmasq, address=/%s/",
                "dnsmasq, local=/%s/",
                "unbound, local-zone: \"%s.\" always_null",
                "rpz, %s CNAME .",
                "rbldnsd, .%s"
            })
    void formatGivesTheSameKeys(String format, String line) throws FeedRefusedException {
        StringBuilder list = new StringBuilder();
        NAMES.forEach(name -> list.append(line.replace("%s", name)).append('\n'));
        RecordingSink sink = new RecordingSink();
        FeedFixtures.read(FeedFixtures.feed(Map.of("format", format)), list.toString(), sink);
        assertEquals(NAMES, sink.keys);
    }
}
