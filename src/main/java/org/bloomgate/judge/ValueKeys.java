package org.bloomgate.judge;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bloomgate.key.CanonicalUrl;
import org.bloomgate.key.ContentDigest;
import org.bloomgate.key.DomainKeys;
import org.bloomgate.key.Host;
import org.bloomgate.key.Identifier;
import org.bloomgate.key.Key;
import org.bloomgate.key.KeyBatch;
import org.bloomgate.key.KeyKind;
import org.bloomgate.key.LinkUnwrapping;
import org.bloomgate.key.MailAddress;
import org.bloomgate.key.NtlmDigest;
import org.bloomgate.key.PasswordDigest;
import org.bloomgate.key.Place;
import org.bloomgate.key.PublicSuffixes;
import org.bloomgate.key.UrlExpressions;
import org.bloomgate.key.Words;

/// The keys of a value that is asked about by itself: it is taken as sender, header and link alike, so that a listing
/// shows whatever its feed is for.
public final class ValueKeys {
    private static final List<Place> EVERY_USE = List.of(Place.ENVELOPE, Place.ORIGINATOR, Place.LINK);
    private static final String WHERE = "check";

    private final PublicSuffixes suffixes;
    private final KeyBatch batch;

    public ValueKeys(PublicSuffixes suffixes, KeyBatch batch) {
        this.suffixes = suffixes;
        this.batch = batch;
    }

    /// False, and nothing is added, when the value has no canonical form of this kind.
    public boolean add(KeyKind kind, String value) {
        return switch (kind) {
            case ADDRESS -> address(value);
            case DOMAIN -> domain(value);
            case URL -> url(value);
            case PASSWORD -> password(value);
            case HASH -> listedWhole(ContentDigest.ofHex(value));
            case KEYWORD -> listedWhole(Words.key(value));
        };
    }

    private boolean address(String value) {
        Optional<MailAddress> address = MailAddress.parse(value);
        address.ifPresent(found -> everywhere(KeyKind.ADDRESS, found.text(), () -> found.append(suffixes, batch)));
        return address.isPresent();
    }

    private boolean domain(String value) {
        Optional<Host> host = Host.parse(value);
        host.ifPresent(
                found -> everywhere(KeyKind.DOMAIN, found.text(), () -> DomainKeys.append(found, suffixes, batch)));
        return host.isPresent();
    }

    /// With the targets wrapped inside it, as in a message.
    private boolean url(String value) {
        Optional<CanonicalUrl> url = CanonicalUrl.parse(value);
        url.ifPresent(this::expressions);
        if (url.isPresent()) {
            LinkUnwrapping.targets(value)
                    .forEach(target -> CanonicalUrl.parse(target).ifPresent(this::expressions));
        }
        return url.isPresent();
    }

    private void expressions(CanonicalUrl url) {
        everywhere(KeyKind.URL, url.text(), () -> UrlExpressions.append(url, suffixes, batch));
    }

    /// Of both digests that lists are made of, so that "not listed" holds whichever is loaded. An empty password is no
    /// password; an unpaired surrogate has no UTF-8.
    private boolean password(String value) {
        if (value.isEmpty() || !StandardCharsets.UTF_8.newEncoder().canEncode(value)) {
            return false;
        }
        char[] password = value.toCharArray();
        List<byte[]> digests = new ArrayList<>(PasswordDigest.candidates(password));
        digests.add(NtlmDigest.of(password));
        everywhere(
                KeyKind.PASSWORD,
                "",
                () -> digests.forEach(
                        digest -> batch.append(digest, 0, digest.length).endKey(KeyKind.PASSWORD, true)));
        return true;
    }

    private boolean listedWhole(Optional<Key> key) {
        key.ifPresent(found -> everywhere(found.kind(), found.text(), () -> {
            byte[] octets = found.octets();
            batch.append(octets, 0, octets.length).endKey(found.kind(), true);
        }));
        return key.isPresent();
    }

    private void everywhere(KeyKind kind, String canonical, Runnable keys) {
        for (Place place : EVERY_USE) {
            batch.begin(new Identifier(kind, canonical, place, WHERE));
            keys.run();
        }
    }
}
