package org.bloomgate.core.key;

import java.util.List;
import java.util.Optional;

final class KeywordRules implements KindRules {

    @Override
    public FeedKey feedKey(String entry, PublicSuffixes suffixes) {
        return Words.feedKey(entry);
    }

    @Override
    public List<LookupValue> toLookupValues(String value) {
        return Words.feedKey(value) instanceof FeedKey.Taken(Key key) ? LookupValue.whole(Optional.of(key)) : List.of();
    }

    @Override
    public double keysPerMessage() {
        return 1200;
    }

    @Override
    public boolean hasUses() {
        return false;
    }

    @Override
    public boolean takesMany() {
        return true;
    }
}
