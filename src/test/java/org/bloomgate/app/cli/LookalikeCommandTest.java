package org.bloomgate.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.bloomgate.app.cli.common.ExitStatus;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LookalikeCommandTest extends CliRig {
    @BeforeEach
    void configure() throws IOException {
        write("allowed.txt", "goldenbanks.example\n");
        write("feeds.yaml", "allow: [FOLDER/allowed.txt]\nfeeds: []\n");
        write("bloomgate.yaml", """
            feeds: FOLDER/feeds.yaml
            protect: { names: [goldenbank.example] }
            """);
    }

    @Test
    void lookalikeName_isReportedWithItsTrick() {
        Invocation told = run("lookalike", "G0ldenbank.example");
        assertEquals(ExitStatus.LISTED, told.status());
        assertEquals("g0ldenbank.example\tlooks like goldenbank.example\thomoglyph\n", told.out());
        assertEquals(
                "{\"name\":\"g0ldenbank.example\",\"protected\":false,\"looksLike\":\"goldenbank.example\","
                        + "\"trick\":\"homoglyph\"}\n",
                run("lookalike", "g0ldenbank.example", "--json").out());
    }

    @Test
    void protectedName_isReportedWithItsForms() {
        Invocation told = run("lookalike", "goldenbank.example");
        assertEquals(ExitStatus.FINE, told.status());
        assertTrue(told.out().startsWith("goldenbank.example\tprotected\n"), told.out());
        assertTrue(told.out().contains("subdomain           9  g.oldenbank.example"), told.out());
        assertTrue(run("lookalike", "goldenbank.example", "--json")
                .out()
                .contains("\"protected\":true,\"guards\":{\"addition\":"));
        assertTrue(run("lookalike", "goldenbank.example", "--forms").out().contains("omission\tgoldenbak.example\n"));
    }

    @Test
    void allowedName_isNoLookalike() {
        Invocation told = run("lookalike", "goldenbanks.example");
        assertEquals(ExitStatus.FINE, told.status());
        assertTrue(told.out().startsWith("goldenbanks.example\tnot protected"), told.out());
    }

    @Test
    void nonDomain_isAMistake() {
        assertEquals(ExitStatus.MISTAKE, run("lookalike", "co.uk").status());
        assertEquals(ExitStatus.MISTAKE, run("lookalike", "192.0.2.1").status());
    }

    @Test
    void invalidProtectedName_isAMistakeWithItsLine() throws IOException {
        write("bloomgate.yaml", "protect:\n  names: [co.uk]\n");
        Invocation refused = run("lookalike", "a.example");
        assertEquals(ExitStatus.MISTAKE, refused.status());
        assertTrue(refused.err().contains("names: 'co.uk' is not a registrable domain"), refused.err());
    }
}
