package org.bloomgate.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.IOException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.fleet.Fleet;
import org.bloomgate.fleet.FleetStanding;
import org.bloomgate.web.Answer;
import org.bloomgate.web.HttpOptions;
import org.bloomgate.web.Request;
import org.bloomgate.web.Resource;
import org.bloomgate.web.Route;
import org.bloomgate.web.Tokens;
import org.bloomgate.wire.MirrorReport;

/// `GET /v1/fleet`: the mirrors of this publisher, how far each follows, and which of their own operators list what.
/// For the admin and the read token.
final class FleetResource implements Resource {
    private final FleetStanding standing;
    private final Tokens tokens;

    FleetResource(FleetStanding standing, HttpOptions options) {
        this.standing = standing;
        this.tokens = Tokens.of(options);
    }

    /// @param counter of the newest statement said here of what is current
    /// @param listings counter of the one of what operators list here
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    record FleetView(
            Optional<Long> counter, Optional<Long> listings, List<MirrorView> mirrors, List<ListedBy> entries) {}

    /// One mirror; of one that was not seen since start nothing is known.
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    record MirrorView(
            String name,
            Optional<Instant> seen,
            boolean behind,
            Optional<Boolean> ready,
            Optional<Long> counter,
            Optional<Long> listings,
            List<MirrorReport.Layer> layers,
            List<MirrorReport.Fault> faults,
            int entries) {
        static MirrorView of(Fleet.Mirror mirror, boolean behind) {
            Optional<MirrorReport> report = mirror.report();
            return new MirrorView(
                    mirror.name(),
                    mirror.seen(),
                    behind,
                    report.map(MirrorReport::ready),
                    report.flatMap(MirrorReport::counter),
                    report.flatMap(MirrorReport::listings),
                    report.map(MirrorReport::layers).orElse(List.of()),
                    report.map(MirrorReport::faults).orElse(List.of()),
                    report.map(of -> of.entries().size() + of.entriesLeft()).orElse(0));
        }
    }

    /// What operators of mirrors list; in force there, and nowhere else because of it.
    record ListedBy(String kind, String value, String category, Set<String> mirrors) {
        int count() {
            return mirrors.size();
        }
    }

    @Override
    public Route route() {
        return Route.get("/v1/fleet");
    }

    @Override
    public void admit(Request request) {
        tokens.requireReader(request);
    }

    @Override
    public Answer answer(Request request) throws IOException {
        return Answer.json(view(standing));
    }

    static FleetView view(FleetStanding standing) {
        FleetStanding.Here here = standing.here();
        return new FleetView(
                here.counter(),
                here.listings(),
                standing.fleet().mirrors().stream()
                        .map(mirror -> MirrorView.of(mirror, mirror.isBehind(here.generations(), here.listings())))
                        .toList(),
                entries(standing.fleet()));
    }

    /// Those that most mirrors list first.
    private static List<ListedBy> entries(Fleet fleet) {
        return fleet.entries().entrySet().stream()
                .map(one -> new ListedBy(
                        one.getKey().kind(), one.getKey().value(), one.getKey().category(), one.getValue()))
                .sorted(Comparator.comparingInt(ListedBy::count)
                        .reversed()
                        .thenComparing(ListedBy::kind)
                        .thenComparing(ListedBy::value)
                        .thenComparing(ListedBy::category))
                .toList();
    }
}
