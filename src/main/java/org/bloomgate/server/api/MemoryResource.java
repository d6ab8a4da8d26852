package org.bloomgate.server.api;

import java.io.IOException;
import org.bloomgate.base.io.IoText;
import org.bloomgate.decision.evaluation.SeenName;
import org.bloomgate.decision.memory.GroupOptions;
import org.bloomgate.decision.memory.OtherGateways;
import org.bloomgate.lists.mirror.MemoryExchange;
import org.bloomgate.lookup.local.LiveEntries;
import org.bloomgate.lookup.tier.LayerLease;
import org.bloomgate.server.http.Answer;
import org.bloomgate.server.http.EntityTag;
import org.bloomgate.server.http.Problem;
import org.bloomgate.server.http.ProblemException;
import org.bloomgate.server.http.Request;
import org.bloomgate.server.http.RequestJson;

/// `/v1/seen/{name}`: what is remembered of a name, and `/v1/memory`: what the gateways of a group exchange of it.
final class MemoryResource {
    private static final RequestJson<MemoryExchange.DigestQuery> QUERY =
            new RequestJson<>(MemoryExchange.DigestQuery.class, "{\"hashes\": [string, ..]}");
    private static final RequestJson<MemoryExchange.JoinRequest> JOIN =
            new RequestJson<>(MemoryExchange.JoinRequest.class, "{\"url\": string}");

    private final Services.Messages messages;
    private final LiveEntries layers;

    MemoryResource(Services.Messages messages, LiveEntries layers) {
        this.messages = messages;
        this.layers = layers;
    }

    /// What is remembered of a name, here and at other gateways.
    Answer findSeen(Request request) {
        try (LayerLease lease = layers.lease()) {
            return Answer.json(SeenName.find(
                            request.pathParameter("name"),
                            messages.scan().history(),
                            lease.suffixes(),
                            messages.exchange()
                                    .get()
                                    .map(OtherGateways.class::cast)
                                    .orElse(OtherGateways.NONE))
                    .orElseThrow(() -> SearchParameters.invalid("name", "a domain, a mail address or an IP address")));
        }
    }

    /// The files that this gateway has.
    Answer list(Request request) throws IOException {
        return Answer.json(exchange().list());
    }

    Answer findDayFile(Request request) throws IOException {
        byte[] file = exchange()
                .group()
                .read(request.pathParameter("origin"), request.pathParameter("set"), request.pathParameter("day"))
                .orElseThrow(() -> new ProblemException(Problem.notFound()));
        return EntityTag.of(file).answer(request, () -> Answer.bytes("application/octet-stream", file));
    }

    /// What this gateway alone has seen.
    Answer answer(Request request) throws IOException {
        MemoryExchange.DigestQuery query = QUERY.read(request.body());
        return Answer.json(exchange().answer(query));
    }

    Answer join(Request request) throws IOException {
        String url = JOIN.read(request.body()).url();
        if (!GroupOptions.isAddress(url)) {
            throw SearchParameters.invalid("url", "http://HOST:PORT or https://HOST:PORT");
        }
        MemoryExchange exchange = exchange();
        try {
            return Answer.json(new MemoryExchange.JoinResult(exchange.join(url)));
        } catch (IOException e) {
            throw new ProblemException(Problem.unavailable(url + ": " + IoText.describe(e)));
        }
    }

    private MemoryExchange exchange() {
        return messages.exchange().get().orElseThrow(() -> new ProblemException(Problem.notFound()));
    }
}
