package org.bloomgate.content.mime;

import java.net.InetAddress;
import java.util.Optional;
import org.bloomgate.content.links.Inspection;
import org.bloomgate.core.key.AddressBlock;
import org.bloomgate.core.key.DomainKeys;
import org.bloomgate.core.key.Identifier;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.MailAddress;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.core.url.Host;

/// Appends the keys of an SMTP envelope and of its client to a batch.
public final class EnvelopeKeys {
    /// A local-part that matches no real mailbox.
    private static final String ANY_LOCAL_PART = "x";

    private EnvelopeKeys() {}

    /// Appends the address and domains of the reverse-path at place ENVELOPE; nothing for the null
    /// reverse-path.
    ///
    /// The domain of a path follows the last `@`. With a local-part chosen for that (`""`, `"<a@b.example>"`),
    /// the lenient address parser may see another domain, or none, so the domain of the path is always looked
    /// up as well.
    ///
    /// @param reversePath without angle brackets; empty for `<>`
    /// @return complete, or partial with the limit or fault that ended the inspection
    public static Inspection appendSender(String reversePath, PublicSuffixes suffixes, KeyBatch batch) {
        try {
            return appendPath(reversePath, suffixes, batch) ? Inspection.COMPLETE : Inspection.partial(Limit.REWRITES);
        } catch (RuntimeException | StackOverflowError e) {
            return Inspection.failed(e);
        }
    }

    /// Appends the address of the client at place CLIENT, and its HELO name and the DNS name of its address at
    /// place HELO. An address literal as HELO name is the client's own claim, and is looked up at HELO as well.
    ///
    /// @param name the DNS name of the address; empty if unknown
    /// @param helo empty if there was none
    public static Inspection appendClientAndNames(
            Optional<InetAddress> address, String name, String helo, PublicSuffixes suffixes, KeyBatch batch) {
        try {
            appendClient(address, batch);
            appendHost(helo, "helo", suffixes, batch);
            if (!name.equalsIgnoreCase(helo)) {
                appendHost(name, "client:name", suffixes, batch);
            }
            return Inspection.COMPLETE;
        } catch (RuntimeException | StackOverflowError e) {
            return Inspection.failed(e);
        }
    }

    /// Appends only the address of the client.
    public static void appendClient(Optional<InetAddress> address, KeyBatch batch) {
        address.map(AddressBlock::of).ifPresent(block -> {
            batch.begin(new Identifier(KeyKind.NETWORK, block.address(), Place.CLIENT, Place.CLIENT.label()));
            block.append(batch);
        });
    }

    private static void appendHost(String name, String where, PublicSuffixes suffixes, KeyBatch batch) {
        String bare = name.regionMatches(true, 0, "[ipv6:", 0, 6) ? "[" + name.substring(6) : name;
        String literal = bare.startsWith("[") && bare.endsWith("]") ? bare.substring(1, bare.length() - 1) : bare;
        Host.parse(literal).ifPresent(host -> {
            batch.begin(new Identifier(KeyKind.DOMAIN, host.text(), Place.HELO, where));
            DomainKeys.append(host, suffixes, batch);
        });
    }

    private static boolean appendPath(String reversePath, PublicSuffixes suffixes, KeyBatch batch) {
        Optional<MailAddress> sender = MailAddress.parse(reversePath);
        boolean isComplete = true;
        if (sender.isPresent()) {
            beginIdentifier(KeyKind.ADDRESS, sender.get().text(), batch);
            isComplete = sender.get().append(suffixes, batch);
        }
        Optional<Host> domain = parseDomain(reversePath);
        if (domain.isPresent() && !domain.equals(sender.map(MailAddress::domain))) {
            beginIdentifier(KeyKind.DOMAIN, domain.get().text(), batch);
            DomainKeys.append(domain.get(), suffixes, batch);
        }
        return isComplete;
    }

    private static Optional<Host> parseDomain(String reversePath) {
        int at = reversePath.lastIndexOf('@');
        return at < 0
                ? Optional.empty()
                : MailAddress.parse(ANY_LOCAL_PART + reversePath.substring(at)).map(MailAddress::domain);
    }

    private static void beginIdentifier(KeyKind kind, String value, KeyBatch batch) {
        batch.begin(new Identifier(kind, value, Place.ENVELOPE, Place.ENVELOPE.label()));
    }
}
