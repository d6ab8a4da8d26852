package org.bloomgate.key;

import java.util.List;

final class KeywordRules implements KindRules {

    @Override
    public FeedKey feedKey(String entry, PublicSuffixes suffixes) {
        return FeedKey.of(Words.key(entry), "not a single word");
    }

    @Override
    public List<AskedValue> asked(String value) {
        return AskedValue.whole(Words.key(value));
    }

    @Override
    public double askedPerMail() {
        return 300;
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
