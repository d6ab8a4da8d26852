package org.bloomgate.lists.format;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bloomgate.core.key.FeedKind;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.lists.fetch.Digest;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedFormat;
import org.bloomgate.lists.fetch.FeedRefusedException;
import org.bloomgate.lists.fetch.Unpacking;

/// Guesses kind and format of a list, and the column or path of its values, by reading a sample of it in every way in
/// which a feed can be read. The best one is taken if it reads nearly all lines and no other one fits as well.
public final class FormatDetection {
    /// The share of lines with a value that have to be readable.
    public static final double CERTAIN = 0.95;

    /// Lines that are read. Half of them are the first ones, the others are spread over the rest.
    static final int MAX_LINES = 1_000;

    /// The beginning of the list that the sample is taken from, unpacked.
    private static final int MAX_BYTES = 16 << 20;

    private static final int MAX_COLUMNS = 30;
    private static final int MAX_PATHS = 10;

    /// Names in a list of addresses that may be lost.
    private static final double FEW_NAMES = 0.01;

    /// Formats whose lines say what they are, each with what its lines have and those of other formats have not.
    private static final Map<FeedFormat, Pattern> MARKED = new LinkedHashMap<>();

    static {
        MARKED.put(FeedFormat.HOSTS, Pattern.compile("(?m)^[0-9:.]+\\s"));
        MARKED.put(FeedFormat.DNSMASQ, Pattern.compile("=/"));
        MARKED.put(FeedFormat.UNBOUND, Pattern.compile("local-(?:zone|data):"));
        MARKED.put(FeedFormat.BIND, Pattern.compile("zone\\s"));
        MARKED.put(FeedFormat.WILDCARD, Pattern.compile("(?m)^\\*\\."));
        MARKED.put(FeedFormat.RPZ, Pattern.compile("(?i)\\s(?:SOA|CNAME)\\s"));
        MARKED.put(FeedFormat.ADBLOCK, Pattern.compile("(?m)^\\|\\|"));
        MARKED.put(FeedFormat.RBLDNSD, Pattern.compile("(?m)^(?:\\$(?:SOA|NS|TTL|DATASET)\\s|\\S*\\s*:127\\.)"));
        MARKED.put(FeedFormat.SHA1_COUNT, Pattern.compile("(?m)^[0-9A-Fa-f]{40}:[0-9]"));
        MARKED.put(FeedFormat.NTLM_COUNT, Pattern.compile("(?m)^[0-9A-Fa-f]{32}:[0-9]"));
        MARKED.put(FeedFormat.STIX, Pattern.compile("\"type\"\\s*:\\s*\"bundle\""));
        MARKED.put(FeedFormat.MISP, Pattern.compile("\"Event\"\\s*:"));
    }

    /// Kinds of values that look different. Domains and URLs are told apart by what `auto` makes of them.
    private static final List<FeedKind> KINDS =
            List.of(FeedKind.NETWORK, FeedKind.ADDRESS, FeedKind.HASH, FeedKind.PHONE, FeedKind.AUTO);

