package org.bloomgate.core.key;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

final class AddressRules implements KindRules {
    private static final Pattern WHOLE_DOMAIN = Pattern.compile("\\*?@[^@]+");

    /// The marks of hosts, and those for the `@` before them.
    private static final List<FeedHost.Mark> MARKS = Stream.concat(
                    FeedHost.MARKS.stream(),
                    Stream.of(new FeedHost.Mark("@", "@", true), new FeedHost.Mark("at", "@", true)))
            .toList();

    @Override
    public FeedKey feedKey(String entry, PublicSuffixes suffixes) {
        if (entry.strip().indexOf(' ') >= 0 && entry.indexOf('"') < 0) {
            return new FeedKey.Rejected("more than an address");
        }
        if (WHOLE_DOMAIN.matcher(entry.strip()).matches()) {
            return new FeedKey.Rejected("unsupported: every mailbox of a domain, which kind domain lists");
        }
        return FeedKey.of(
                MailAddress.parse(entry).map(address -> new Key(KeyKind.ADDRESS, address.feedText())),
                "not a mail address");
    }

    /// Undoes the defanging of reports.
    @Override
    public String restored(String value) {
        return FeedHost.unmarked(value, MARKS);
    }

    @Override
    public List<LookupValue> toLookupValues(String value) {
        boolean other = value.contains("://")
                || WHOLE_DOMAIN.matcher(value.strip()).matches()
                || (value.strip().indexOf(' ') >= 0 && value.indexOf('"') < 0);
        return (other ? Optional.<MailAddress>empty() : MailAddress.parse(value))
                .map(address -> new LookupValue(address.text(), address::append)).stream()
                        .toList();
    }

    @Override
    public double keysPerMessage() {
        return 5;
    }

    @Override
    public Optional<String> host(String text) {
        return Optional.of(MailAddress.domainOf(text));
    }

    @Override
    public boolean hasUses() {
        return true;
    }
}
