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
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bloomgate.base.net.IpLiteral;
import org.bloomgate.core.key.FeedKind;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.core.text.TextScan;
import org.bloomgate.lists.fetch.Digest;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedFormat;
import org.bloomgate.lists.fetch.FeedRefusedException;
import org.bloomgate.lists.fetch.PhysicalLines;
import org.bloomgate.lists.fetch.Unpacking;

/// Guesses the kind and format of a list, and the column or path of its values, by reading a sample of it in
/// every possible way. The best guess counts if it reads nearly all lines and no other one fits as well.
public final class FormatDetection {
    /// The share of lines with a value that has to be readable.
    static final double CERTAIN = 0.95;

    /// The number of lines in the sample: half of them are the first lines, the others are spread over the
    /// rest.
    static final int MAX_LINES = 1_000;

    /// The number of unpacked bytes from which the sample is made.
    private static final int MAX_BYTES = 16 << 20;

    /// The bound of each half of the sample: seven times the size of lines as long as the longest of real
    /// feeds.
    private static final int MAX_HALF_BYTES = 512 * 1024;

    private static final int MAX_COLUMNS = 30;

    /// A record with more fields is not an entry of a list.
    private static final int MAX_FIELDS = 100;

    private static final int MAX_PATHS = 10;

    /// The number of paths that are counted, and the characters of one; deeper values are ignored.
    private static final int MAX_COUNTED_PATHS = 10_000;

    private static final int MAX_PATH_CHARS = 512;

    /// The share of names in a list of addresses that may be lost.
    private static final double FEW_NAMES = 0.01;

    /// Formats with characteristic lines, each with the test for them.
    private static final Map<FeedFormat, Predicate<String>> MARKED = new LinkedHashMap<>();

    static {
        MARKED.put(FeedFormat.HOSTS, anyLine(FormatDetection::beginsWithAddress));
        MARKED.put(FeedFormat.DNSMASQ, sample -> sample.contains("=/"));
        MARKED.put(FeedFormat.UNBOUND, sample -> sample.contains("local-zone:") || sample.contains("local-data:"));
        MARKED.put(FeedFormat.BIND, anyLine(line -> splitWords(line).anyMatch(word -> word.endsWith("zone"))));
        MARKED.put(FeedFormat.WILDCARD, anyLine(line -> line.startsWith("*.")));
        MARKED.put(
                FeedFormat.RPZ,
                anyLine(line -> splitWords(line)
                        .anyMatch(word -> word.equalsIgnoreCase("SOA") || word.equalsIgnoreCase("CNAME"))));
        MARKED.put(FeedFormat.ADBLOCK, anyLine(line -> line.startsWith("||")));
        MARKED.put(FeedFormat.RBLDNSD, anyLine(FormatDetection::isOfRbldnsd));
        MARKED.put(FeedFormat.SHA1_COUNT, anyLine(line -> beginsWithDigest(line, 40)));
        MARKED.put(FeedFormat.NTLM_COUNT, anyLine(line -> beginsWithDigest(line, 32)));
        MARKED.put(FeedFormat.STIX, sample -> hasMember(sample, "\"type\"", "\"bundle\""));
        MARKED.put(FeedFormat.MISP, sample -> hasMember(sample, "\"Event\"", ""));
    }

    private static Predicate<String> anyLine(Predicate<String> pattern) {
        return sample -> sample.lines().anyMatch(pattern);
    }

    private static Stream<String> splitWords(String line) {
        return TextScan.words(line, TextScan::isBlank, Integer.MAX_VALUE).stream();
    }

    private static boolean beginsWithAddress(String line) {
        int end = TextScan.end(line, 0, c -> TextScan.isDigit(c) || c == ':' || c == '.');
        return end > 0 && (end == line.length() || TextScan.isBlank(line.charAt(end)));
    }

    private static boolean beginsWithIpAddress(String line) {
        return IpLiteral.parse(line.substring(0, TextScan.next(line, 0, TextScan::isBlank)))
                .isPresent();
    }

    private static boolean isOfRbldnsd(String line) {
        int word = TextScan.next(line, 0, TextScan::isBlank);
        int answer = line.indexOf(":127.");
        return (line.startsWith("$") && RBLDNSD_OPTIONS.contains(line.substring(1, word)))
                || (answer >= 0 && answer <= TextScan.end(line, word, TextScan::isBlank));
    }

    private static boolean beginsWithDigest(String line, int chars) {
        return TextScan.end(line, 0, TextScan::isHexDigit) == chars
                && line.startsWith(":", chars)
                && TextScan.end(line, chars + 1, TextScan::isDigit) > chars + 1;
    }

