package org.bloomgate.lists.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.lists.fetch.FeedRefusedException;
import org.bloomgate.lookup.tier.ListExceptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// 1,000 generated lines of each format. The names that they list, with their exceptions, are those of a reference: a
/// small reader of the format, written from its documentation. Lines that it does not know are rejected with their
/// numbers. As everywhere, a line that names a host also means the names below it (`match: suffix`).
class GrammarTest {
    static final int LINES = 1_000;

    /// Names of four depths; few, so that lists and exceptions meet.
    static final List<String> NAMES = IntStream.range(0, 150)
            .mapToObj(i -> "n" + i + ".example")
            .flatMap(name -> Stream.of(name, "w." + name, "v.w." + name, "u.v.w." + name))
            .toList();

    /// What a line says of a name. Of the statements about a name, the narrowest counts; of two equal ones, the
    /// exception.
    record Statement(String name, boolean below, boolean excepts) {
        static Statement of(String text, boolean excepts) {
            boolean below = text.startsWith("*.");
            return new Statement(below ? text.substring(2) : text, below, excepts);
        }

        boolean isAbout(String host) {
            return host.endsWith("." + name) || (host.equals(name) && !below);
        }

        static boolean lists(List<Statement> statements, String host) {
            return statements.stream()
                    .filter(statement -> statement.isAbout(host))
                    .max(Comparator.<Statement>comparingInt(
                                    statement -> statement.name().length())
                            .thenComparing(Statement::excepts))
                    .filter(statement -> !statement.excepts())
                    .isPresent();
        }
    }

    /// What a reference reads.
    ///
    /// @param unknown numbers of the lines that the format does not have, or that no listing can express
    record Reading(Set<String> listed, Set<Integer> unknown) {
        static Reading of(List<Statement> statements, Set<Integer> unknown) {
            Set<String> listed = new TreeSet<>();
            NAMES.stream().filter(name -> Statement.lists(statements, name)).forEach(listed::add);
            return new Reading(listed, unknown);
        }
    }

    /// A line of a format by its documentation: statements, nothing (a comment), or an unknown line.
    private interface LineReference {
        Optional<List<Statement>> read(String line);

        default Reading readAll(List<String> lines) {
            List<Statement> statements = new ArrayList<>();
            Set<Integer> unknown = new TreeSet<>();
            for (int i = 0; i < lines.size(); i++) {
                Optional<List<Statement>> read = read(lines.get(i).strip());
                if (read.isPresent()) {
                    statements.addAll(read.get());
                } else {
                    unknown.add(i + 1);
                }
            }
            return Reading.of(statements, unknown);
        }
    }

    private static Optional<List<Statement>> statements(boolean excepts, String... names) {
        return Optional.of(
                Stream.of(names).map(name -> Statement.of(name, excepts)).toList());
    }

    private static final Optional<List<Statement>> NOTHING = Optional.of(List.of());

