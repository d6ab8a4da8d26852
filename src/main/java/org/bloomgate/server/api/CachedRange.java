package org.bloomgate.server.api;

import io.helidon.http.Header;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.random.RandomGenerator;
import org.bloomgate.core.bloom.KeyHash;
import org.bloomgate.lookup.password.DigestPrefix;
import org.bloomgate.lookup.password.DigestRows;
import org.bloomgate.lookup.password.RangeText;
import org.bloomgate.server.http.Answer;
import org.bloomgate.server.http.Compression;

/// The range of one prefix, ready to be sent: a few header fields, small enough for the first buffer of the server,
/// so that the body is copied once.
///
/// @param etag of the text, so that a copy of a client stays valid over snapshots that do not change the range
/// @param whole the answer with the text
/// @param unchanged the answer to a client that has the text already
record CachedRange(int rows, int suffixDigits, String etag, Answer whole, Answer unchanged) {
    static final String MEDIA_TYPE = "text/plain";

    /// Snapshots change once a minute at most. Not `public`: a shared cache must not answer clients without a token.
    private static final Header A_MINUTE = HeaderValues.createCached(HeaderNames.CACHE_CONTROL, "max-age=60");

    private static final Header BY_PADDING =
            HeaderValues.createCached(HeaderNames.VARY, "Add-Padding, " + Compression.VARY);

    /// The size of the object, its header fields and the answers around the text.
    private static final int OVERHEAD_BYTES = 512;

    private static final KeyHash HASH = new KeyHash(0);

    static CachedRange of(DigestRows rows) {
        byte[] text = RangeText.of(rows);
        byte[] hash = ByteBuffer.allocate(Long.BYTES)
                .putLong(HASH.hash(text, 0, text.length))
                .array();
        String etag = "\"" + Base64.getUrlEncoder().withoutPadding().encodeToString(hash) + "\"";
        return new CachedRange(
                rows.size(),
                2 * rows.digestBytes() - DigestPrefix.DIGITS,
                etag,
                withCacheFields(Answer.bytes(MEDIA_TYPE, text), etag),
                withCacheFields(Answer.empty(304), etag));
    }

    private static Answer withCacheFields(Answer answer, String etag) {
        return answer.with(HeaderValues.createCached(HeaderNames.ETAG, etag), A_MINUTE, BY_PADDING, Answer.ANY_ORIGIN);
    }

    /// The answer with padding, which differs from request to request and is not cached.
    Answer padded(RandomGenerator random) {
        return Answer.bytes(MEDIA_TYPE, RangeText.pad(whole.body(), rows, suffixDigits, random))
                .with(BY_PADDING, Answer.ANY_ORIGIN);
    }

    /// Whether a list of tags, from `If-None-Match`, has this one. A weak comparison.
    boolean isAmong(String tags) {
        return tags.contains(etag) || tags.strip().equals("*");
    }

    int weight() {
        return whole.body().length + OVERHEAD_BYTES;
    }
}