    /// @param value that begins so
    private static boolean hasMember(String json, String name, String value) {
        for (int at = json.indexOf(name); at >= 0; at = json.indexOf(name, at + 1)) {
            int colon = TextScan.end(json, at + name.length(), TextScan::isBlank);
            if (json.startsWith(":", colon)
                    && json.startsWith(value, TextScan.end(json, colon + 1, TextScan::isBlank))) {
                return true;
            }
        }
        return false;
    }

    /// Kinds of values that look different. Kind `auto` distinguishes domains and URLs.
    private static final List<FeedKind> KINDS =
            List.of(FeedKind.NETWORK, FeedKind.ADDRESS, FeedKind.HASH, FeedKind.PHONE, FeedKind.AUTO);

    private static final Pattern TITLE = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_ /()-]*");
    private static final Pattern MEMBER = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]{0,30}");
    private static final List<String> EXCEPTED = List.of("allow", "white", "except", "safe", "fuzzy");
    private static final Set<String> COMMON_PASSWORDS = Set.of(
            "123456",
            "password",
            "123456789",
            "12345678",
            "12345",
            "qwerty",
            "111111",
            "abc123",
            "letmein",
            "iloveyou");
    private static final int MIN_COMMON_PASSWORDS = 3;
    private static final Set<String> RBLDNSD_OPTIONS = Set.of("SOA", "NS", "TTL", "DATASET");

    /// The usual names of columns and members with the values, preferred if several fit.
    private static final List<String> USUAL = List.of(
            "url", "ioc_value", "ioc", "indicator", "domain", "hostname", "host", "deny", "blacklist", "ip", "dst_ip");

    /// One way to read the list.
    ///
    /// @param feed with kind, format, and the column or path
    /// @param share of the lines with a readable value
    /// @param certain whether it is the only one that fits
    /// @param examples the first values; none for passwords
    public record Guess(Feed feed, double share, boolean certain, List<String> examples) {
        public Guess {
            examples = List.copyOf(examples);
        }

        private boolean fits() {
            return share >= CERTAIN;
        }

        private Guess asCertain() {
            return new Guess(feed, share, true, examples);
        }

        private boolean isUsual(String name) {
            return Stream.concat(feed.position().column().stream(), feed.position().path().stream())
                    .anyMatch(position -> ("." + TextForms.lowerCase(position)).endsWith("." + name));
        }
    }

    private final FeedReader reader;
    private final Feed base;
    private final List<Guess> triedGuesses = new ArrayList<>();

    private FormatDetection(FeedReader reader, Feed base) {
        this.reader = reader;
        this.base = base;
    }

    /// The guess that is certain, or else the two best ones.
    ///
    /// @param base with name and source; all other settings are guessed
    /// @param packed the list as fetched
    /// @throws FeedRefusedException if it is not a list of any format
    public static List<Guess> guess(FeedReader reader, Feed base, FeedReader.Content packed) throws IOException {
        byte[] head;
        try (InputStream content = Unpacking.open(packed.open(), base.transfer().maxUnpackedBytes())) {
            head = content.readNBytes(MAX_BYTES);
        }
        int begin = Math.min(head.length, WrongFormat.HEAD_BYTES);
        boolean json = WrongFormat.isJson(new String(head, 0, begin, StandardCharsets.UTF_8));
        WrongFormat.refuse(
                withFormat(base, FeedKind.DOMAIN, json ? FeedFormat.JSON : FeedFormat.LINES),
                new BufferedInputStream(new ByteArrayInputStream(head), WrongFormat.HEAD_BYTES));
        FormatDetection detection = new FormatDetection(reader, base);
        String sample = createSample(head);
        Optional<Guess> fitting = detection
                .findMarked(head, sample)
                .or(() -> json ? detection.findJson(head) : detection.findLines(sample));
        return fitting.map(guess -> List.of(guess.asCertain()))
                .orElseGet(() -> detection.triedGuesses.stream()
                        .filter(guess -> guess.share() > 0)
                        .sorted(Comparator.comparingDouble(Guess::share).reversed())
                        .limit(2)
                        .toList());
    }

    private Optional<Guess> findMarked(byte[] head, String sample) {
        byte[] lines = encode(sample);
        return MARKED.entrySet().stream()
                .filter(format -> format.getValue().test(sample))
                .flatMap(format ->
                        listKinds(format.getKey()).stream().map(kind -> withFormat(base, kind, format.getKey())))
                // records of several lines have to stay together
                .map(feed -> read(
                        feed, feed.format() == FeedFormat.BIND || feed.format().isJson() ? head : lines))
                .filter(Guess::fits)
                .findFirst();
    }

    private static List<FeedKind> listKinds(FeedFormat format) {
        return switch (format) {
            case ADBLOCK -> List.of(FeedKind.AUTO);
            case RBLDNSD -> List.of(FeedKind.NETWORK, FeedKind.DOMAIN);
            case SHA1_COUNT, NTLM_COUNT -> List.of(FeedKind.PASSWORD);
            case STIX, MISP -> List.of(FeedKind.AUTO, FeedKind.NETWORK, FeedKind.HASH, FeedKind.ADDRESS);
            default -> List.of(FeedKind.DOMAIN);
        };
    }

    private Optional<Guess> findLines(String sample) {
        byte[] lines = encode(sample);
        boolean ofAddresses = computeShare(sample.lines().toList(), FormatDetection::beginsWithIpAddress) > 1 - CERTAIN;
        List<Guess> fitting = KINDS.stream()
                // an IP address and a score have as many digits as a telephone number
                .filter(kind -> kind != FeedKind.PHONE || !ofAddresses)
                .map(kind -> withFormat(base, kind, kind == FeedKind.NETWORK ? FeedFormat.CIDR : FeedFormat.LINES))
                .map(feed -> read(feed, lines))
                .filter(Guess::fits)
                .sorted(Comparator.comparingDouble(Guess::share).reversed())
                .toList();
        // Addresses can be read as hosts as well. Where some lines are names, the list is one of hosts.
        Optional<Guess> plain = fitting.stream()
                .filter(guess -> guess.share() >= fitting.getFirst().share() - FEW_NAMES)
                .min(Comparator.comparing(guess -> guess.feed().kind() != FeedKind.NETWORK));
        boolean mayHoldSeparators = plain.isEmpty() || plain.get().feed().kind() == FeedKind.URL;
        Optional<Guess> guess = mayHoldSeparators ? findCsv(sample).or(() -> plain) : plain;
        return guess.or(() -> findSecrets(sample));
    }

    /// Any line can be a password or a keyword, so that it is read as one proves nothing: a list of passwords has
    /// some of the most common ones. A bare SHA-1 may be that of a password, a domain or an address, so it is not
    /// decided.
    private Optional<Guess> findSecrets(String sample) {
        List<String> lines = sample.lines().filter(line -> !line.isBlank()).toList();
        if (computeShare(lines, line -> TextScan.consistsOf(line, TextScan::isHexDigit, 40, 40)) >= CERTAIN) {
            Feed.Position digest = new Feed.Position(Optional.empty(), Optional.empty(), Digest.SHA1);
            read(withFormat(base, FeedKind.PASSWORD, FeedFormat.SHA1), encode(sample));
            read(withFormat(base, FeedKind.DOMAIN, FeedFormat.LINES, digest), encode(sample));
            return Optional.empty();
        }
        Guess passwords = new Guess(
                withFormat(base, FeedKind.PASSWORD, FeedFormat.LINES),
                computeShare(lines, line -> TextScan.consistsOf(line, c -> !TextScan.isBlank(c), 1, 64)),
                false,
                List.of());
        boolean hasCommon =
                lines.stream().filter(COMMON_PASSWORDS::contains).distinct().count() >= MIN_COMMON_PASSWORDS;
        if (triedGuesses.stream().noneMatch(guess -> guess.share() > 0.5)) {
            triedGuesses.add(passwords);
            read(withFormat(base, FeedKind.KEYWORD, FeedFormat.LINES), encode(sample));
        }
        return passwords.fits() && hasCommon ? Optional.of(passwords) : Optional.empty();
    }

    private static double computeShare(List<String> lines, Predicate<String> pattern) {
        return lines.stream().filter(pattern).count() / (double) Math.max(1, lines.size());
    }

    private static String withoutComment(String line) {
        int from = TextScan.end(line, 0, c -> c == '#');
        return from == 0 ? line : line.substring(TextScan.end(line, from, TextScan::isBlank));
    }

    private Optional<Guess> findCsv(String sample) {
        Map<Boolean, List<String>> lines = sample.lines()
                .filter(line -> !line.isBlank())
                .collect(Collectors.partitioningBy(line -> line.startsWith("#")));
        List<String> records = lines.getOrDefault(false, List.of());
        if (records.isEmpty()) {
            return Optional.empty();
        }
        String first = records.getFirst();
        char separator = CsvLayout.guessSeparator(first);
        int columns = splitColumns(first, separator).size();
        if (columns > MAX_FIELDS) {
            return Optional.empty();
        }
        long alikeCount = records.stream()
                .filter(line -> splitColumns(line, separator).size() == columns)
                .count();
        if (columns < 2 || alikeCount < CERTAIN * records.size()) {
            return Optional.empty();
        }
        List<String> titles = Stream.concat(lines.getOrDefault(true, List.of()).stream(), Stream.of(first))
                .map(line -> splitColumns(withoutComment(line), separator))
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
        return chooseOne(findFitting(FeedFormat.CSV, positions, encode(sample)));
    }

    private static List<String> splitColumns(String record, char separator) {
        return CsvLayout.splitFields(record, separator).orElse(List.of());
    }

    private Optional<Guess> findJson(byte[] head) {
        Map<String, Integer> paths = new LinkedHashMap<>();
        try {
            JsonStream.read(base, new ByteArrayInputStream(head), parser -> count(parser, "", paths));
        } catch (IOException truncated) {
            // the values before the end are enough
        }
        List<Feed.Position> positions = paths.keySet().stream()
                .filter(path -> EXCEPTED.stream().noneMatch(TextForms.lowerCase(path)::contains))
                .sorted(Comparator.comparingInt(path -> -paths.getOrDefault(path, 0)))
                .limit(MAX_PATHS)
                .map(path -> new Feed.Position(
                        Optional.empty(), path.isEmpty() ? Optional.empty() : Optional.of(path), Digest.NONE))
                .toList();
        return chooseOne(findFitting(FeedFormat.JSON, positions, head));
    }

    /// Counts strings by their path. Member names that are not words, such as numbers, are taken as the keys of
    /// a map.
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
                        count(path, paths);
                    }
                    parser.nextToken();
                    if (path.length() > MAX_PATH_CHARS) {
                        parser.skipChildren();
                    } else {
                        count(parser, path.isEmpty() ? name : path + "." + name, paths);
                    }
                }
            }
            case VALUE_STRING -> count(path, paths);
            default -> {}
        }
    }

    private static void count(String path, Map<String, Integer> paths) {
        if (paths.size() < MAX_COUNTED_PATHS || paths.containsKey(path)) {
            paths.merge(path, 1, Integer::sum);
        }
    }

    /// The first fitting kind of each position.
    private List<Guess> findFitting(FeedFormat format, List<Feed.Position> positions, byte[] content) {
        return positions.stream()
                .flatMap(position -> KINDS.stream()
                        .map(kind -> read(withFormat(base, kind, format, position), content))
                        .filter(Guess::fits)
                        .limit(1))
                .toList();
    }

    private static Optional<Guess> chooseOne(List<Guess> fitting) {
        return fitting.size() == 1
                ? Optional.of(fitting.getFirst())
                : USUAL.stream()
                        .flatMap(name -> fitting.stream().filter(guess -> guess.isUsual(name)))
                        .findFirst();
    }

    private static byte[] encode(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private Guess read(Feed feed, byte[] content) {
        SampleSink sink = new SampleSink(MAX_LINES);
        try {
            reader.read(feed, () -> new ByteArrayInputStream(content), sink);
        } catch (SampleSink.Enough | FeedRefusedException e) {
            // the lines before it count
        }
        FeedKind kind = feed.kind() != FeedKind.AUTO
                ? feed.kind()
                : sink.share(KeyKind.DOMAIN) >= CERTAIN
                        ? FeedKind.DOMAIN
                        : sink.share(KeyKind.URL) >= CERTAIN ? FeedKind.URL : FeedKind.AUTO;
        Guess guess = new Guess(
                withFormat(feed, kind, feed.format(), feed.position()),
                sink.readable(),
                false,
                kind.isSecret() ? List.of() : sink.examples());
        triedGuesses.add(guess);
        return guess;
    }

    /// Lines within the bound of a rebuild, each followed by a line feed.
    private static String createSample(byte[] head) throws IOException {
        int count = 0;
        PhysicalLines counted = new PhysicalLines(new ByteArrayInputStream(head));
        while (counted.next()) {
            count++;
        }
        int half = count <= MAX_LINES ? count : MAX_LINES / 2;
        StringBuilder first = new StringBuilder();
        StringBuilder rest = new StringBuilder();
        PhysicalLines lines = new PhysicalLines(new ByteArrayInputStream(head));
        for (int i = 0, added = 0; lines.next(); i++) {
            if (i < half) {
                append(lines, first);
            } else if (i >= half + (int) ((count - half - 1L) * added / half)) {
                append(lines, rest);
                added++;
            }
        }
        return first.append(rest).toString();
    }

    private static void append(PhysicalLines lines, StringBuilder half) {
        if (!lines.isTooLong() && half.length() + lines.length() < MAX_HALF_BYTES) {
            half.append(lines.text()).append('\n');
        }
    }

    private static Feed withFormat(Feed base, FeedKind kind, FeedFormat format) {
        return withFormat(base, kind, format, base.position());
    }

    private static Feed withFormat(Feed base, FeedKind kind, FeedFormat format, Feed.Position position) {
        return Feed.of(base.name(), kind, format, base.source(), position);
    }
}
