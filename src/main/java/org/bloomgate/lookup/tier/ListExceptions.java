package org.bloomgate.lookup.tier;

import java.util.Set;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;

/// The exceptions that a feed itself publishes: a name and everything below it, while the feed lists a name above;
/// or a network within a listed one. The narrower statement of a feed counts, and of two equal ones the exception.
/// Immutable.
///
/// @param keys domains, URL expressions and networks; a domain `*.name` stands for the names below it ([#below])
public record ListExceptions(Set<Key> keys) {
    public static final ListExceptions NONE = new ListExceptions(Set.of());

    private static final String BELOW = "*.";

    public ListExceptions {
        keys = Set.copyOf(keys);
    }

    /// Whether a key of the identifier is an exception that is at least as narrow as what is listed.
    ///
    /// @param position of the key that was looked up
    boolean cover(KeyBatch batch, int position, Key listed) {
        if (keys.isEmpty()) {
            return false;
        }
        return listed.kind() == KeyKind.NETWORK
                ? cover(batch.key(position), false, listed)
                : coverName(batch, position, listed);
    }

    /// The exception of only the names below a domain.
    public static Key below(Key domain) {
        return new Key(KeyKind.DOMAIN, BELOW + domain.text());
    }

    /// The domain that an exception is about: that of its name or of the names below it.
    public static Key place(Key exception) {
        return exception.text().startsWith(BELOW)
                ? new Key(KeyKind.DOMAIN, exception.text().substring(BELOW.length()))
                : exception;
    }

    /// Whether the key, or a key around it that is at least as narrow as what is listed, is an exception.
    ///
    /// @param below true for the names below the key
    /// @param listed the key, or one around it
    public boolean cover(Key key, boolean below, Key listed) {
        if (keys.isEmpty()) {
            return false;
        }
        boolean isBelow = below;
        for (Key around : key.around()) {
            if (keys.contains(around) || (isBelow && keys.contains(below(around)))) {
                return true;
            }
            if (around.equals(listed)) {
                return false;
            }
            isBelow |= around.kind() == KeyKind.DOMAIN;
        }
        return false;
    }

    /// Whether an exception is about this place.
    public boolean areAt(Key place) {
        return isExcepted(place, place.kind() != KeyKind.DOMAIN);
    }

    private boolean isExcepted(Key key, boolean itself) {
        return keys.contains(key) || (!itself && keys.contains(below(key)));
    }

    /// The keys of an identifier are adjacent in the batch.
    private boolean coverName(KeyBatch batch, int position, Key listed) {
        int owner = batch.owner(position);
        int first = position;
        while (first > 0 && batch.owner(first - 1) == owner) {
            first--;
        }
        for (int i = first; i < batch.size() && batch.owner(i) == owner; i++) {
            boolean asNarrow = batch.kindCode(i) == listed.kind().wireCode()
                    && batch.end(i) - batch.start(i) >= listed.text().length();
            if (asNarrow && isExcepted(batch.key(i), batch.itself(i))) {
                return true;
            }
        }
        return false;
    }
}
