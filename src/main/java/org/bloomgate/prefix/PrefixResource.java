package org.bloomgate.prefix;

import java.nio.file.Path;
import java.util.Optional;
import org.bloomgate.key.KeyKind;
import org.bloomgate.lookup.LayerSource;
import org.bloomgate.web.Answer;
import org.bloomgate.web.AnswerJson;
import org.bloomgate.web.EntityTag;
import org.bloomgate.web.Problem;
import org.bloomgate.web.Request;
import org.bloomgate.web.Resource;
import org.bloomgate.web.Route;
import org.bloomgate.wire.HashPrefix;
import org.bloomgate.wire.PrefixPage;

/// `GET /v1/prefix/{layer}/{kind}/{prefix}`: the exact tier of a layer for gateways that do not tell what they met, a
/// page of everything whose hash begins so. Answers from the stores on this machine alone.
///
/// A page is the same for everybody until the next generation, so that a cache in between may keep it; how long it is
/// tells little, as every answer is padded to whole KiB.
public final class PrefixResource implements Resource, AutoCloseable {
    private static final String LAYER = "layer";
    private static final String KIND = "kind";
    private static final String PREFIX = "prefix";

    private final PrefixPages pages;

    /// @param snapshots root of the snapshots, beside which indexes stand
    public PrefixResource(LayerSource layers, Path snapshots) {
        this.pages = new PrefixPages(layers, snapshots.resolve(".prefix"));
    }

    @Override
    public Route route() {
        return Route.get(PrefixPage.PATH + "{" + LAYER + "}/{" + KIND + "}/{" + PREFIX + "}")
                .with();
    }

    @Override
    public Answer answer(Request request) {
        Optional<KeyKind> kind = KeyKind.ofLabel(request.pathParameter(KIND));
        if (kind.isEmpty()) {
            return Answer.problem(Problem.badRequest("kind: expected one of " + KeyKind.labels()));
        }
        Optional<HashPrefix> prefix = HashPrefix.parse(request.pathParameter(PREFIX));
        if (prefix.isEmpty()) {
            return Answer.problem(Problem.badRequest("prefix: expected " + HashPrefix.MIN_DIGITS + " to "
                    + HashPrefix.MAX_DIGITS + " hex digits in lower case"));
        }
        return answer(
                request,
                pages.page(
                        request.pathParameter(LAYER),
                        kind.get(),
                        prefix.get(),
                        request.body().left()));
    }

    private static Answer answer(Request request, PrefixPage page) {
        if (page.generation().isEmpty()) {
            return Answer.json(padded(page)).with("Cache-Control", "no-store");
        }
        EntityTag tag = new EntityTag(page.generation().get());
        return (tag.isKnownTo(request) ? Answer.empty(304) : whole(page))
                .with("ETag", tag.toString())
                .with("Cache-Control", "public, max-age=60");
    }

    private static Answer whole(PrefixPage page) {
        byte[] octets = padded(page);
        return octets.length <= PrefixPage.MAX_BYTES
                ? Answer.json(octets)
                : Answer.problem(Problem.unavailable("the page is larger than " + PrefixPage.MAX_BYTES + " bytes"));
    }

    private static byte[] padded(PrefixPage page) {
        int bytes = AnswerJson.octets(page).length;
        return AnswerJson.octets(page.padded(Math.floorMod(-bytes, PrefixPage.BLOCK_BYTES)));
    }

    @Override
    public void close() {
        pages.close();
    }
}
