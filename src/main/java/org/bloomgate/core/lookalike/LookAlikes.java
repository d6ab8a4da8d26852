package org.bloomgate.core.lookalike;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.core.text.TextScan;

/// Finds the protected domain or person that a name looks like. Immutable, thread-safe.
///
/// A form that is one step away from a protected name counts under the same suffix; a form with a hyphen and a
/// word ([Variants#WORDS]) under any suffix, because nobody is called `NAME-login` by chance; and the name
/// itself under top-level domains that are open to everyone ([#SWAPPED]). Protected and allowed names, and all
/// names below them, are never reported.
///
/// Bounds: [#MAX_NAMES] names and [#MAX_FORMS] forms of each, the most common tricks first.
public final class LookAlikes {
    /// The most protected names; 1,000 names of typical length take some 70 MB. Hides nothing: a configuration
    /// with more is rejected.
    public static final int MAX_NAMES = 1_000;

    /// The most forms of a name; names of up to 15 letters have fewer. Of a long name, the rarest imitations
    /// are not recognized, which `lookalike NAME` shows.
    public static final int MAX_FORMS = 20_000;

    private static final int USUAL_FORMS = 3_000;

    /// Without protected names.
    public static final LookAlikes NONE = new LookAlikes(List.of(), People.NONE, Set.of());

    /// Top-level domains that are cheap and open to everyone, in which the owner of a brand rarely has its
    /// name.
    static final List<String> SWAPPED = TextScan.split(
            "app art best biz bond buzz cam cc cfd click club cyou fit fun guru icu info life link live lol"
                    + " mobi monster mom ooo one online pro pw quest rest sbs shop site skin space store support tech tk"
                    + " today top vip wang website wiki win work xin xyz zip",
            c -> c == ' ');

    /// The longest host, without its dots, that is compared. Hides nothing: no protected name is longer.
    private static final int MAX_UNDOTTED = 80;

    private final List<String> names;
    private final People people;
    private final Set<String> real = new HashSet<>();
    private final Map<String, List<Integer>> bySkeleton = new HashMap<>();

    private final Map<String, Integer> undotted = new HashMap<>();

    /// The imitated name and the trick, by the number of a form.
    private final List<LookAlike> lookAlikes = new ArrayList<>();

    /// Forms with their suffix, and forms that count under any suffix.
    private final FormTable forms;

    /// @param names protected domains, canonical, none of them a public suffix
    /// @param allowed names of others that are never reported
    public LookAlikes(List<String> names, People people, Collection<String> allowed) {
        if (names.size() > MAX_NAMES) {
            throw new IllegalArgumentException("names: at most " + MAX_NAMES);
        }
        this.names = List.copyOf(names);
        this.people = people;
        this.forms = new FormTable(new SplittableRandom().nextLong(), (names.size() + 1L) * USUAL_FORMS);
        real.addAll(names);
        if (!names.isEmpty()) {
            real.addAll(allowed);
        }
        for (int i = 0; i < names.size(); i++) {
            guard(i, HostParts.of(names.get(i), PublicSuffixes.bundled()).orElseThrow());
        }
    }

    /// A host, divided at its registrable domain.
    ///
    /// @param below the labels before it with their dots; empty if there are none
    /// @param suffix the public suffix with its dot
    private record HostParts(String below, String label, String suffix) {
        static Optional<HostParts> of(String host, PublicSuffixes suffixes) {
            byte[] bytes = host.getBytes(StandardCharsets.US_ASCII);
            int start = suffixes.registrableStart(bytes, 0, bytes.length);
            int dot = start < 0 ? -1 : host.indexOf('.', start);
            return dot < 0
                    ? Optional.empty()
                    : Optional.of(
                            new HostParts(host.substring(0, start), host.substring(start, dot), host.substring(dot)));
        }
    }

    private void guard(int number, HostParts name) {
        bySkeleton
                .computeIfAbsent(Skeleton.ofLabel(name.label()), _ -> new ArrayList<>())
                .add(number);
        undotted.putIfAbsent(Skeleton.of(undotted(names.get(number))), number);
        int before = forms.size();
        Map<Trick, Integer> numbers = new EnumMap<>(Trick.class);
        each(name, (trick, form) -> {
            if (forms.size() - before < MAX_FORMS) {
                forms.add(form, numbers.computeIfAbsent(trick, first -> number(number, first)));
            }
        });
    }

    private int number(int name, Trick trick) {
        lookAlikes.add(new LookAlike(names.get(name), trick));
        return lookAlikes.size() - 1;
    }

