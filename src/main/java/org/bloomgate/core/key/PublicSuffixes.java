package org.bloomgate.core.key;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.core.url.Host;
import org.bloomgate.core.url.HostKind;

/// The public suffix list (publicsuffix.org) as a map of rules: ICANN and private ones, wildcards and exceptions. A
/// top-level domain without a rule counts as a public suffix (the list's `*` rule).
///
/// The parents of a name that are looked up depend on the list, so a snapshot contains the list with which it
/// was built, and the gateway uses that of the newest one. Immutable, thread-safe.
public final class PublicSuffixes {
    /// Far above the size of the list, 330 kB. Hides nothing: a longer list is rejected.
    public static final int MAX_BYTES = 8 * 1024 * 1024;

    /// The beginning of a line that begins or ends a section.
    private static final String PART = "// ===";

    /// The rules that owners of domains requested; all others belong to registries.
    private static final String PRIVATE_PART = PART + "BEGIN PRIVATE DOMAINS";

    private final byte[] bytes;
    private final SuffixRules rules = new SuffixRules();
    private final Set<String> internationalTops = new HashSet<>();

    private PublicSuffixes(byte[] bytes) {
        this.bytes = bytes;
        int ofWildcards = SuffixRules.REGISTRY;
        for (String line : (Iterable<String>) new String(bytes, StandardCharsets.UTF_8).lines()::iterator) {
            if (line.startsWith(PART)) {
                ofWildcards = line.startsWith(PRIVATE_PART) ? 0 : SuffixRules.REGISTRY;
            } else {
                addLine(line, ofWildcards);
            }
        }
    }

    /// The list that ships with this build.
    public static PublicSuffixes bundled() {
        return Bundled.LIST;
    }

    /// Reads a `public_suffix_list.dat`. The one that ships with this build, which most snapshots contain, is
    /// not parsed again.
    ///
    /// @throws IOException if the stream fails, exceeds [#MAX_BYTES] or has no rule
    public static PublicSuffixes read(InputStream list) throws IOException {
        byte[] bytes = list.readNBytes(MAX_BYTES + 1);
        if (bytes.length > MAX_BYTES) {
            throw new IOException("public suffix list exceeds " + MAX_BYTES + " bytes");
        }
        if (Arrays.equals(bytes, Bundled.LIST.bytes)) {
            return Bundled.LIST;
        }
        PublicSuffixes suffixes = new PublicSuffixes(bytes);
        if (suffixes.rules.size() == 0) {
            throw new IOException("public suffix list holds no rule");
        }
        return suffixes;
    }

    /// A list from the bytes that [#bytes()] returned.
    public static PublicSuffixes of(byte[] list) {
        return new PublicSuffixes(list.clone());
    }

    private void addLine(String line, int ofWildcards) {
        String rule = upToBlank(line);
        if (rule.startsWith("//")) {
            return;
        }
        if (rule.startsWith("!")) {
            add(rule.substring(1), SuffixRules.EXCEPTION);
        } else if (rule.startsWith("*.")) {
            add(rule.substring(2), SuffixRules.WILDCARD | ofWildcards);
        } else {
            add(rule, SuffixRules.NORMAL);
        }
    }

    /// A rule ends at the first white space.
    private static String upToBlank(String line) {
        for (int i = 0; i < line.length(); i++) {
            if (line.charAt(i) <= ' ') {
                return line.substring(0, i);
            }
        }
        return line;
    }

    private void add(String name, int flag) {
        if (name.indexOf('.') < 0 && isInternational(name)) {
            internationalTops.add(name);
        }
        Host.parse(name).filter(host -> host.kind() == HostKind.NAME).ifPresent(host -> rules.add(host.text(), flag));
    }

    /// Whether the name is one that cannot be registered: `com`, `co.uk`, `github.io`, any single label.
    public boolean isPublicSuffix(Host host) {
        return host.kind() == HostKind.NAME && isPublicSuffix(host.text());
    }

    /// @param name a host name in canonical form
    public boolean isPublicSuffix(String name) {
        byte[] host = name.getBytes(StandardCharsets.US_ASCII);
        return registrableStart(host, 0, host.length) < 0;
    }

    /// The registrable domain of a host name in canonical form; the name itself if it has none, for example an
    /// IP address.
    public String registrable(String name) {
        byte[] host = name.getBytes(StandardCharsets.UTF_8);
        int start = registrableStart(host, 0, host.length);
        return start < 0 || start >= host.length
                ? name
                : new String(host, start, host.length - start, StandardCharsets.UTF_8);
    }

