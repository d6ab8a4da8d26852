package org.bloomgate.key;

import java.util.List;
import java.util.Optional;

final class AddressRules implements KindRules {

    @Override
    public FeedKey feedKey(String entry, PublicSuffixes suffixes) {
        if (entry.strip().indexOf(' ') >= 0 && entry.indexOf('"') < 0) {
            return new FeedKey.Rejected("more than an address");
        }
        return FeedKey.of(
                MailAddress.parse(entry).map(address -> new Key(KeyKind.ADDRESS, address.feedText())),
                "not a mail address");
    }

    @Override
    public List<AskedValue> asked(String value) {
        return MailAddress.parse(value).map(address -> new AskedValue(address.text(), address::append)).stream()
                .toList();
    }

    @Override
    public double askedPerMail() {
        return 5;
    }

    @Override
    public Optional<String> host(String text) {
        return Optional.of(text.substring(text.lastIndexOf('@') + 1));
    }

    @Override
    public boolean hasUses() {
        return true;
    }
}