    private static final Pattern TITLE = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_ /()-]*");
    private static final Pattern MEMBER = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]{0,30}");
    private static final Pattern EXCEPTED = Pattern.compile("(?i).*(?:allow|white|except|safe|fuzzy).*");

    /// Columns and members with the values, where several fit.
    private static final List<String> USUAL = List.of(
            "url", "ioc_value", "ioc", "indicator", "domain", "hostname", "host", "deny", "blacklist", "ip", "dst_ip");

    /// One way to read the list.
    ///
    /// @param feed with kind, format, and the column or path
    /// @param share of the lines that gave a value
    /// @param examples the first values; none of passwords
    public record Guess(Feed feed, double share, List<String> examples) {
        public Guess {
            examples = List.copyOf(examples);
        }

        private boolean fits() {
            return share >= CERTAIN;
        }

        private boolean isUsual(String name) {
            return Stream.concat(feed.position().column().stream(), feed.position().path().stream())
                    .anyMatch(position -> ("." + TextForms.lowerCase(position)).endsWith("." + name));
        }
    }

    private final FeedReader reader;
    private final Feed base;
    private final List<Guess> tried = new ArrayList<>();

    private FormatDetection(FeedReader reader, Feed base) {
        this.reader = reader;
        this.base = base;
    }

    /// The guess that is certain, or the two that fit best.
    ///
    /// @param base with name and source; everything else is guessed
    /// @param packed the list, as it was fetched
    /// @throws FeedRefusedException if it is not a list of any format
    public static List<Guess> guesses(FeedReader reader, Feed base, FeedReader.Content packed) throws IOException {
        byte[] head;
        try (InputStream content = Unpacking.open(packed.open(), base.transfer().maxUnpackedBytes())) {
            head = content.readNBytes(MAX_BYTES);
        }
        String text = new String(head, StandardCharsets.UTF_8);
        boolean json = WrongFormat.isJson(text);
        WrongFormat.refuse(
                as(base, FeedKind.DOMAIN, json ? FeedFormat.JSON : FeedFormat.LINES),
                new BufferedInputStream(new ByteArrayInputStream(head), WrongFormat.HEAD_BYTES));
        FormatDetection detection = new FormatDetection(reader, base);
        String sample = sample(text);
        Optional<Guess> found =
                detection.marked(head, sample).or(() -> json ? detection.json(head) : detection.lines(sample));
        return found.map(List::of)
                .orElseGet(() -> detection.tried.stream()
                        .filter(guess -> guess.share() > 0)
                        .sorted(Comparator.comparingDouble(Guess::share).reversed())
                        .limit(2)
                        .toList());
    }

    private Optional<Guess> marked(byte[] head, String sample) {
        byte[] lines = bytes(sample);
        return MARKED.entrySet().stream()
                .filter(format -> format.getValue().matcher(sample).find())
                .flatMap(format -> kinds(format.getKey()).stream().map(kind -> as(base, kind, format.getKey())))
                // records of several lines have to stay together
                .map(feed -> read(
                        feed, feed.format() == FeedFormat.BIND || feed.format().isJson() ? head : lines))
                .filter(Guess::fits)
                .findFirst();
    }

    private static List<FeedKind> kinds(FeedFormat format) {
        return switch (format) {
            case ADBLOCK -> List.of(FeedKind.AUTO);
            case RBLDNSD -> List.of(FeedKind.NETWORK, FeedKind.DOMAIN);
            case SHA1_COUNT, NTLM_COUNT -> List.of(FeedKind.PASSWORD);
            case STIX, MISP -> List.of(FeedKind.AUTO, FeedKind.NETWORK, FeedKind.HASH, FeedKind.ADDRESS);
            default -> List.of(FeedKind.DOMAIN);
        };
    }

    private Optional<Guess> lines(String sample) {
        byte[] lines = bytes(sample);
        List<Guess> fitting = KINDS.stream()
                .map(kind -> as(base, kind, kind == FeedKind.NETWORK ? FeedFormat.CIDR : FeedFormat.LINES))
                .map(feed -> read(feed, lines))
                .filter(Guess::fits)
                .sorted(Comparator.comparingDouble(Guess::share).reversed())
                .toList();
        // Addresses can be read as hosts as well. Where some lines are names, the list is one of hosts.
        Optional<Guess> plain = fitting.stream()
                .filter(guess -> guess.share() >= fitting.getFirst().share() - FEW_NAMES)
                .min(Comparator.comparing(guess -> guess.feed().kind() != FeedKind.NETWORK));
        boolean mayHoldSeparators = plain.isEmpty() || plain.get().feed().kind() == FeedKind.URL;
        Optional<Guess> found = mayHoldSeparators ? csv(sample).or(() -> plain) : plain;
        return found.or(() -> secrets(sample));
    }

    /// Any line can be a password. A list of words with and without digits is one of passwords. A bare SHA-1 may be
    /// that of a password, a domain or an address, and is left undecided.
    private Optional<Guess> secrets(String sample) {
        List<String> lines = sample.lines().filter(line -> !line.isBlank()).toList();
        if (share(lines, "[0-9A-Fa-f]{40}") >= CERTAIN) {
            Feed.Position digest = new Feed.Position(Optional.empty(), Optional.empty(), Digest.SHA1);
            read(as(base, FeedKind.PASSWORD, FeedFormat.SHA1), bytes(sample));
            read(as(base, FeedKind.DOMAIN, FeedFormat.LINES, digest), bytes(sample));
            return Optional.empty();
        }
        Guess passwords =
                new Guess(as(base, FeedKind.PASSWORD, FeedFormat.LINES), share(lines, "\\S{1,64}"), List.of());
        boolean words = passwords.fits()
                && share(lines, ".*[./:,;\\\\].*") < 0.1
                && share(lines, "\\p{L}+") >= 0.05
                && share(lines, ".*[0-9].*") >= 0.05
                && share(lines, "[0-9A-Fa-f]{32,}") < 0.05;
        if (tried.stream().noneMatch(guess -> guess.share() > 0.5)) {
            tried.add(passwords);
            read(as(base, FeedKind.KEYWORD, FeedFormat.LINES), bytes(sample));
        }
        return words ? Optional.of(passwords) : Optional.empty();
    }

    private static double share(List<String> lines, String pattern) {
        Pattern compiled = Pattern.compile(pattern);
        return lines.stream().filter(line -> compiled.matcher(line).matches()).count()
                / (double) Math.max(1, lines.size());
    }

    private Optional<Guess> csv(String sample) {
        Map<Boolean, List<String>> lines = sample.lines()
                .filter(line -> !line.isBlank())
                .collect(Collectors.partitioningBy(line -> line.startsWith("#")));
        List<String> records = lines.getOrDefault(false, List.of());
        if (records.isEmpty()) {
            return Optional.empty();
        }
        String first = records.getFirst();
        char separator = CsvLayout.separator(first);
        int columns = columns(first, separator).size();
        long alike = records.stream()
                .filter(line -> columns(line, separator).size() == columns)
                .count();
        if (columns < 2 || alike < CERTAIN * records.size()) {
            return Optional.empty();
        }
        List<String> titles = Stream.concat(lines.getOrDefault(true, List.of()).stream(), Stream.of(first))
                .map(line -> columns(line.replaceFirst("^#+\\s*", ""), separator))
                .filter(names -> names.size() == columns
                        && names.stream().allMatch(name -> TITLE.matcher(name).matches()))
                .findFirst()
                .orElseGet(() -> IntStream.rangeClosed(1, columns)
                        .mapToObj(Integer::toString)
                        .toList());
        List<Feed.Position> positions = titles.stream()
                .limit(MAX_COLUMNS)
                .map(title -> new Feed.Position(Optional.of(title), Optional.empty(), Digest.NONE))
                .toList();
        return one(fitting(FeedFormat.CSV, positions, bytes(sample)));
    }

    private static List<String> columns(String record, char separator) {
        return CsvLayout.fields(record, separator).orElse(List.of());
    }

    private Optional<Guess> json(byte[] head) {
        Map<String, Integer> paths = new LinkedHashMap<>();
        try {
            JsonStream.read(base, new ByteArrayInputStream(head), parser -> count(parser, "", paths));
        } catch (IOException cutOff) {
            // what is before the end is enough
        }
        List<Feed.Position> positions = paths.keySet().stream()
                .filter(path -> !EXCEPTED.matcher(path).matches())
                .sorted(Comparator.comparingInt(path -> -paths.getOrDefault(path, 0)))
                .limit(MAX_PATHS)
                .map(path -> new Feed.Position(
                        Optional.empty(), path.isEmpty() ? Optional.empty() : Optional.of(path), Digest.NONE))
                .toList();
        return one(fitting(FeedFormat.JSON, positions, head));
    }

    /// Counts strings by the path that leads to them. Names that are no words, such as numbers, are a map's keys.
    private static void count(JsonParser parser, String path, Map<String, Integer> paths) throws IOException {
        switch (parser.currentToken()) {
            case START_ARRAY -> {
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    count(parser, path, paths);
                }
            }
            case START_OBJECT -> {
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    boolean member = MEMBER.matcher(parser.currentName()).matches();
                    String name = member ? parser.currentName() : "*";
                    if (!member) {
                        paths.merge(path, 1, Integer::sum);
                    }
                    parser.nextToken();
                    count(parser, path.isEmpty() ? name : path + "." + name, paths);
                }
            }
            case VALUE_STRING -> paths.merge(path, 1, Integer::sum);
            default -> {}
        }
    }

    /// The best kind of each position that fits.
    private List<Guess> fitting(FeedFormat format, List<Feed.Position> positions, byte[] content) {
        return positions.stream()
                .flatMap(position -> KINDS.stream()
                        .map(kind -> read(as(base, kind, format, position), content))
                        .filter(Guess::fits)
                        .limit(1))
                .toList();
    }

    private static Optional<Guess> one(List<Guess> fitting) {
        return fitting.size() == 1
                ? Optional.of(fitting.getFirst())
                : USUAL.stream()
                        .flatMap(name -> fitting.stream().filter(guess -> guess.isUsual(name)))
                        .findFirst();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private Guess read(Feed feed, byte[] content) {
        SampleSink sink = new SampleSink(MAX_LINES);
        try {
            reader.read(feed, () -> new ByteArrayInputStream(content), sink);
        } catch (SampleSink.Enough | FeedRefusedException end) {
            // what came before it counts
        }
        FeedKind kind = feed.kind() != FeedKind.AUTO
                ? feed.kind()
                : sink.share(KeyKind.DOMAIN) >= CERTAIN
                        ? FeedKind.DOMAIN
                        : sink.share(KeyKind.URL) >= CERTAIN ? FeedKind.URL : FeedKind.AUTO;
        Guess guess = new Guess(
                as(feed, kind, feed.format(), feed.position()),
                sink.readable(),
                kind.isSecret() ? List.of() : sink.examples());
        tried.add(guess);
        return guess;
    }

    private static String sample(String text) {
        List<String> lines = text.lines().toList();
        int half = MAX_LINES / 2;
        return lines.size() <= MAX_LINES
                ? text
                : Stream.concat(
                                lines.stream().limit(half),
                                IntStream.range(0, half)
                                        .mapToObj(i -> lines.get(half + (int) ((lines.size() - half - 1L) * i / half))))
                        .collect(Collectors.joining("\n", "", "\n"));
    }

    private static Feed as(Feed base, FeedKind kind, FeedFormat format) {
        return as(base, kind, format, base.position());
    }

    private static Feed as(Feed base, FeedKind kind, FeedFormat format, Feed.Position position) {
        return Feed.of(base.name(), kind, format, base.source(), position);
    }
}
