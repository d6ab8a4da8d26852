package org.bloomgate.lists.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.bloomgate.lists.fetch.FeedRefusedException;
import org.bloomgate.lists.format.GrammarTest.Statement;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Generated rules of ad blockers against a reference, written from the documentation of AdGuard and uBlock Origin: an
/// exception overrides blocking rules (a blocking rule with `$important`, which overrides exceptions, is read as one
/// without it), and `$badfilter` cancels the rule with the same text.
class AdblockGrammarTest {
    private static final List<String> SPELLINGS = List.of(
            "||%s^",
            "||%s^",
            "||%s^$all",
            "||%s^$document,match-case",
            "||*.%s^",
            "%s",
            "@@||%s^",
            "@@||%s^|",
            "@@|%s^|",
            "@@|%s^",
            "@@||%s",
            "@@||%s|",
            "@@%s^",
            "@@|https://%s/",
            "@@|http://%s^",
            "@@||*.%s^",
            "@@.%s^",
            "@@||%s^$important",
            "||%s^$badfilter",
            "@@||%s^$badfilter",
            "! ||%s^",
            "[Adblock Plus 2.0]",
            "# %s",
            "||%s^$third-party",
            "||%s",
            "|%s^",
            "/%s/",
            "%s##.ad",
            "@@||%s^$script",
            "@@|https://%s/|",
            "||x*.%s^");

    private static final Set<String> NARROWING = Set.of("third-party", "script");

    /// The rules of a list.
    private static final class Rules {
        private final Set<String> cancelled = new HashSet<>();
        private final List<Statement> blocks = new ArrayList<>();
        private final List<Statement> exceptions = new ArrayList<>();
        private final Set<Integer> unknown = new TreeSet<>();

        Rules(List<String> lines) {
            lines.stream()
                    .filter(line -> line.endsWith("$badfilter"))
                    .forEach(line -> cancelled.add(line.replace("$badfilter", "")));
            for (int i = 0; i < lines.size(); i++) {
                String line = lines.get(i);
                boolean comment = line.startsWith("!") || line.startsWith("[") || line.startsWith("# ");
                if (!comment && !line.endsWith("$badfilter") && !cancelled.contains(line)) {
                    read(line, i + 1);
                }
            }
        }

        private void read(String line, int number) {
            int dollar = line.indexOf('$');
            Set<String> options =
                    dollar < 0 ? Set.of() : Set.of(line.substring(dollar + 1).split(","));
            boolean excepts = line.startsWith("@@");
            String pattern = line.substring(excepts ? 2 : 0, dollar < 0 ? line.length() : dollar);
            boolean whole = excepts || pattern.matches("\\|\\|[^|]*\\^") || pattern.matches("[a-z0-9.]+");
            boolean firstPage = pattern.endsWith("/|");
            String name = pattern.replaceFirst("^\\|{0,2}(https?://)?", "")
                    .replaceFirst("[\\^/]?\\|?$", "")
                    .replaceFirst("^\\.", "*.");
            boolean isName = name.matches("(\\*\\.)?[a-z0-9]+(\\.[a-z0-9]+)+");
            if (!whole || !isName || firstPage || options.stream().anyMatch(NARROWING::contains)) {
                unknown.add(number);
                return;
            }
            (excepts ? exceptions : blocks).add(Statement.of(name, excepts));
        }

        boolean lists(String host) {
            return isAny(blocks, host) && !isAny(exceptions, host);
        }

        private static boolean isAny(List<Statement> statements, String host) {
            return statements.stream().anyMatch(statement -> statement.isAbout(host));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void generatedRules_listWhatTheyBlock(int seed) throws FeedRefusedException {
        List<String> lines = GrammarTest.generate(new Random(seed), SPELLINGS);
        Rules rules = new Rules(lines);
        Set<String> listed = new TreeSet<>();
        GrammarTest.NAMES.stream().filter(rules::lists).forEach(listed::add);
        GrammarTest.Product product = GrammarTest.Product.read(Map.of("format", "adblock"), lines);
        assertEquals(listed, product.listed());
        assertTrue(product.rejected.containsAll(rules.unknown), "unknown lines are rejected");
        assertTrue(listed.size() > 50, listed::toString);
    }
}
