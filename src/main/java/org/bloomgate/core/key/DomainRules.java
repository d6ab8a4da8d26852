package org.bloomgate.core.key;

import java.util.List;
import java.util.Optional;
import org.bloomgate.core.url.DomainName;
import org.bloomgate.core.url.Host;

final class DomainRules implements KindRules {

    @Override
    public FeedKey feedKey(String entry, PublicSuffixes suffixes) {
        return switch (FeedHost.ofDomainEntry(entry)) {
            case FeedHost.Unusable(String reason) -> new FeedKey.Rejected(reason);
            case FeedHost.Usable(Host host) -> FeedHost.key(new Key(KeyKind.DOMAIN, host.text()), host, true, suffixes);
        };
    }

    /// Undoes the defanging of reports.
    @Override
    public String restored(String value) {
        return FeedHost.refanged(value);
    }

    @Override
    public List<LookupValue> toLookupValues(String value) {
        return host(FeedHost.ofDomainEntry(value), value)
                .map(host ->
                        new LookupValue(host.text(), (suffixes, batch) -> DomainKeys.append(host, suffixes, batch)))
                .stream()
                .toList();
    }

    /// The host of a value: read like a feed entry, or a name that no feed can list, such as one without a dot.
    private static Optional<Host> host(FeedHost entry, String value) {
        return entry instanceof FeedHost.Usable(Host host)
                ? Optional.of(host)
                : DomainName.parse(value.strip()).flatMap(name -> Host.parse(name.text()));
    }

    @Override
    public double keysPerMessage() {
        return 30;
    }

    @Override
    public Optional<String> host(String text) {
        return Optional.of(text);
    }

    @Override
    public Optional<String> wholeHost(String text) {
        return Optional.of(text);
    }

    @Override
    public boolean hasUses() {
        return true;
    }

    @Override
    public boolean hasZones() {
        return true;
    }
}
