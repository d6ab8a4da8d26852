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

/// The keys of an envelope.
public final class EnvelopeKeys {
    /// A local part that matches no real mailbox.
    private static final String SOMEBODY = "x";

    private EnvelopeKeys() {}

    /// The reverse-path's address and domains at place ENVELOPE; nothing for the null reverse-path.
    ///
    /// The domain of a path follows the last `@`. The lenient address parser may see another domain, or none,
    /// in a local part made for that (`""`, `"<a@b.example>"`); the domain of the path is looked up in any
    /// case.
    ///
    /// @param reversePath without angle brackets; empty for `<>`
    /// @return what is known of the reverse-path besides: nothing, but for a fault and a limit
    public static Inspection sender(String reversePath, PublicSuffixes suffixes, KeyBatch batch) {
        try {
            return read(reversePath, suffixes, batch) ? Inspection.COMPLETE : Inspection.partial(Limit.REWRITES);
        } catch (RuntimeException | StackOverflowError thrown) {
            return Inspection.failed(thrown);
        }
    }

    /// The address of the client at place CLIENT, its HELO name and the name of its address at place HELO. An
    /// address literal as name is the client's own claim, and is looked up at that place as well.
    ///
    /// @param name empty if unknown
    /// @param helo empty when there was none
    public static Inspection caller(
            Optional<InetAddress> address, String name, String helo, PublicSuffixes suffixes, KeyBatch batch) {
        try {
            client(address, batch);
            host(helo, "helo", suffixes, batch);
            if (!name.equalsIgnoreCase(helo)) {
                host(name, "client:name", suffixes, batch);
            }
            return Inspection.COMPLETE;
        } catch (RuntimeException | StackOverflowError thrown) {
            return Inspection.failed(thrown);
        }
    }

    /// The address alone.
    public static void client(Optional<InetAddress> address, KeyBatch batch) {
        address.map(AddressBlock::of).ifPresent(block -> {
            batch.begin(new Identifier(KeyKind.NETWORK, block.address(), Place.CLIENT, Place.CLIENT.label()));
            block.append(batch);
        });
    }

    private static void host(String name, String where, PublicSuffixes suffixes, KeyBatch batch) {
        String bare = name.regionMatches(true, 0, "[ipv6:", 0, 6) ? "[" + name.substring(6) : name;
        String literal = bare.startsWith("[") && bare.endsWith("]") ? bare.substring(1, bare.length() - 1) : bare;
        Host.parse(literal).ifPresent(host -> {
            batch.begin(new Identifier(KeyKind.DOMAIN, host.text(), Place.HELO, where));
            DomainKeys.append(host, suffixes, batch);
        });
    }

    private static boolean read(String reversePath, PublicSuffixes suffixes, KeyBatch batch) {
        Optional<MailAddress> sender = MailAddress.parse(reversePath);
        boolean whole = true;
        if (sender.isPresent()) {
            begin(KeyKind.ADDRESS, sender.get().text(), batch);
            whole = sender.get().append(suffixes, batch);
        }
        Optional<Host> domain = domain(reversePath);
        if (domain.isPresent() && !domain.equals(sender.map(MailAddress::domain))) {
            begin(KeyKind.DOMAIN, domain.get().text(), batch);
            DomainKeys.append(domain.get(), suffixes, batch);
        }
        return whole;
    }

    private static Optional<Host> domain(String reversePath) {
        int at = reversePath.lastIndexOf('@');
        return at < 0
                ? Optional.empty()
                : MailAddress.parse(SOMEBODY + reversePath.substring(at)).map(MailAddress::domain);
    }

    private static void begin(KeyKind kind, String value, KeyBatch batch) {
        batch.begin(new Identifier(kind, value, Place.ENVELOPE, Place.ENVELOPE.label()));
    }
}
