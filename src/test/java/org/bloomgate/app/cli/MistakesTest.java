package org.bloomgate.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.bloomgate.app.cli.common.ExitStatus;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What `config check` says of each mistake in `mistakes/mistakes.tsv`: one line, with the place, the key
/// and the cause.
class MistakesTest extends CliRig {
    private static final String FEEDS =
            "feeds: [{ name: a, kind: url, format: csv, column: url," + " source: FOLDER/list.csv, category: spam }]";

    @BeforeEach
    void files() throws IOException {
        write("file", "x");
        write("page.html", "<!DOCTYPE html><html><body>Not found</body></html>\n");
        write("list.csv", "id,url\n1,http://listed.example/\n");
        write("feeds.yaml", FEEDS);
    }

    static Stream<String> mistakes() throws IOException {
        return Files.readAllLines(Path.of("src/test/resources/mistakes/mistakes.tsv")).stream()
                .filter(line -> !line.startsWith("#"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void mistake_isNamedWithLineKeyAndCause(String row) throws IOException {
        String[] mistake = row.split("\t", 4);
        String text = mistake[1].replace("\\n", "\n").replace("\\t", "\t");
        boolean inFeeds = mistake[0].equals("feeds");
        Path wrong = write(inFeeds ? "feeds.yaml" : "bloomgate.yaml", text);
        Path file = inFeeds ? write("bloomgate.yaml", "http: {}") : wrong;
        Invocation checked = check(file, text.contains("feeds: n") ? List.of() : feeds());
        String expected = wrong + ":" + mistake[2] + ": " + mistake[3].replace("FOLDER", folder.toString());
        assertTrue(checked.err().startsWith(expected), checked::err);
        assertEquals(1, checked.err().lines().count(), checked::err);
        assertEquals(ExitStatus.MISTAKE, checked.status());
        assertEquals("", checked.out());
    }

    @Test
    void doubtfulSetting_isANote() throws IOException {
        write("feeds.yaml", "feeds: []");
        Path file = write("bloomgate.yaml", """
            smtp: { timeouts: { drain: 10m }, clientNetworks: ["192.0.2.77/24", "2001:db8::1/32"] }
            """);
        Invocation checked = check(file, feeds());
        assertEquals(ExitStatus.FINE, checked.status(), checked::err);
        assertEquals(
                List.of(
                        "note: smtp.clientNetworks[0]: 192.0.2.77/24 has bits set beyond its prefix and means"
                                + " 192.0.2.0/24",
                        "note: smtp.clientNetworks[1]: 2001:db8::1/32 has bits set beyond its prefix and means"
                                + " 2001:db8:0:0:0:0:0:0/32",
                        "note: smtp.timeouts.drain: takes up to 600 s to stop, and the systemd unit kills after"
                                + " TimeoutStopSec=90s; raise that in a drop-in",
                        "note: feeds: " + folder.resolve("feeds.yaml") + " names no feed: nothing is listed but what"
                                + " 'bloomgate listing add' adds",
                        "ok: 3 settings differ from the defaults, 4 notes"),
                checked.err().lines().toList());
    }

    @Test
    void changed_settingsHaveValueFileAndLine() throws IOException {
        Path file = write("bloomgate.yaml", """
                smtp:
                  maxSessions: 8192
                  relayDomains: [a.example]
                policy: { onPartial: { default: defer }, listed: { link: tag, raw: tag } }
                """);
        Files.createDirectory(folder.resolve("conf.d"));
        Path own = write("conf.d/own.yaml", "http:\n  adminToken: a-token-of-the-admin\n");

        List<String> arguments = new ArrayList<>(feeds());
        arguments.add("--changed");
        assertEquals(
                List.of(
                        "feeds: " + folder.resolve("feeds.yaml") + " (--set feeds)",
                        "http.adminToken: (set) (" + own + ":2)",
                        "policy.listed.link: tag (" + file + ":4)",
                        "policy.onPartial.default: defer (" + file + ":4)",
                        "smtp.relayDomains: [a.example] (" + file + ":3)"),
                check(file, arguments).out().lines().toList());
        arguments.add("--json");
        assertEquals(
                "{\"key\":\"smtp.relayDomains\",\"where\":\"" + file + ":3\",\"value\":\"[a.example]\"}",
                check(file, arguments).out().lines().toList().getLast());
    }

    /// Values first, then what is wrong between them and on the disk: each run shows everything of its step.
    @Test
    void mistakesOfBothFiles_areReportedInThreeSteps() throws IOException {
        Path feeds = write("feeds.yaml", """
            feeds:
              - { name: b, kind: domain, format: lines, source: FOLDER/none.txt, categori: spam }
              - { name: c, kind: domain, format: lins, source: FOLDER/page.html, category: spam }
            """);
        Path main = write("bloomgate.yaml", """
            snapshotKey: FOLDER/none.pub
            smtp: { listen: 2525 }
            rebuild: { signingKey: [] }
            """);
        assertErrors(
                check(main, feeds()),
                main + ":2: smtp.listen: '2525' is not host:port",
                main + ":3: rebuild.signingKey takes one value");
        write("bloomgate.yaml", """
            snapshotKey: FOLDER/none.pub
            smtp:
              tls: { certificate: FOLDER/none.pem, key: FOLDER/none.key }
            journal:
              directory: FOLDER/file/below
            dns: { zones: { bl.example: { feeds: [d, e] } } }
            """);
        assertErrors(
                check(main, feeds()),
                main + ":1: snapshotKey: " + folder + "/none.pub",
                main + ":3: smtp.tls.certificate: ",
                main + ":5: journal.directory: ",
                feeds + ":2: unknown key 'feeds[0].categori'",
                feeds + ":3: feeds[1].format: ");
        write("feeds.yaml", """
            feeds:
              - { name: a, kind: url, format: csv, column: link, source: FOLDER/list.csv, category: spam }
              - { name: d, kind: domain, format: lines, source: FOLDER/gone.txt, category: spam }
            allow: [FOLDER/allow.txt]
            """);
        write("bloomgate.yaml", "dns: { zones: { bl.example: { feeds: [d, e] } } }");
        assertErrors(
                check(main, feeds()),
                main + ":1: dns.zones.bl.example.feeds: there is no feed 'e'",
                feeds + ":2: feeds[0].column: ",
                feeds + ":3: feeds[1].source: " + folder + "/gone.txt: no such file",
                feeds + ":4: allow[0]: ");
    }

    private static void assertErrors(Invocation checked, String... beginnings) {
        assertEquals(ExitStatus.MISTAKE, checked.status());
        assertEquals("", checked.out());
        List<String> errors = checked.err().lines().toList();
        assertEquals(beginnings.length, errors.size(), checked::err);
        for (int i = 0; i < beginnings.length; i++) {
            assertTrue(errors.get(i).startsWith(beginnings[i]), beginnings[i] + "\n" + checked.err());
        }
    }

    @Test
    void consequenceOfAMistake_isNotReported() throws IOException {
        Path main = write("bloomgate.yaml", """
            feeds: [one, two]
            smtp: { tls: { certificate: [], key: FOLDER/none.key } }
            dns: { zones: { bl.example: { feeds: [d] } } }
            """);
        assertEquals(
                List.of(main + ":1: feeds takes one value", main + ":2: smtp.tls.certificate takes one value"),
                check(main, List.of()).err().lines().toList());
    }

    @Test
    void gatewayRebuildFromStdin_isAMistake() throws IOException {
        write("feeds.yaml", "feeds: [{ name: a, kind: domain, format: lines, source: '-', category: spam }]");
        Path file = write("bloomgate.yaml", "gateway:\n  rebuild: true");
        assertEquals(
                file
                        + ":2: gateway.rebuild: a feed has stdin as its source, which a rebuild of the gateway cannot read",
                check(file, feeds()).err().strip());
        assertEquals(
                ExitStatus.FINE,
                check(write("bloomgate.yaml", "http: {}"), feeds()).status());
    }

    @Test
    void mistakeOfASetOption_namesTheOption() throws IOException {
        Path file = write("bloomgate.yaml", "http: {}");
        List<String> given = new ArrayList<>(feeds());
        given.addAll(List.of("--set", "snapshotKey=none.pub"));
        assertEquals(
                "--set snapshotKey: none.pub: no such file",
                check(file, given).err().strip());
    }

    @Test
    void missingConfiguration_isNamedWithTheWaysToNameOne() {
        Path none = folder.resolve("none.yaml");
        assertEquals(
                none + ": no such file; -c or BLOOMGATE_CONFIG names another one",
                check(none, List.of()).err().strip());
    }

    /// A link to itself is there and cannot be opened, not even by root.
    @Test
    void unreadableFile_isNotCalledMissing() throws IOException {
        Path loop = Files.createSymbolicLink(folder.resolve("loop"), Path.of("loop"));
        String why = ": Too many levels of symbolic links or unable to access attributes of symbolic link";
        assertErrors(check(loop, List.of()), loop + ": cannot be read" + why);
        Path file = write("bloomgate.yaml", "http: {}");
        assertErrors(check(file, List.of("--set", "feeds=" + loop)), loop + ": cannot be read" + why);
        write("feeds.yaml", FEEDS.replace("list.csv", "loop") + "\nallow: [FOLDER/loop]");
        assertErrors(
                check(write("bloomgate.yaml", "snapshotKey: FOLDER/loop"), feeds()),
                file + ":1: snapshotKey: " + loop + why,
                folder.resolve("feeds.yaml") + ":1: feeds[0].source: " + loop + ": cannot be read to its end" + why,
                folder.resolve("feeds.yaml") + ":2: allow[0]: " + loop + why);
    }

    private List<String> feeds() {
        return List.of("--set", "feeds=" + folder.resolve("feeds.yaml"));
    }

    private static Invocation check(Path file, List<String> more) {
        List<String> arguments = new ArrayList<>(List.of("config", "check", "-c", file.toString()));
        arguments.addAll(more);
        return Invocation.of("", arguments);
    }
}
