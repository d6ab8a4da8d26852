package org.bloomgate.hook;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.web.Answer;
import org.bloomgate.web.HttpOptions;
import org.bloomgate.web.Problem;
import org.bloomgate.web.ProblemException;
import org.bloomgate.web.Request;
import org.bloomgate.web.Resource;
import org.bloomgate.web.Route;

/// `POST /v1/hooks/register`: a mail server says which stages and properties it would send
/// (draft-degennaro-mta-hooks-02). What can be agreed on is always the same, so nothing is kept of it: its id
/// stands for the profile, holds on every gateway and through every restart, and does not expire.
public final class HookRegistration implements Resource {
    static final String PATH = "/v1/hooks/register";
    static final String SERIALIZATION = "json";
    static final List<String> STAGES = List.of("data");
    static final List<String> NEEDED = List.of("/stage", "/rawMessage", "/envelope");
    static final Set<String> PROPERTIES = Set.of(
            "/stage", "/action", "/timestamp", "/protocol", "/rawMessage", "/envelope", "/queue", "/client", "/auth");

    private static final String ID = "mta-hooks-02-data";
    private static final String HEADER = "X-MTA-Hooks-Registration";
    private static final int MAX_BODY_BYTES = 16 * 1024;

    private final InstantSource clock;

    public HookRegistration(InstantSource clock) {
        this.clock = clock;
    }

    /// A client that was told another id, by another version, is to register again.
    ///
    /// @throws ProblemException with 404
    static void requireKnown(Request request) {
        requireKnown(request.header(HEADER).orElse(ID));
    }

    private static void requireKnown(String id) {
        if (!id.equals(ID)) {
            throw new ProblemException(Problem.notFound());
        }
    }

    @Override
    public Route route() {
        return Route.post(PATH, List.of(JSON), MAX_BODY_BYTES).with();
    }

    @Override
    public Answer answer(Request request) throws IOException {
        JsonNode wanted = HookReader.object(request.body());
        if (!wanted.path("serialization").asText().equals(SERIALIZATION)) {
            throw refused("the serialization is json");
        }
        List<String> stages = texts(wanted.path("inbound").path("stages"));
        List<String> properties = texts(wanted.path("inbound").path("properties"));
        if (!stages.containsAll(STAGES) || !properties.containsAll(NEEDED)) {
            throw refused("inbound needs the stage data and the properties " + String.join(", ", NEEDED));
        }
        if (Set.copyOf(properties).size() != properties.size()) {
            throw refused("a property stands twice");
        }
        return Answer.json(registered(
                        properties.stream().filter(PROPERTIES::contains).toList()))
                .as(201)
                .with("Location", PATH + "/" + ID);
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        for (JsonNode one : array) {
            if (!one.isTextual()) {
                throw refused("stages and properties are text");
            }
            texts.add(one.textValue());
        }
        return texts;
    }

    private static ProblemException refused(String detail) {
        return new ProblemException(Problem.badRequest(detail));
    }

    private Registered registered(List<String> properties) {
        return new Registered(
                ID,
                "active",
                clock.instant(),
                Optional.empty(),
                HooksResource.PATH,
                new Negotiated(SERIALIZATION, new Inbound(STAGES, properties), Optional.empty()),
                new Endpoints(PATH + "/" + ID, PATH + "/" + ID));
    }

    @JsonPropertyOrder({"registrationId", "status", "createdAt", "expiresAt", "hookEndpoint", "negotiated", "endpoints"
    })
    private record Registered(
            String registrationId,
            String status,
            Instant createdAt,
            Optional<Instant> expiresAt,
            String hookEndpoint,
            Negotiated negotiated,
            Endpoints endpoints) {}

    @JsonPropertyOrder({"serialization", "inbound", "outbound"})
    private record Negotiated(String serialization, Inbound inbound, Optional<Inbound> outbound) {}

    @JsonPropertyOrder({"stages", "properties"})
    private record Inbound(List<String> stages, List<String> properties) {}

    @JsonPropertyOrder({"status", "deregistration"})
    private record Endpoints(String status, String deregistration) {}

    /// `GET` and `DELETE /v1/hooks/register/{id}`: how it stands, and the end of it.
    public static final class Standing implements Resource {
        @Override
        public Route route() {
            return new Route(List.of("GET", "DELETE"), PATH + "/{id}", List.of(), 0);
        }

        @Override
        public Answer answer(Request request) {
            requireKnown(request.pathParameter("id"));
            return Answer.json(new Status(ID, request.method().equals("DELETE") ? "deregistered" : "active"));
        }

        @JsonPropertyOrder({"registrationId", "status"})
        private record Status(String registrationId, String status) {}
    }

    /// `GET /.well-known/mta-hooks`: what there is to register for.
    public static final class Discovery implements Resource {
        private final Answer told;

        public Discovery(HttpOptions options) {
            told = Answer.json(new Told(
                    "1.0",
                    new Places(PATH, PATH + "/{registration_id}"),
                    List.of(SERIALIZATION),
                    new Capabilities(new Offered(
                            STAGES,
                            PROPERTIES.stream().sorted().toList(),
                            List.of("accept", "reject", "discard", "quarantine"),
                            List.of("/action", "/response", "/message/headers"))),
                    new Limits(options.maxMessageBytes() / 4 * 3)));
        }

        @Override
        public Route route() {
            return new Route(List.of("GET"), "/.well-known/mta-hooks", List.of(), 0);
        }

        @Override
        public Answer answer(Request request) {
            return told;
        }

        @JsonPropertyOrder({"version", "endpoints", "serialization", "capabilities", "limits"})
        @JsonInclude(JsonInclude.Include.NON_EMPTY)
        private record Told(
                String version,
                Places endpoints,
                List<String> serialization,
                Capabilities capabilities,
                Limits limits) {}

        @JsonPropertyOrder({"registration", "deregistration"})
        private record Places(String registration, String deregistration) {}

        private record Capabilities(Offered inbound) {}

        @JsonPropertyOrder({"stages", "fetchProperties", "actions", "updateProperties"})
        private record Offered(
                List<String> stages,
                List<String> fetchProperties,
                List<String> actions,
                List<String> updateProperties) {}

        private record Limits(long maxMessageSize) {}
    }
}