    /// Passes on the forms of a name, as they are looked up.
    private static void each(HostParts name, BiConsumer<Trick, String> sink) {
        String shown = TextForms.uLabels(name.label());
        sink.accept(Trick.HOMOGLYPH, Skeleton.of(shown) + name.suffix());
        for (String top : SWAPPED) {
            sink.accept(Trick.TLD_SWAP, Skeleton.of(shown) + '.' + top);
        }
        Variants.anywhere(shown, (trick, variant) -> sink.accept(trick, Skeleton.of(variant)));
        Variants.each(shown, (trick, variant) -> sink.accept(trick, Skeleton.of(variant) + name.suffix()));
        sink.accept(Trick.DICTIONARY, Skeleton.of(shown + undotted(name.suffix())) + name.suffix());
        sink.accept(Trick.DICTIONARY, Skeleton.of(shown + undotted(name.suffix())) + ".com");
        sink.accept(Trick.DICTIONARY, Skeleton.of(shown + name.suffix().replace('.', '-')));
    }

    /// The number of forms.
    public int size() {
        return forms.size();
    }

    /// Whether there is no protected domain, so that [#find(String, PublicSuffixes)] finds nothing.
    public boolean isEmpty() {
        return names.isEmpty();
    }

    public People people() {
        return people;
    }

    /// The protected name that a host imitates; empty for the name itself, and for hosts that imitate none.
    ///
    /// @param host a canonical name
    public Optional<LookAlike> find(String host, PublicSuffixes suffixes) {
        return names.isEmpty()
                ? Optional.empty()
                : HostParts.of(host, suffixes).flatMap(this::find).filter(_ -> !isReal(host));
    }

    private boolean isReal(String host) {
        boolean found = real.contains(host);
        for (int dot = host.indexOf('.'); dot >= 0 && !found; dot = host.indexOf('.', dot + 1)) {
            found = real.contains(host.substring(dot + 1));
        }
        return found;
    }

    private Optional<LookAlike> find(HostParts host) {
        String skeleton = Skeleton.ofLabel(host.label());
        OptionalInt number = forms.find(skeleton + host.suffix());
        if (number.isEmpty()) {
            number = forms.find(skeleton);
        }
        return number.isPresent() ? Optional.of(lookAlikes.get(number.getAsInt())) : below(host);
    }

    private static String undotted(String name) {
        return name.replace(".", "");
    }

    /// Finds names that are imitated with dots, for example `pay.pal.com` and `paypal.com.other.example`.
    private Optional<LookAlike> below(HostParts host) {
        if (host.below().isEmpty() && host.suffix().indexOf('.', 1) < 0) {
            return Optional.empty();
        }
        String joined = undotted(host.below() + host.label() + host.suffix());
        Integer number = joined.length() <= MAX_UNDOTTED ? undotted.get(Skeleton.of(joined)) : null;
        return number == null ? leading(host.below()) : Optional.of(new LookAlike(names.get(number), Trick.SUBDOMAIN));
    }

    private Optional<LookAlike> leading(String below) {
        for (int from = 0, dot = below.indexOf('.'); dot >= 0; from = dot + 1, dot = below.indexOf('.', from)) {
            for (int number : bySkeleton.getOrDefault(Skeleton.ofLabel(below.substring(from, dot)), List.of())) {
                String name = names.get(number);
                if (below.startsWith(name.substring(name.indexOf('.')) + '.', dot)) {
                    return Optional.of(new LookAlike(name, Trick.SUBDOMAIN));
                }
            }
        }
        return Optional.empty();
    }

    /// Passes on all imitations of a domain that are, or would be, recognized: whole names, some of them twice.
    ///
    /// @param name canonical, not a public suffix
    public static void forEachImitation(String name, BiConsumer<Trick, String> sink) {
        HostParts parts = HostParts.of(name, PublicSuffixes.bundled()).orElseThrow();
        String unicodeLabel = TextForms.uLabels(parts.label());
        BiConsumer<Trick, String> whole = (trick, variant) -> sink.accept(trick, variant + parts.suffix());
        Variants.each(unicodeLabel, whole);
        Variants.anywhere(unicodeLabel, whole);
        SWAPPED.forEach(top -> sink.accept(Trick.TLD_SWAP, unicodeLabel + '.' + top));
        for (int i = 1; i < unicodeLabel.length(); i++) {
            whole.accept(Trick.SUBDOMAIN, unicodeLabel.substring(0, i) + '.' + unicodeLabel.substring(i));
        }
    }
}
