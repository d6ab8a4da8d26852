package org.bloomgate.core.key;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.bloomgate.base.config.Labelled;

/// The kind of a key. The wire code is written to filter files, exact stores and manifests, so it is never
/// reused or renumbered. The order of the constants has no meaning.
public enum KeyKind implements Labelled {
    ADDRESS(1, "address", new AddressRules()),
    DOMAIN(2, "domain", new DomainRules()),
    URL(3, "url", new UrlRules()),
    PASSWORD(4, "password", new PasswordRules()),
    HASH(5, "hash", new HashRules()),
    KEYWORD(6, "keyword", new KeywordRules()),
    NETWORK(7, "network", new NetworkRules()),
    /// A domain given as a digest.
    DOMAIN_SHA1(9, "domain-sha1", new Sha1Rules("domain-sha1", 30)),
    /// A mail address given as a digest.
    ADDRESS_SHA1(10, "address-sha1", new Sha1Rules("address-sha1", 5)),
    PHONE(11, "phone", new PhoneRules());

    private static final List<KeyKind> ALL = List.of(values());

    private final int wireCode;
    private final String label;

    /// Stateless, whatever its type says.
    @SuppressWarnings("ImmutableEnumChecker")
    private final KindRules rules;

    KeyKind(int wireCode, String label, KindRules rules) {
        this.wireCode = wireCode;
        this.label = label;
        this.rules = rules;
    }

    /// The code in files, 1..255, which never changes.
    public int wireCode() {
        return wireCode;
    }

    /// The lower-case name used in configuration, JSON, file names and command lines.
    @Override
    public String label() {
        return label;
    }

    /// The rules for all keys of the kind.
    public KindRules rules() {
        return rules;
    }

    /// The labels of all kinds, for error messages.
    public static String labels() {
        return ALL.stream().map(KeyKind::label).collect(Collectors.joining(", "));
    }

    public static Optional<KeyKind> ofLabel(String label) {
        return ALL.stream().filter(kind -> kind.label.equals(label)).findFirst();
    }

    /// The kind of a wire code; empty for a code that this version does not know: then the file must be
    /// rejected.
    public static Optional<KeyKind> ofWireCode(int wireCode) {
        for (KeyKind kind : ALL) {
            if (kind.wireCode == wireCode) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }
}
