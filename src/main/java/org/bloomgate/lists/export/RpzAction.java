package org.bloomgate.lists.export;

import java.util.Comparator;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.core.url.DomainName;

/// The action of a resolver for a queried name, as a record of a response policy zone (Vixie and Schryver:
/// "DNS Response Policy Zones", draft-vixie-dnsop-dns-rpz-00, section 3).
///
/// @param target the name that [Kind#CNAME] answers with; otherwise empty
public record RpzAction(Kind kind, String target) implements Comparable<RpzAction> {
    /// The name is not in the zone.
    static final RpzAction NONE = new RpzAction(Kind.NONE, "");

    /// The query is answered as without the zone.
    static final RpzAction PASSTHRU = new RpzAction(Kind.PASSTHRU, "");

    /// There is no such name.
    public static final RpzAction NXDOMAIN = new RpzAction(Kind.NXDOMAIN, "");

    private static final Comparator<RpzAction> BY_STRENGTH =
            Comparator.comparing(RpzAction::kind).thenComparing(RpzAction::target);

    /// From the mildest to the strictest: of several listings, the strictest counts.
    public enum Kind {
        NONE,
        PASSTHRU,
        CNAME,
        NODATA,
        NXDOMAIN,
        DROP
    }

    /// @param text `nxdomain`, `nodata`, `drop`, `none` or `cname:HOST`
    /// @throws IllegalArgumentException if the text is not an action
    public static RpzAction of(String text) {
        if (text.startsWith("cname:")) {
            String host = text.substring("cname:".length());
            return new RpzAction(
                    Kind.CNAME,
                    DomainName.parse(host)
                            .orElseThrow(() -> new IllegalArgumentException("'" + host + "' is not a host name"))
                            .text());
        }
        return switch (text) {
            case "nxdomain" -> NXDOMAIN;
            case "nodata" -> new RpzAction(Kind.NODATA, "");
            case "drop" -> new RpzAction(Kind.DROP, "");
            case "none" -> NONE;
            default ->
                throw new IllegalArgumentException("'" + text + "' is not nxdomain, nodata, drop, none or cname:HOST");
        };
    }

    /// The target of the CNAME record for this action.
    String record() {
        return switch (kind) {
            case NXDOMAIN -> ".";
            case NODATA -> "*.";
            case DROP -> "rpz-drop.";
            case PASSTHRU -> "rpz-passthru.";
            case CNAME -> target + ".";
            case NONE -> throw new IllegalStateException("no record");
        };
    }

    /// Whether the action blocks the listed name.
    boolean blocks() {
        return kind.compareTo(Kind.PASSTHRU) > 0;
    }

    @Override
    public int compareTo(RpzAction other) {
        return BY_STRENGTH.compare(this, other);
    }

    @Override
    public String toString() {
        return TextForms.lowerCase(kind.name()) + (target.isEmpty() ? "" : ":" + target);
    }
}
