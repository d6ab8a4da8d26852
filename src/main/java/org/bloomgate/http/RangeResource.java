package org.bloomgate.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.bloomgate.key.KeyKind;
import org.bloomgate.lookup.Layer;
import org.bloomgate.lookup.LayerLease;
import org.bloomgate.lookup.LayerSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// `GET /range/{prefix}`: every digest of a known password that begins with five hex digits, as the range API of Pwned
/// Passwords answers. The asker compares the rest at home, so that nobody here learns a password or its digest.
///
/// Clients of that API take an empty list for "not known", so what cannot be read whole is a 503 and no list.
final class RangeResource implements Resource {
    private static final Logger LOG = LoggerFactory.getLogger(RangeResource.class);
    private static final String TEXT = "text/plain";
    private static final String PREFIX = "prefix";

    /// Snapshots change by the minute at most.
    private static final String CACHED = "public, max-age=60";

    private final LayerSource layers;
    private final RandomGenerator random = new SecureRandom();

    RangeResource(LayerSource layers) {
        this.layers = layers;
    }

    @Override
    public Route route() {
        return Route.getAcrossOrigins("/range/{" + PREFIX + "}");
    }

    @Override
    public Answer answer(Request request) {
        Answer answer = request.method().equals("OPTIONS") ? preflight() : range(request);
        return answer.with("Access-Control-Allow-Origin", "*");
    }

    private static Answer preflight() {
        return Answer.empty(204)
                .with("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS")
                .with("Access-Control-Allow-Headers", "Add-Padding, If-None-Match, User-Agent")
                .with("Access-Control-Max-Age", "86400");
    }

    private Answer range(Request request) {
        Optional<DigestPrefix> prefix = DigestPrefix.parse(request.pathParameter(PREFIX));
        if (prefix.isEmpty()) {
            return refused("The hash prefix was not in a valid format");
        }
        Optional<DigestMode> mode = DigestMode.ofLabel(request.query("mode").orElse(DigestMode.SHA1.label()));
        if (mode.isEmpty()) {
            return refused("The mode was neither sha1 nor ntlm");
        }
        try (LayerLease lease = layers.lease()) {
            List<Layer> asked = lease.layers().stream()
                    .filter(layer -> layer.filters().containsKey(KeyKind.PASSWORD))
                    .toList();
            return range(request, asked, new RangeReader(mode.get(), prefix.get(), request.body()));
        } catch (IOException unread) {
            LOG.warn("/range: {}", unread.getMessage());
            return Answer.problem(
                    Problem.unavailable("the list of " + mode.get().label() + " digests cannot be read"));
        }
    }

    private static Answer refused(String text) {
        return Answer.octets(TEXT, text.getBytes(StandardCharsets.US_ASCII)).as(400);
    }

    private Answer range(Request request, List<Layer> asked, RangeReader reader) throws IOException {
        String tag = "\"" + Generations.of(asked) + "\"";
        boolean padded =
                request.header("Add-Padding").filter("true"::equalsIgnoreCase).isPresent();
        // A list of tags cannot be split at its commas: the tag of several layers holds some.
        boolean known = !asked.isEmpty()
                && request.header("If-None-Match")
                        .filter(tags -> tags.contains(tag))
                        .isPresent();
        if (known && !padded) {
            return kept(Answer.empty(304), tag);
        }
        Optional<DigestRows> rows = reader.read(asked);
        if (rows.isEmpty()) {
            return Answer.problem(Problem.unavailable("no list of such digests is loaded"));
        }
        // What is padded differs from answer to answer and is kept by nobody.
        return padded
                ? Answer.octets(TEXT, RangeText.padded(rows.get(), random)).with("Vary", "Add-Padding")
                : kept(Answer.octets(TEXT, RangeText.of(rows.get())), tag);
    }

    private static Answer kept(Answer answer, String tag) {
        return answer.with("ETag", tag).with("Cache-Control", CACHED).with("Vary", "Add-Padding");
    }
}
