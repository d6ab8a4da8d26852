package org.bloomgate.lookup.tier;

import java.time.Instant;
import java.util.Optional;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.Match;

/// Exceptions of a test, made here without end.
public final class Exceptions {
    private Exceptions() {}

    public static ListingException of(Key key, Match match, Entry.Scope scope) {
        return of(key, match, scope, true);
    }

    public static ListingException of(Key key, Match match, Entry.Scope scope, boolean authenticated) {
        Entry.Terms terms = new Entry.Terms(
                "", "ada", Instant.parse("2026-01-02T03:04:05Z"), Optional.empty(), Optional.empty(), authenticated);
        return new ListingException(new Entry(Entry.Type.EXCEPTION, key, match, scope, terms), EntryOrigin.HERE);
    }
}
