package org.bloomgate.lists.export;

import java.util.Set;
import org.bloomgate.core.key.KeyKind;

/// The format of an export.
public enum ExportFormat {
    /// A response policy zone: DNS records that a resolver applies to the questions of its clients.
    RPZ("; ", "text/dns"),
    /// One value a line; a domain with a leading dot also covers the names below it, as in squid's `dstdomain`.
    TXT("# ", "text/plain; charset=utf-8"),
    /// Lines of `/etc/hosts`.
    HOSTS("# ", "text/plain; charset=utf-8"),
    /// Rules of nginx's access module.
    NGINX("# ", "text/plain; charset=utf-8"),
    /// One JSON object for each listing.
    JSONL("", "application/jsonl");

    private final String comment;
    private final String mediaType;

    ExportFormat(String comment, String mediaType) {
        this.comment = comment;
        this.mediaType = mediaType;
    }

    /// The characters that a comment line begins with; empty if the format has no comments.
    String comment() {
        return comment;
    }

    public String mediaType() {
        return mediaType;
    }

    /// The kinds that the format has words for; empty if these depend on the lists.
    Set<KeyKind> kinds() {
        return switch (this) {
            case RPZ -> Set.of(KeyKind.DOMAIN, KeyKind.NETWORK);
            case HOSTS -> Set.of(KeyKind.DOMAIN);
            case NGINX -> Set.of(KeyKind.NETWORK);
            case TXT, JSONL -> Set.of();
        };
    }
}
