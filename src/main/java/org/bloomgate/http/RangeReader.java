package org.bloomgate.http;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.bloomgate.key.KeyKind;
import org.bloomgate.lookup.KeyRanges;
import org.bloomgate.lookup.Layer;

/// Reads the digests that begin with a prefix from the stores of all layers. A range is whole or it is none: a list
/// that lacks a row says of a password that it is not known.
final class RangeReader {
    /// Rows of one layer that are taken into memory. The full list of Pwned Passwords has about 2,000 a prefix.
    static final int MAX_ROWS = 65_536;

    private static final int USUAL_ROWS = 2_048;
    private static final int ROWS_BETWEEN_LOOKS = 256;

    private final DigestMode mode;
    private final DigestPrefix prefix;
    private final RequestBody time;

    /// @param time that the request has left
    RangeReader(DigestMode mode, DigestPrefix prefix, RequestBody time) {
        this.mode = mode;
        this.prefix = prefix;
        this.time = time;
    }

    /// Empty when no layer holds such digests.
    ///
    /// @throws IOException when a layer could not be read to the end; the message is for a log
    Optional<DigestRows> read(List<Layer> layers) throws IOException {
        Optional<DigestRows> all = Optional.empty();
        for (Layer layer : layers) {
            KeyRanges ranges = layer.exact()
                    .local()
                    .filter(KeyRanges.class::isInstance)
                    .map(KeyRanges.class::cast)
                    .orElseThrow(() -> new IOException("the exact tier of layer " + layer.name() + " shows no ranges"));
            if (ranges.passwordDigestBytes().contains(mode.digestBytes())) {
                DigestRows rows = read(ranges);
                all = Optional.of(all.map(rows::merge).orElse(rows));
            }
        }
        return all;
    }

    private DigestRows read(KeyRanges ranges) throws IOException {
        DigestRows rows = new DigestRows(mode.digestBytes(), USUAL_ROWS);
        ranges.forEach(KeyKind.PASSWORD, prefix.from(), prefix.to(), (octets, from, to, count) -> {
            if (to - from == mode.digestBytes()) {
                requireBounds(rows.size());
                rows.add(octets, from, count);
            }
        });
        return rows;
    }

    private void requireBounds(int rows) throws IOException {
        if (rows == MAX_ROWS) {
            throw new IOException("more than " + MAX_ROWS + " digests with one prefix in one layer");
        }
        if (rows % ROWS_BETWEEN_LOOKS == 0 && !time.inTime()) {
            throw new IOException("out of time");
        }
    }
}