    enum Format {
        /// hosts(5): an address, then names; `#` begins a comment.
        HOSTS(
                "0.0.0.0 %s",
                "127.0.0.1\t%s # x",
                ":: %s x.%s",
                "0.0.0.0 localhost",
                "# %s",
                "",
                "192.0.2.7 %s",
                "%s",
                "0.0.0.0 *.%s") {
            @Override
            Optional<List<Statement>> read(String line) {
                String[] words = line.replaceFirst("#.*", "").strip().split("\\s+");
                if (words[0].isEmpty() || words[words.length - 1].equals("localhost")) {
                    return NOTHING;
                }
                boolean sink = Set.of("0.0.0.0", "127.0.0.1", "::").contains(words[0]);
                return !sink || words.length == 1 || words[1].startsWith("*")
                        ? Optional.empty()
                        : statements(
                                false, List.of(words).subList(1, words.length).toArray(String[]::new));
            }
        },
        /// One name a line with `*.` before it, by which these lists mean the name too.
        WILDCARD("*.%s", "*.%s # x", "# *.%s", "", "%s") {
            @Override
            Optional<List<Statement>> read(String line) {
                if (line.isEmpty() || line.startsWith("#")) {
                    return NOTHING;
                }
                return line.startsWith("*.")
                        ? statements(false, line.substring(2).replaceFirst(" .*", ""))
                        : Optional.empty();
            }
        },
        LINES("%s", ".%s", "*.%s", "%s # x", "%s ; x", "https://%s/", "# %s", "! %s", "; %s", "", "%s/page", "a b %s") {
            @Override
            Optional<List<Statement>> read(String line) {
                if (line.isEmpty() || "#!;".indexOf(line.charAt(0)) >= 0) {
                    return NOTHING;
                }
                String value = line.replaceFirst(" [#;].*", "");
                String name = value.replaceFirst("^https://(.*)/$", "$1").replaceFirst("^\\*?\\.", "");
                return name.contains("/") || name.contains(" ") ? Optional.empty() : statements(false, name);
            }
        },
        /// dnsmasq(8): `address=/name/[address]`; `local=/name/` and `server=/name/` are answered here only, and
        /// with a server the names are forwarded, `#` meaning the usual servers. More specific names take
        /// precedence.
        DNSMASQ(
                "address=/%s/",
                "address=/%s/0.0.0.0",
                "address=/%s/x.%s/#",
                "local=/%s/",
                "server=/%s/",
                "server=/%s/#",
                "server=/%s/9.9.9.9",
                "# address=/%s/",
                "",
                "bogus-nxdomain=192.0.2.1",
                "ipset=/%s/x",
                "server=9.9.9.9") {
            @Override
            Optional<List<Statement>> read(String line) {
                if (line.isEmpty() || line.startsWith("#")) {
                    return NOTHING;
                }
                String[] parts = line.split("/", -1);
                boolean known = Set.of("address=", "local=", "server=").contains(parts[0]);
                boolean excepts = !parts[0].equals("address=") && !parts[parts.length - 1].isEmpty();
                return known && parts.length > 2
                        ? statements(
                                excepts,
                                List.of(parts).subList(1, parts.length - 1).toArray(String[]::new))
                        : Optional.empty();
            }
        },
        /// unbound.conf(5), local-zone and local-data. The data of a name is answered in zones of the types
        /// transparent, typetransparent and inform; their other names are resolved as usual.
        UNBOUND(
                "local-zone: \"%s\" static",
                "local-zone: \"%s.\" always_nxdomain",
                "local-zone: %s always_null # x",
                "local-zone: \"%s\" inform_deny",
                "local-zone: \"%s\" always_transparent",
                "local-zone: \"%s\" transparent",
                "local-zone: \"%s.\" typetransparent",
                "local-zone: \"%s\" inform",
                "local-data: \"%s A 0.0.0.0\"",
                "local-data: \"%s. IN A 0.0.0.0\"",
                "# local-zone: \"%s\" static",
                "server:",
                "local-zone: \"%s\" nodefault",
                "local-zone: \"%s\" block_a",
                "local-zone: \"*.%s\" static",
                "private-domain: \"%s\"") {
            @Override
            Reading readAll(List<String> lines) {
                Set<String> withData = new HashSet<>();
                lines.forEach(line -> words(line, "local-data:").ifPresent(words -> withData.add(words[0])));
                List<Statement> statements = new ArrayList<>();
                Set<Integer> unknown = new TreeSet<>();
                for (int i = 0; i < lines.size(); i++) {
                    String line = lines.get(i);
                    Optional<String[]> zone = words(line, "local-zone:");
                    String type = zone.map(words -> words[1]).orElse("");
                    String name = zone.map(words -> words[0]).orElse("");
                    if (Set.of("static", "always_nxdomain", "always_null", "inform_deny")
                                    .contains(type)
                            && !name.startsWith("*")) {
                        statements.add(Statement.of(name, false));
                    } else if (type.equals("always_transparent")
                            || (Set.of("transparent", "typetransparent", "inform")
                                            .contains(type)
                                    && !withData.contains(name))) {
                        statements.add(Statement.of(name, true));
                    } else if (words(line, "local-data:").isPresent()) {
                        statements.add(Statement.of(words(line, "local-data:").get()[0], false));
                    } else if (!line.startsWith("#") && !line.equals("server:")) {
                        unknown.add(i + 1);
                    }
                }
                return Reading.of(statements, unknown);
            }

            private Optional<String[]> words(String line, String option) {
                return line.startsWith(option)
                        ? Optional.of(line.substring(option.length())
                                .replace("\"", "")
                                .strip()
                                .replaceFirst("\\.? ", " ")
                                .split(" "))
                        : Optional.empty();
            }
        },
        /// draft-vixie-dnsop-dns-rpz, sections 3 and 4: `*.name` is about the names below. A CNAME to `rpz-passthru.`,
        /// or to the owner itself, excepts; `rpz-tcp-only.` lets the client ask again.
        RPZ(
                "%s CNAME .",
                "*.%s CNAME .",
                "%s 60 IN CNAME *.",
                "%s CNAME rpz-drop.",
                "*.%s A 192.0.2.1",
                "%s TXT rpz-passthru.",
                "%s CNAME rpz-passthru.",
                "*.%s CNAME rpz-passthru.",
                "%s IN CNAME RPZ-TCP-ONLY.",
                "%s CNAME %s.",
                "; %s CNAME .",
                "%s NS localhost.",
                "24.0.2.0.192.rpz-ip CNAME .",
                "%s.rpz-nsdname CNAME .",
                "%s SRV 0 0 0 x.",
                "%s") {
            @Override
            Optional<List<Statement>> read(String line) {
                if (line.startsWith(";")) {
                    return NOTHING;
                }
                List<String> words = new ArrayList<>(List.of(line.split(" ")));
                words.removeIf(word -> word.equals("IN") || word.equals("60"));
                String owner = words.getFirst();
                String type = words.size() > 1 ? words.get(1) : "";
                if (type.equals("NS")) {
                    return NOTHING;
                }
                if (!Set.of("CNAME", "A", "TXT").contains(type) || owner.matches(".*\\.rpz-[a-z]+")) {
                    return Optional.empty();
                }
                String target = words.get(2).toLowerCase(java.util.Locale.ROOT);
                boolean excepts = type.equals("CNAME")
                        && Set.of("rpz-passthru.", "rpz-tcp-only.", owner + ".").contains(target);
                return statements(excepts, owner);
            }
        },
        /// named.conf: a zone of type primary (master) is served here. There are no exceptions.
        BIND(
                "zone \"%s\" { type primary; file \"x\"; };",
                "zone %s IN { type master; };",
                "// zone \"%s\" { type primary; };",
                "zone \"%s\" { type forward; forwarders { 192.0.2.1; }; };",
                "zone \"localhost\" { type master; };",
                "zone \"*.%s\" { type primary; };",
                "options { directory \"/x\"; };") {
            @Override
            Optional<List<Statement>> read(String line) {
                String name = line.replace("\"", "").replaceFirst("^zone (\\S+) .*", "$1");
                if (line.startsWith("//") || name.equals("localhost")) {
                    return NOTHING;
                }
                boolean served = line.matches("zone \\S+ (IN )?\\{ type (primary|master);.*") && !name.startsWith("*");
                return served ? statements(false, name) : Optional.empty();
            }
        },
        /// rbldnsd(8), dnset: `name`, `.name` for it and its subdomains, `*.name` for these alone; `!` excludes.
        RBLDNSD(
                "%s",
                ".%s",
                "*.%s",
                "%s :127.0.0.2:x",
                "!%s",
                "!.%s",
                "!*.%s",
                "! %s",
                "# %s",
                ":127.0.0.2:%s",
                "$TTL 60",
                "a_b@%s") {
            @Override
            Optional<List<Statement>> read(String line) {
                if ("#:$".indexOf(line.charAt(0)) >= 0) {
                    return NOTHING;
                }
                String name =
                        line.replaceFirst("^! *", "").replaceFirst(" .*", "").replaceFirst("^\\.", "");
                return name.contains("@") ? Optional.empty() : statements(line.startsWith("!"), name);
            }
        };