    private static boolean isInternational(String name) {
        return !name.isEmpty() && name.charAt(0) >= 0x80;
    }

    /// Whether the list has a rule for this name, not only its `*` rule.
    ///
    /// @param name in lower case; a top-level domain may have non-ASCII letters, as in the list
    public boolean lists(String name) {
        if (isInternational(name)) {
            return internationalTops.contains(name);
        }
        byte[] host = name.getBytes(StandardCharsets.US_ASCII);
        int hash = 0;
        for (int i = host.length - 1; i >= 0; i--) {
            hash = SuffixRules.mix(hash, host[i]);
        }
        return rules.flags(host, 0, host.length, hash) != 0;
    }

    /// The same for a name within a text, in any case. Creates no object for an ASCII name.
    public boolean lists(char[] text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (text[i] >= 0x80) {
                return lists(TextForms.lowerCase(new String(text, from, to - from)));
            }
        }
        return rules.flags(text, from, to) != 0;
    }

    /// The start in the array of the registrable domain of a host name in canonical form; -1 if the name is a
    /// public suffix itself. Creates no object.
    public int registrableStart(byte[] host, int from, int to) {
        int suffix = to;
        int hash = 0;
        int end = to;
        for (int depth = 1; depth <= rules.deepest() && end > from; depth++) {
            int start = end;
            while (start > from && host[start - 1] != '.') {
                hash = SuffixRules.mix(hash, host[--start]);
            }
            int flags = rules.flags(host, start, to, hash);
            if ((flags & SuffixRules.EXCEPTION) != 0) {
                return start;
            }
            if (depth == 1 || (flags & SuffixRules.NORMAL) != 0) {
                suffix = start;
            }
            if ((flags & SuffixRules.WILDCARD) != 0 && start > from) {
                suffix = labelStart(host, from, start - 1);
            }
            end = start - 1;
            hash = SuffixRules.mix(hash, (byte) '.');
        }
        return suffix <= from ? -1 : labelStart(host, from, suffix - 1);
    }

    /// The start in the array of the shortest name that may be listed because of a host: the registrable
    /// domain; for a public suffix the host itself if only a wildcard of its owner matches it, like
    /// `ec2-192-0-2-1.compute-1.amazonaws.com`, which is the machine of one customer. -1 for all other public
    /// suffixes. Creates no object.
    int listableStart(byte[] host, int from, int to) {
        int registrable = registrableStart(host, from, to);
        return registrable < 0 && isOwnersWildcard(host, from, to) ? from : registrable;
    }

    /// Whether the host may be listed.
    boolean isListable(Host host) {
        byte[] bytes = host.bytes();
        return host.kind() != HostKind.NAME || listableStart(bytes, 0, bytes.length) >= 0;
    }

    private boolean isOwnersWildcard(byte[] host, int from, int to) {
        int dot = from;
        while (dot < to && host[dot] != '.') {
            dot++;
        }
        int hash = 0;
        for (int i = to - 1; i > dot; i--) {
            hash = SuffixRules.mix(hash, host[i]);
        }
        int above = dot < to ? rules.flags(host, dot + 1, to, hash) : 0;
        for (int i = Math.min(dot, to - 1); i >= from; i--) {
            hash = SuffixRules.mix(hash, host[i]);
        }
        boolean ownersWildcard = (above & (SuffixRules.WILDCARD | SuffixRules.REGISTRY)) == SuffixRules.WILDCARD;
        return ownersWildcard && rules.flags(host, from, to, hash) == 0;
    }

    private static int labelStart(byte[] host, int from, int end) {
        int start = end;
        while (start > from && host[start - 1] != '.') {
            start--;
        }
        return start;
    }

    /// SHA-256 of [#bytes()] in lower-case hex, which snapshots contain.
    public String sha256() {
        return HexFormat.of().formatHex(ContentDigest.begin().digest(bytes));
    }

    /// The bytes of the list, for the snapshot.
    public byte[] bytes() {
        return bytes.clone();
    }

    /// The list of this build, which is read on first use.
    private static final class Bundled {
        static final PublicSuffixes LIST = load();

        private static PublicSuffixes load() {
            try (InputStream list = PublicSuffixes.class.getResourceAsStream("public_suffix_list.dat")) {
                if (list == null) {
                    throw new IllegalStateException("this build lacks public_suffix_list.dat: build it again");
                }
                return new PublicSuffixes(list.readAllBytes());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
