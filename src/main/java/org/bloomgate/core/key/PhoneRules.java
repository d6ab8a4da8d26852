package org.bloomgate.core.key;

import java.util.List;

/// Rules for numbers with country code. National forms depend on the configuration, which [FeedKeys] and the
/// reader of messages have.
final class PhoneRules implements KindRules {

    @Override
    public FeedKey feedKey(String entry, PublicSuffixes suffixes) {
        return PhoneNumbers.INTERNATIONAL.feedKey(entry);
    }

    @Override
    public List<LookupValue> toLookupValues(String value) {
        return LookupValue.whole(PhoneNumbers.INTERNATIONAL.canonical(value).map(PhoneNumbers::key));
    }

    @Override
    public double keysPerMessage() {
        return 1;
    }

    /// False: all phone numbers of a message have the same place.
    @Override
    public boolean hasUses() {
        return false;
    }
}
