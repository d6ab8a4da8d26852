package org.bloomgate.lookup.local;

import java.time.Instant;
import org.bloomgate.lookup.local.EntryText.Field;
import org.bloomgate.lookup.tier.Entry;

/// Entries as an operator types them in tests.
public final class EntryTexts {
    private EntryTexts() {}

    /// By ada.
    public static EntryText of(String kind, String value) {
        return EntryText.EMPTY.with(Field.KIND, kind).with(Field.VALUE, value).with(Field.AUTHOR, "ada");
    }

    /// The listing of a domain.
    public static Entry listing(String domain, Instant now) throws EntryRefusedException {
        return EntryParser.parse(of("domain", domain), Entry.Type.LISTING, now);
    }

    /// The exception of a domain.
    public static Entry exception(String domain, Instant now) throws EntryRefusedException {
        return EntryParser.parse(of("domain", domain), Entry.Type.EXCEPTION, now);
    }
}
