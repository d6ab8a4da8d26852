package org.bloomgate.decision.reports;

import java.util.Optional;
import org.bloomgate.core.key.Key;

/// An identifier of a reported message that could be listed: a host or URL of a link, an address or domain of its
/// sender, the digest of an attachment, a phone number.
///
/// @param key in canonical form; of a host that strangers share it is the URL or the name of the tenant
/// @param where the place for a person: `link`, `attachment`, `phone`; `sender` if it is at no other place
/// @param objection why it is greyed, so that it is listed only if it is forced: known when the message was read, for
///     example that it is the domain of the reporter. Objections of the gates of listings are added when it is shown
public record ReportedIdentifier(Key key, String where, Optional<String> objection) {
    static final String SENDER = "sender";

    /// Whether it is in the content. What is only the sender's may be forged.
    boolean isContent() {
        return !where.equals(SENDER);
    }

    /// The same identifier as two reporters name it.
    ReportedIdentifier join(ReportedIdentifier other) {
        return new ReportedIdentifier(key, isContent() ? where : other.where, other.objection.or(() -> objection));
    }
}
