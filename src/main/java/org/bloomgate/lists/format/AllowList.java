package org.bloomgate.lists.format;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.bloomgate.base.io.IoText;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.base.net.Network;
import org.bloomgate.core.key.AddressBlock;
import org.bloomgate.core.key.Identifier;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.text.TextScan;
import org.bloomgate.core.url.Host;
import org.bloomgate.core.url.HostKind;
import org.bloomgate.lists.fetch.PhysicalLines;
import org.bloomgate.lists.format.LineFormat.PlainLines;

/// Names that must not be listed even if a feed lists them by mistake: popular sites, and names that an
/// operator adds.
///
/// A domain is held back if it is an allowed name or above one, but not below it: the listing of a shop on an
/// allowed platform is published. A URL is held back if it is a whole allowed host, but not with a path or
/// query. Immutable.
public final class AllowList {
    private static final String SHIPPED = "popular-sites.txt";
    private static final String NOT_IN_HOST = "/@*#?\\";

    /// RFC 5737, RFC 3849, RFC 9637.
    private static final List<AddressBlock> DOCUMENTATION = Stream.of(
                    "192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32", "3fff::/20")
            .map(AddressBlock::parse)
            .toList();

    /// Allowed names by name, or by a parent of it.
    private final Map<String, String> allowedNames;

    private final List<MispList.Rule> rules;
    private final List<AddressBlock> ownNetworks;

    /// Allowed names by SHA-1 of the name, or of a parent of it.
    private final Map<String, String> digests;

    private AllowList(Map<String, String> allowedNames, List<MispList.Rule> rules, List<AddressBlock> ownNetworks) {
        this.allowedNames = Map.copyOf(allowedNames);
        this.rules = List.copyOf(rules);
        this.ownNetworks = List.copyOf(ownNetworks);
        this.digests = computeDigests(allowedNames);
    }

    private static Map<String, String> computeDigests(Map<String, String> allowedNames) {
        Map<String, String> digests = new HashMap<>();
        KeyBatch batch = new KeyBatch();
        allowedNames.forEach((name, allowedName) -> {
            batch.clear();
            batch.begin(new Identifier(KeyKind.DOMAIN, name, Place.RAW, name));
            batch.append(name).endKey(KeyKind.DOMAIN, true);
            batch.addDigests(true, false);
            digests.put(batch.key(1).text(), allowedName);
        });
        return Map.copyOf(digests);
    }

    /// The same list with the operator's own networks, whose addresses must not be listed.
    public AllowList withNetworks(List<Network> networks) {
        List<AddressBlock> blocks = networks.stream()
                .map(network -> AddressBlock.of(network.address(), network.prefixBits()))
                .toList();
        return new AllowList(allowedNames, rules, blocks);
    }

    /// A digest, equal for lists with the same content.
    String computeDigest() {
        return Sha256.hex(
                (new TreeMap<>(allowedNames) + " " + rules + " " + ownNetworks).getBytes(StandardCharsets.UTF_8));
    }

    /// The list that ships with the product and the given files: one name per line, with `#` comments, or a
    /// MISP warning list, which is a JSON object.
    ///
    /// @throws IOException if a file cannot be read or contains a line that is not a host
    public static AllowList load(List<String> files) throws IOException {
        Map<String, String> allowedNames = new HashMap<>();
        try (InputStream in = Objects.requireNonNull(AllowList.class.getResourceAsStream(SHIPPED), SHIPPED)) {
            add(allowedNames, SHIPPED, in);
        }
        List<MispList.Rule> rules = new ArrayList<>();
        for (String file : files) {
            try (InputStream in = new BufferedInputStream(Files.newInputStream(Path.of(file)))) {
                if (isJson(in)) {
                    MispList list = MispList.read(file, in);
                    list.names().forEach(name -> parseHost(removeDot(name)).ifPresent(host -> add(allowedNames, host)));
                    rules.addAll(list.rules());
                } else {
                    add(allowedNames, file, in);
                }
            } catch (FileSystemException e) {
                throw new IOException("allow list " + file + ": " + IoText.of(e), e);
            }
        }
        return new AllowList(allowedNames, rules, List.of());
    }

