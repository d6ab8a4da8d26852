package org.bloomgate.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LookalikeCommandTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void configure() throws IOException {
        Files.writeString(folder.resolve("allowed.txt"), "goldenbanks.example\n");
        Files.writeString(
                folder.resolve("feeds.yaml"), "allow: [\"" + folder.resolve("allowed.txt") + "\"]\nfeeds: []\n");
        Files.writeString(folder.resolve("bloomgate.yaml"), """
            feeds: FOLDER/feeds.yaml
            protect: { names: [goldenbank.example] }
            """.replace("FOLDER", folder.toString()));
    }

    private Invocation run(String... arguments) {
        List<String> all = new ArrayList<>(List.of("lookalike"));
        all.addAll(List.of(arguments));
        all.addAll(List.of("-c", folder.resolve("bloomgate.yaml").toString()));
        return Invocation.of("", all);
    }

    @Test
    void suspiciousNameIsToldWithItsTrick() {
        Invocation told = run("G0ldenbank.example");
        assertEquals(ExitStatus.LISTED, told.status());
        assertEquals("g0ldenbank.example\tlooks like goldenbank.example\thomoglyph\n", told.out());
        assertEquals(
                "{\"name\":\"g0ldenbank.example\",\"protected\":false,\"looksLike\":\"goldenbank.example\","
                        + "\"trick\":\"homoglyph\"}\n",
                run("g0ldenbank.example", "--json").out());
    }

    @Test
    void protectedNameIsToldWithWhatItIsGuardedAgainst() {
        Invocation told = run("goldenbank.example");
        assertEquals(ExitStatus.FINE, told.status());
        assertTrue(told.out().startsWith("goldenbank.example\tprotected\n"), told.out());
        assertTrue(told.out().contains("subdomain           9  g.oldenbank.example"), told.out());
        assertTrue(run("goldenbank.example", "--json").out().contains("\"protected\":true,\"guards\":{\"addition\":"));
        assertTrue(run("goldenbank.example", "--forms").out().contains("omission\tgoldenbak.example\n"));
    }

    @Test
    void nameThatFeedsAllowLooksLikeNobody() {
        Invocation told = run("goldenbanks.example");
        assertEquals(ExitStatus.FINE, told.status());
        assertTrue(told.out().startsWith("goldenbanks.example\tnot protected"), told.out());
    }

    @Test
    void whatIsNoDomainIsAMistake() {
        assertEquals(ExitStatus.MISTAKE, run("co.uk").status());
        assertEquals(ExitStatus.MISTAKE, run("192.0.2.1").status());
    }

    @Test
    void namesThatCannotBeProtectedAreRefusedWithTheirLine() throws IOException {
        Files.writeString(folder.resolve("bloomgate.yaml"), "protect:\n  names: [co.uk]\n");
        Invocation refused = run("a.example");
        assertEquals(ExitStatus.MISTAKE, refused.status());
        assertTrue(refused.err().contains("names: 'co.uk' is not a registrable domain"), refused.err());
    }
}
