package org.bloomgate.core.lookalike;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.text.TextScan;
import org.jspecify.annotations.Nullable;

/// Brands that senders name in From, with the domains that they send from. Protected domains and those of the
/// recipients are brands too. Immutable, thread-safe.
///
/// A name counts as whole words, which are compared by their appearance, also where it is written in more or fewer
/// words: "Pay Pal", "TrustWallet". An ordinary word, and the label of a recipient's domain, count only as the whole
/// text or beside a word of [Variants#WORDS], because nobody is called "Chase Support" by chance.
public final class Brands {
    /// The characters of a text that are searched; clients show 256.
    public static final int MAX_TEXT_CHARS = 512;

    /// Shorter names of one word do not count in several words: "Al Di Meola" is no supermarket.
    static final int MIN_JOINED_CHARS = 6;

    /// Shorter labels of protected domains are ordinary words.
    static final int MIN_LABEL_CHARS = 4;

    /// The longest name that counts, without blanks.
    static final int MAX_NAME_CHARS = 64;

    /// The recipient domains that count for one text; of a message for more, the others do not.
    public static final int MAX_RECIPIENTS = 10;

    public static final Brands NONE = new Brands(List.of(), List.of());

    private static final String SHIPPED = "brands.txt";
    private static final String ORDINARY = "~";
    private static final String BELOW = "*.";
    private static final Set<String> TRUSTED_WORDS = Set.copyOf(NameWords.of(String.join(" ", Variants.WORDS)));

    private final Map<String, Name> names = new HashMap<>();
    private final List<String> sites;

    /// A brand that a text names.
    ///
    /// @param name as listed
    /// @param domains that prove its sender; first those of this brand
    public record Brand(String name, List<String> domains) {}

    /// @param domains as listed
    private record Name(String brand, List<String> domains, boolean isOrdinary) {
        boolean owns(String sender) {
            return domains.stream()
                    .anyMatch(domain -> domain.startsWith(BELOW)
                            ? sender.endsWith(domain.substring(1))
                            : sender.equals(domain) || sender.endsWith("." + domain));
        }

        Stream<String> provingDomains() {
            return domains.stream().filter(domain -> !domain.startsWith(BELOW));
        }
    }

    /// @param lines of the list: `NAME, NAME: DOMAIN DOMAIN`
    /// @param sites protected domains, canonical, none of them a public suffix
    Brands(List<String> lines, Collection<String> sites) {
        this.sites = List.copyOf(sites);
        for (String line : lines) {
            int colon = line.indexOf(": ");
            List<String> domains = TextScan.split(line.substring(colon + 2), c -> c == ' ');
            List<String> titles = TextScan.split(line.substring(0, colon), c -> c == ',').stream()
                    .map(String::strip)
                    .toList();
            String brand = titles.getFirst().replace(ORDINARY, "");
            titles.forEach(title -> add(title, new Name(brand, domains, title.startsWith(ORDINARY)), names));
        }
        sites.forEach(site -> addSite(site, PublicSuffixes.bundled(), false, names));
    }

    /// The brands of the list that ships, and protected domains.
    public static Brands shippedWith(Collection<String> sites) {
        try (InputStream in = Objects.requireNonNull(Brands.class.getResourceAsStream(SHIPPED), SHIPPED)) {
            List<String> lines = new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .toList();
            return new Brands(lines, sites);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void add(String title, Name name, Map<String, Name> into) {
        List<String> words = NameWords.of(NameWords.plain(title));
        into.putIfAbsent(String.join(" ", words), name);
        into.putIfAbsent(String.join("", words), name);
    }

    /// @param ordinaryLabel whether the label counts as an ordinary word, whatever its length
    private static void addSite(String site, PublicSuffixes suffixes, boolean ordinaryLabel, Map<String, Name> into) {
        String domain = suffixes.registrable(site);
        int dot = domain.indexOf('.');
        if (dot > 0) {
            boolean isOrdinary = ordinaryLabel || dot < MIN_LABEL_CHARS;
            add(domain, new Name(domain, List.of(domain), false), into);
            add(domain.substring(0, dot), new Name(domain, List.of(domain), isOrdinary), into);
        }
    }

    public boolean isEmpty() {
        return names.isEmpty();
    }

    /// The first brand that the text names, unless all senders have addresses of one that it names. The domains of all
    /// these brands, and the protected ones, prove the sender.
    ///
    /// @param text that clients show beside the addresses
    /// @param senders domains of the addresses, canonical
    /// @param recipients domains whose names count as brands too
    public Optional<Brand> find(
            String text, Set<String> senders, Collection<String> recipients, PublicSuffixes suffixes) {
        List<String> words = NameWords.of(
                NameWords.plain(text.length() <= MAX_TEXT_CHARS ? text : text.substring(0, MAX_TEXT_CHARS)));
        if (isEmpty() || words.isEmpty()) {
            return Optional.empty();
        }
        Map<String, Name> recipientNames = new HashMap<>();
        recipients.forEach(domain -> addSite(domain, suffixes, true, recipientNames));
        List<Name> named = new ArrayList<>();
        for (int first = 0; first < words.size(); first++) {
            findFrom(first, words, recipientNames, named);
        }
        if (named.isEmpty()
                || named.stream()
                        .anyMatch(name -> !senders.isEmpty() && senders.stream().allMatch(name::owns))) {
            return Optional.empty();
        }
        List<String> proving = Stream.concat(named.stream().flatMap(Name::provingDomains), sites.stream())
                .distinct()
                .toList();
        return Optional.of(new Brand(named.getFirst().brand(), proving));
    }

    /// Adds the names that begin with a word.
    private void findFrom(int first, List<String> words, Map<String, Name> recipientNames, List<Name> named) {
        StringBuilder spaced = new StringBuilder();
        StringBuilder joined = new StringBuilder();
        for (int i = first; i < words.size() && joined.length() <= MAX_NAME_CHARS; i++) {
            spaced.append(i == first ? "" : " ").append(words.get(i));
            joined.append(words.get(i));
            boolean isMeant =
                    (first == 0 && i == words.size() - 1) || isTrusted(words, first - 1) || isTrusted(words, i + 1);
            Optional.ofNullable(lookUp(spaced.toString(), recipientNames))
                    .filter(name -> isMeant || !name.isOrdinary())
                    .or(() -> Optional.ofNullable(lookUp(joined.toString(), recipientNames))
                            .filter(name -> joined.length() >= MIN_JOINED_CHARS && !name.isOrdinary()))
                    .ifPresent(named::add);
        }
    }

    private @Nullable Name lookUp(String key, Map<String, Name> recipientNames) {
        Name name = names.get(key);
        return name == null ? recipientNames.get(key) : name;
    }

    private static boolean isTrusted(List<String> words, int index) {
        return index >= 0 && index < words.size() && TRUSTED_WORDS.contains(words.get(index));
    }
}
