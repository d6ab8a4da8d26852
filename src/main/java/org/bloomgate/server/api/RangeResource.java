package org.bloomgate.server.api;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.bloomgate.lookup.password.DigestMode;
import org.bloomgate.lookup.password.DigestPrefix;
import org.bloomgate.lookup.tier.LayerLease;
import org.bloomgate.lookup.tier.LayerSource;
import org.bloomgate.server.http.Answer;
import org.bloomgate.server.http.Problem;
import org.bloomgate.server.http.ProblemType;
import org.bloomgate.server.http.Request;
import org.bloomgate.server.http.Resource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// `GET /range/{prefix}`: every digest of a known password that begins with five hex digits, in the format of
/// Pwned Passwords. The client compares the rest itself, so that this server learns neither the password nor
/// its digest.
///
/// Clients of that API take an empty list as "not known", so a list that cannot be read completely is answered
/// 503.
public final class RangeResource implements Resource {
    private static final Logger LOG = LoggerFactory.getLogger(RangeResource.class);
    private static final String PREFIX = "prefix";

    private static final HeaderName ADD_PADDING = HeaderNames.create("Add-Padding");
    private static final Answer PREFLIGHT = Answer.empty(204)
            .with("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS")
            .with("Access-Control-Allow-Headers", "Add-Padding, If-None-Match, User-Agent")
            .with("Access-Control-Max-Age", "86400")
            .with(Answer.ANY_ORIGIN);

    private static final int CACHE_BYTES = 64 << 20;

    private final LayerSource layers;
    private final RangeCache ranges;
    private final RandomGenerator random = new SecureRandom();

    public RangeResource(LayerSource layers) {
        this.layers = layers;
        this.ranges = new RangeCache(CACHE_BYTES);
    }

    @Override
    public Answer answer(Request request) {
        if (request.method().equals("OPTIONS")) {
            return PREFLIGHT;
        }
        Optional<DigestPrefix> prefix = DigestPrefix.parse(request.pathParameter(PREFIX));
        if (prefix.isEmpty()) {
            return badRequest("The hash prefix was not in a valid format");
        }
        Optional<DigestMode> mode =
                request.query("mode").map(DigestMode::ofLabel).orElse(Optional.of(DigestMode.SHA1));
        return mode.isEmpty()
                ? badRequest("The mode was neither sha1 nor ntlm")
                : range(request, mode.get(), prefix.get());
    }

    private static Answer badRequest(String text) {
        return Answer.bytes(CachedRange.MEDIA_TYPE, text.getBytes(StandardCharsets.US_ASCII))
                .as(400)
                .with(Answer.ANY_ORIGIN);
    }

    private Answer range(Request request, DigestMode mode, DigestPrefix prefix) {
        try (LayerLease lease = layers.lease()) {
            return ranges.get(mode, prefix, lease, request.body())
                    .map(range -> answer(request, range))
                    .orElseGet(() ->
                            unavailable(Problem.of(ProblemType.NO_PASSWORD_LIST, "no list of such digests is loaded")));
        } catch (IOException e) {
            LOG.warn("http: /range: {}", e.getMessage());
            return unavailable(Problem.unavailable("the list of " + mode.label() + " digests cannot be read"));
        }
    }

    private Answer answer(Request request, CachedRange range) {
        if (request.header(ADD_PADDING).filter("true"::equalsIgnoreCase).isPresent()) {
            return range.padded(random);
        }
        return request.header(HeaderNames.IF_NONE_MATCH).filter(range::isAmong).isPresent()
                ? range.unchanged()
                : range.whole();
    }

    private static Answer unavailable(Problem problem) {
        return Answer.problem(problem).with(Answer.ANY_ORIGIN);
    }
}