        private final String spellings;

        Format(String... spellings) {
            this.spellings = String.join("\n", spellings);
        }

        Optional<List<Statement>> read(String line) {
            throw new UnsupportedOperationException(line);
        }

        Reading readAll(List<String> lines) {
            return ((LineReference) this::read).readAll(lines);
        }
    }

    @ParameterizedTest
    @EnumSource(Format.class)
    void generatedLines_listWhatTheirFormatSays(Format format) throws FeedRefusedException {
        Random random = new Random(format.name().hashCode());
        List<String> lines = generate(random, format.spellings.lines().toList());
        Reading expected = format.readAll(lines);
        Product product = Product.read(Map.of("format", format.name().toLowerCase(java.util.Locale.ROOT)), lines);
        assertEquals(expected.listed(), product.listed());
        assertEquals(expected.unknown(), product.rejected);
        assertTrue(expected.listed().size() > 10 && expected.listed().size() < NAMES.size() - 10, expected::toString);
    }

    /// Lines of all spellings.
    static List<String> generate(Random random, List<String> spellings) {
        return IntStream.range(0, LINES)
                .mapToObj(_ -> spellings
                        .get(random.nextInt(spellings.size()))
                        .replace("%s", NAMES.get(random.nextInt(NAMES.size()))))
                .toList();
    }

    /// The names that the product lists, from the keys and exceptions that it reads.
    static final class Product implements FeedSink {
        private final Map<Key, Set<Match>> listings = new HashMap<>();
        private final Set<Key> exceptions = new HashSet<>();
        final Set<Integer> rejected = new TreeSet<>();

        static Product read(Map<String, String> feed, List<String> lines) throws FeedRefusedException {
            Product product = new Product();
            FeedFixtures.read(FeedFixtures.feed(feed), String.join("\n", lines) + "\n", product);
            return product;
        }

        Set<String> listed() {
            ListExceptions own = new ListExceptions(exceptions);
            Set<String> listed = new TreeSet<>();
            for (String name : NAMES) {
                Key key = new Key(KeyKind.DOMAIN, name);
                boolean isListed = key.around().stream()
                        .anyMatch(around -> listings.getOrDefault(around, Set.of()).stream()
                                        .anyMatch(match -> match.reaches(around, around.equals(key)))
                                && !own.cover(key, false, around));
                if (isListed) {
                    listed.add(name);
                }
            }
            return listed;
        }

        @Override
        public void addKey(long line, Key key, long count) {
            listings.computeIfAbsent(key, _ -> new HashSet<>()).add(Match.SUFFIX);
        }

        @Override
        public void addBelow(long line, Key key) {
            listings.computeIfAbsent(key, _ -> new HashSet<>()).add(Match.BELOW);
        }

        @Override
        public void reject(long line, String reason, String excerpt) {
            rejected.add((int) line);
        }

        @Override
        public void hold(long line, String reason, Key key) {
            throw new AssertionError(reason);
        }

        @Override
        public void except(long line, Key key) {
            exceptions.add(key);
        }
    }
}
