package org.bloomgate.remote;

import java.io.IOException;
import java.util.Set;
import org.bloomgate.key.KeyKind;
import org.bloomgate.lookup.ExactLookup;
import org.bloomgate.lookup.KeyRanges;

/// Over a tier that shows ranges, which are of passwords: no zone confirms those.
final class RangedDnsConfirmation extends DnsConfirmation implements KeyRanges {
    private final KeyRanges ranges;

    RangedDnsConfirmation(ExactLookup tier, KeyRanges ranges, Zones zones) {
        super(tier, zones);
        this.ranges = ranges;
    }

    @Override
    public Set<Integer> passwordDigestBytes() {
        return ranges.passwordDigestBytes();
    }

    @Override
    public void forEach(KeyKind kind, byte[] from, byte[] to, Visitor visitor) throws IOException {
        ranges.forEach(kind, from, to, visitor);
    }
}