    private static boolean isJson(InputStream in) throws IOException {
        in.mark(1);
        int first = in.read();
        in.reset();
        return first == '{';
    }

    /// In a warning list, `.name` means the name and everything below it.
    private static String removeDot(String name) {
        return name.startsWith(".") ? name.substring(1) : name;
    }

    /// A list of exactly these names.
    public static AllowList of(List<String> names) {
        Map<String, String> allowedNames = new HashMap<>();
        names.forEach(
                name -> add(allowedNames, Host.parse(name).orElseThrow(() -> new IllegalArgumentException(name))));
        return new AllowList(allowedNames, List.of(), List.of());
    }

    private static void add(Map<String, String> allowedNames, String file, InputStream in) throws IOException {
        PhysicalLines lines = new PhysicalLines(in);
        PlainLines format = new PlainLines();
        while (lines.next()) {
            if (format.parse(lines.text()) instanceof ParsedLine.Values entry) {
                Optional<Host> host = parseHost(entry.values().getFirst());
                add(
                        allowedNames,
                        host.orElseThrow(() -> new IOException(
                                "allow list " + file + ", line " + lines.number() + ": not a host name")));
            }
        }
    }

    private static Optional<Host> parseHost(String entry) {
        String name = entry.startsWith("*.") ? entry.substring(2) : entry;
        int end = TextScan.next(name, 0, c -> TextScan.isBlank(c) || NOT_IN_HOST.indexOf(c) >= 0);
        return end < name.length() ? Optional.empty() : Host.parse(name);
    }

    private static void add(Map<String, String> allowedNames, Host host) {
        String name = host.text();
        allowedNames.put(name, name);
        if (host.kind() == HostKind.NAME) {
            for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
                allowedNames.putIfAbsent(name.substring(dot + 1), name);
            }
        }
    }

    /// The allowed names themselves.
    public Set<String> names() {
        return Set.copyOf(allowedNames.values());
    }

    /// Whether a name is held back only if it is among [#listHeldNames()].
    boolean holdsOnlyNames() {
        return rules.isEmpty();
    }

    /// The allowed names and those above them.
    Set<String> listHeldNames() {
        return allowedNames.keySet();
    }

    /// Why a network is held back; empty if it is not, and for other kinds.
    Optional<String> findNetworkHoldReason(Key key) {
        return key.kind() == KeyKind.NETWORK ? findNetworkHoldReason(AddressBlock.parse(key.text())) : Optional.empty();
    }

    /// The allowed name because of which the key is held back.
    public Optional<String> findAllowedName(Key key) {
        return switch (key.kind()) {
            case NETWORK -> Optional.empty();
            case DOMAIN_SHA1 -> Optional.ofNullable(digests.get(key.text()));
            default -> key.kind().rules().wholeHost(key.text()).flatMap(this::findAllowedHost);
        };
    }

    /// Addresses for documentation are assigned to no one: a feed that lists them is an example, or invented.
    private Optional<String> findNetworkHoldReason(AddressBlock block) {
        Optional<String> ownReason = ownNetworks.stream()
                .filter(block::meets)
                .findFirst()
                .map(network -> "has addresses of " + network + ", one of smtp.clientNetworks");
        return ownReason
                .or(() -> DOCUMENTATION.stream()
                        .filter(example -> example.contains(block))
                        .findFirst()
                        .map(example -> "is in " + example + ", which is for documentation"))
                .map(why -> why + " and listed by no feed without 'trusted: true'");
    }

    private Optional<String> findAllowedHost(String host) {
        Optional<String> name = Optional.ofNullable(allowedNames.get(host));
        return name.isPresent() || rules.isEmpty()
                ? name
                : rules.stream()
                        .flatMap(rule -> rule.matchingEntry(host).stream())
                        .findFirst();
    }
}
