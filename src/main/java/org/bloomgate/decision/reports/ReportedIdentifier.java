package org.bloomgate.decision.reports;

import java.util.Optional;
import org.bloomgate.core.key.Key;

/// An identifier of a reported message that could be listed: a host or URL of a link, an address or domain of its
/// sender, the digest of an attachment, a phone number.
///
/// @param key in canonical form; on a host that strangers share, the URL or the name of the tenant
/// @param where the place for a person: `link`, `attachment`, `phone`; `sender` if it is at no other place
/// @param objection why it is greyed and listed only if forced, for example because it is the domain of the reporter;
///     found when the message was read. Objections of the gates of listings are added when the report is shown
public record ReportedIdentifier(Key key, String where, Optional<String> objection) {
    static final String SENDER = "sender";

    /// Whether it is in the content. An identifier of the sender alone may be forged.
    boolean isContent() {
        return !where.equals(SENDER);
    }

    /// The same identifier as two reporters name it.
    ReportedIdentifier join(ReportedIdentifier other) {
        return new ReportedIdentifier(key, isContent() ? where : other.where, other.objection.or(() -> objection));
    }
}
