package org.bloomgate.core.key;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.bloomgate.core.url.CanonicalUrl;
import org.bloomgate.core.url.Host;
import org.bloomgate.core.url.LinkUnwrapping;

final class UrlRules implements KindRules {

    @Override
    public FeedKey feedKey(String entry, PublicSuffixes suffixes) {
        Optional<CanonicalUrl> canonical = CanonicalUrl.parse(entry);
        if (canonical.isEmpty()) {
            return new FeedKey.Rejected("names no host");
        }
        CanonicalUrl url = canonical.get();
        boolean root = url.keyEnd() == url.hostEnd() + 1;
        return switch (FeedHost.check(url.host(), entry)) {
            case FeedHost.Unusable(String reason) -> new FeedKey.Rejected(reason);
            case FeedHost.Usable(Host host) -> FeedHost.key(new Key(KeyKind.URL, url.keyText()), host, root, suffixes);
        };
    }

    /// Undoes the defanging of reports and the escaping of web pages.
    @Override
    public String restored(String value) {
        return FeedHost.refanged(value).replace("&amp;", "&");
    }

    /// The URL and the targets wrapped in it, as in a message.
    @Override
    public List<LookupValue> toLookupValues(String value) {
        return CanonicalUrl.parse(value).filter(url -> value.contains("://") || isUrl(url, value)).stream()
                .flatMap(url -> Stream.concat(
                        Stream.of(url),
                        LinkUnwrapping.targets(value).stream().flatMap(target -> CanonicalUrl.parse(target).stream())))
                .map(UrlRules::toLookupValue)
                .toList();
    }

    /// Whether a value without a scheme is a URL, as in a feed. A mail address is not, although the part before
    /// its `@` could be user information.
    private static boolean isUrl(CanonicalUrl url, String value) {
        boolean address = value.indexOf('@') > 0 && value.indexOf('/') < 0;
        return !address && FeedHost.check(url.host(), value) instanceof FeedHost.Usable;
    }

    private static LookupValue toLookupValue(CanonicalUrl url) {
        return new LookupValue(url.text(), (suffixes, batch) -> UrlExpressions.append(url, suffixes, batch));
    }

    @Override
    public double keysPerMessage() {
        return 100;
    }

    @Override
    public Optional<String> host(String text) {
        return Optional.of(text.substring(0, text.indexOf('/')));
    }

    /// The host of a key that has no path and no query.
    @Override
    public Optional<String> wholeHost(String text) {
        return text.indexOf('/') == text.length() - 1 ? host(text) : Optional.empty();
    }

    @Override
    public boolean hasUses() {
        return true;
    }
}
