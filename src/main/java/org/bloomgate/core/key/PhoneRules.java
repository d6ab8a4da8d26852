package org.bloomgate.core.key;

import java.util.List;

/// Numbers with country code. National forms are those of a configuration: [FeedKeys] and the reading of mail know it.
final class PhoneRules implements KindRules {

    @Override
    public FeedKey feedKey(String entry, PublicSuffixes suffixes) {
        return PhoneNumbers.INTERNATIONAL.feedKey(entry);
    }

    @Override
    public List<LookupValue> queried(String value) {
        return LookupValue.whole(PhoneNumbers.INTERNATIONAL.canonical(value).map(PhoneNumbers::key));
    }

    @Override
    public double askedPerMail() {
        return 1;
    }

    /// A number is at one place of a message only.
    @Override
    public boolean hasUses() {
        return false;
    }
}
