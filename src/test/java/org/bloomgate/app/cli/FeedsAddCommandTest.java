package org.bloomgate.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.bloomgate.app.cli.common.ExitStatus;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// From the catalogue to a rejected message, and back; nothing is fetched.
class FeedsAddCommandTest extends CliRig {
    @BeforeEach
    void configure() throws IOException {
        configure(STORES, "name: mine, source: FOLDER/mine.txt");
        write("mine.txt", "mine.example\n");
        write("list.txt", "# hosts\nmalware.example\nother.example\n");
    }

    private String state(String name) {
        return run("feeds", "list", "--json")
                .out()
                .lines()
                .filter(row -> row.startsWith("{\"name\":\"" + name + "\""))
                .findFirst()
                .orElse("")
                .replaceFirst(".*\"state\":\"([^\"]*)\".*", "$1");
    }

    private void add(String... options) {
        List<String> all = new ArrayList<>(List.of("feeds", "add", "urlhaus-filter", "--source", "FOLDER/list.txt"));
        all.addAll(List.of(options));
        Invocation added = run(all.toArray(String[]::new));
        assertEquals(ExitStatus.FINE, added.status(), added::err);
    }

    @Test
    void enforcedFeed_rejectsMessagesUntilPaused() throws IOException {
        Path message = write("m.eml", "From: a@good.example\n\nhttp://malware.example/x\n");
        add("--enforce");
        assertEquals("never built", state("urlhaus-filter"));
        assertTrue(run("feeds", "test", "urlhaus-filter").out().startsWith("urlhaus-filter: fine: 3 lines, 2 entries"));
        assertEquals(ExitStatus.FINE, run("rebuild").status());
        assertEquals("current", state("urlhaus-filter"));
        assertTrue(run("scan", message.toString()).out().contains("feed urlhaus-filter, category malware"));
        assertEquals(ExitStatus.FINE, run("feeds", "pause", "urlhaus-filter").status());
        assertEquals("paused", state("urlhaus-filter"));
        assertEquals(ExitStatus.FINE, run("rebuild").status());
        assertEquals(ExitStatus.FINE, run("scan", message.toString()).status());
    }

    @Test
    void feedOlderThanThreeCadences_isStaleUntilRebuilt() throws IOException {
        add();
        assertEquals(
                ExitStatus.FINE,
                run(
                                "rebuild",
                                "--created-at",
                                Instant.now().minus(Duration.ofDays(4)).toString())
                        .status());
        assertEquals("stale", state("urlhaus-filter"));
        Invocation checked = run("config", "check");
        assertTrue(checked.err().contains("note: feeds: layer nightly is stale: older than 3 cadences"), checked::err);
        assertEquals(ExitStatus.FINE, run("rebuild").status());
        assertEquals("shadow", state("urlhaus-filter"));
        assertFalse(run("config", "check").err().contains("stale"));
    }

    @Test
    void addedFeed_isInShadowUntilRemoved() throws IOException {
        add();
        assertTrue(
                Files.readString(folder.resolve("feeds.d/urlhaus-filter.yaml")).contains("shadow: true\n"));
        assertEquals(ExitStatus.FINE, run("rebuild").status());
        assertEquals("shadow", state("urlhaus-filter"));
        run("feeds", "pause", "urlhaus-filter");
        assertEquals(ExitStatus.FINE, run("feeds", "remove", "urlhaus-filter").status());
        assertEquals("", state("urlhaus-filter"));
        assertEquals("", Files.readString(folder.resolve("feeds.d/paused")));
        Invocation mine = run("feeds", "remove", "mine");
        assertTrue(mine.out().contains("2:   - { name: mine,"), mine::out);
    }

    @Test
    void testOfAList_endsWithTheStatusOfItsFault() throws IOException {
        add();
        write("list.txt", "no name at all\nneither\n");
        Invocation held = run("feeds", "test", "urlhaus-filter", "--json");
        assertEquals(ExitStatus.LISTED, held.status(), held::err);
        assertTrue(held.out().contains("\"failure\":\""), held::out);
        Files.delete(folder.resolve("list.txt"));
        assertEquals(ExitStatus.UNKNOWN, run("feeds", "test", "urlhaus-filter").status());
        assertEquals(ExitStatus.MISTAKE, run("feeds", "test", "none").status());
        assertFalse(Files.exists(folder.resolve("snapshots/nightly/current")));
    }

    @ParameterizedTest
    @CsvSource({
        "nowhere, no list 'nowhere' in the catalogue",
        "../mine, no list '../mine' in the catalogue",
        "openphish openphis, no list 'openphis'",
        "openphish --auth-env KEY, needs no key",
        "urlhaus --auth-env a-b, is not the name of a variable",
        "surbl --source x.txt, exists only in DNS",
        "urlhaus openphish --source x.txt, are for one list",
    })
    void listThatCannotBeAdded_leavesNoFile(String arguments, String says) {
        Invocation refused = run(("feeds add " + arguments).split(" "));
        assertEquals(ExitStatus.MISTAKE, refused.status());
        assertTrue(refused.err().contains(says), refused::err);
        assertFalse(Files.exists(folder.resolve("feeds.d")));
    }

    @Test
    void list_namesKeyAndWaitOfEachNewFeed() throws IOException {
        run("feeds", "add", "openphish");
        assertTrue(run("feeds", "add", "openphish").err().contains("a feed of this name exists already"));
        assertEquals(4, run("feeds", "add", "starter", "--json").lines().size());
        Invocation unusable = run("feeds", "add", "phishtank", "--source", "ftp://lists.example/");
        assertTrue(unusable.err().contains("phishtank.yaml:4: feeds["), unusable::err);
        assertFalse(Files.exists(folder.resolve("feeds.d/phishtank.yaml")));
        Invocation keyed = run("feeds", "add", "urlhaus", "--auth-env", "BLOOMGATE_TEST_UNSET");
        assertTrue(keyed.out().contains("set BLOOMGATE_TEST_UNSET for the service: it is not set in this shell"));
        run("feeds", "add", "surbl");
        Invocation waiting = run("feeds", "add", "spamhaus-dbl", "--json");
        assertTrue(waiting.out().contains("clean mail waits up to 100 ms for this list"), waiting::out);
        assertEquals("off", state("spamhaus-dbl"));
        assertEquals("in DNS, shadow", state("surbl"));
        assertEquals(ExitStatus.FINE, run("feeds", "remove", "urlhaus").status());
        assertTrue(run("config", "check").err().contains("note: feeds: surbl: clean mail waits up to 100 ms"));
    }

    @Test
    void catalogue_saysWhatIsAdded() {
        run("feeds", "add", "certpl");
        List<String> lists = run("feeds", "catalogue", "CERT Polska", "--json").lines();
        assertTrue(lists.size() == 1 && lists.getFirst().contains("\"starter\":true,\"added\":true"), lists::toString);
    }

    @Test
    void detect_printsTheLineOfTheFeedOrAsks() throws IOException {
        Invocation certain = run("feeds", "detect", "FOLDER/list.txt");
        assertEquals(ExitStatus.FINE, certain.status());
        assertEquals(
                "- { name: list, kind: domain, format: lines, category: listed, shadow: true, source: \"" + folder
                        + "/list.txt\" }",
                certain.lines().getLast());
        write("odd.txt", "a,b\n192.0.2.1,a.example\n192.0.2.2,b.example\n");
        assertEquals(ExitStatus.LISTED, run("feeds", "detect", "FOLDER/odd.txt").status());
        assertEquals(
                ExitStatus.MISTAKE, run("feeds", "detect", "FOLDER/none.txt").status());
    }
}
