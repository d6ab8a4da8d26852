package org.bloomgate.decision.evaluation;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.base.net.IpLiteral;
import org.bloomgate.base.net.Network;
import org.bloomgate.core.key.AddressBlock;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.core.text.TextScan;
import org.bloomgate.decision.policy.HeloFlaw;

/// The site that this mail server belongs to: its names, and the networks whose clients are not looked up in
/// lists of clients.
///
/// @param ownNames names and addresses of this host, lower-case
/// @param ownNetworks whose clients are users of the site
/// @param atConnect feeds whose listed clients are rejected at connect
/// @param submission whether the clients of the listener are users of the site, who send mail to others
public record Site(Set<String> ownNames, List<Network> ownNetworks, Set<String> atConnect, boolean submission) {
    /// No site is configured: only clients of the local network count as its users.
    public static final Site UNKNOWN = new Site(Set.of(), List.of(), Set.of());

    private static final int MAX_NAME_CHARS = 255;
    private static final int MAX_LABEL_CHARS = 63;

    private static final String LABEL_CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789_-";

    /// A site for a listener that is open to any client.
    public Site(Set<String> ownNames, List<Network> ownNetworks, Set<String> atConnect) {
        this(ownNames, ownNetworks, atConnect, false);
    }

    public Site {
        ownNames = Set.copyOf(ownNames);
        ownNetworks = List.copyOf(ownNetworks);
        atConnect = Set.copyOf(atConnect);
    }

    /// True if the client belongs to the site, so that lists of clients do not apply: one that has logged in,
    /// is in the site's own networks, or has a loopback, private or link-local address.
    public boolean includes(ConnectingClient caller) {
        return caller.authenticated() || caller.address().stream().anyMatch(this::includes);
    }

    private boolean includes(InetAddress address) {
        return !AddressBlock.of(address).isGlobal()
                || ownNetworks.stream().anyMatch(network -> network.contains(address));
    }

    HeloFlaw findFlaw(String helo) {
        if (helo.isEmpty()) {
            return HeloFlaw.NONE;
        }
        String name = TextForms.lowerCase(helo);
        if (name.startsWith("[")) {
            return findLiteralFlaw(name);
        }
        String plain = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
        if (ownNames.contains(plain)) {
            return HeloFlaw.OWN_NAME;
        }
        return isName(plain) ? HeloFlaw.NONE : HeloFlaw.SYNTAX;
    }

    private HeloFlaw findLiteralFlaw(String literal) {
        String inside = literal.endsWith("]") ? literal.substring(1, literal.length() - 1) : "";
        String text = inside.startsWith("ipv6:") ? inside.substring("ipv6:".length()) : inside;
        Optional<InetAddress> address = IpLiteral.parse(text);
        if (address.isEmpty()) {
            return HeloFlaw.SYNTAX;
        }
        return ownNames.contains(IpLiteral.text(address.get())) ? HeloFlaw.OWN_NAME : HeloFlaw.NONE;
    }

    /// Underscores are not allowed in host names (RFC 952), but many clients have them.
    private static boolean isName(String name) {
        boolean areLabelsValid = name.length() <= MAX_NAME_CHARS;
        boolean hasLetter = false;
        for (String label : TextScan.split(name, c -> c == '.')) {
            areLabelsValid &= TextScan.consistsOf(label, c -> LABEL_CHARACTERS.indexOf(c) >= 0, 1, MAX_LABEL_CHARS)
                    && !label.startsWith("-")
                    && !label.endsWith("-");
            hasLetter |= label.chars().anyMatch(c -> c >= 'a' && c <= 'z');
        }
        return areLabelsValid && hasLetter;
    }
}
