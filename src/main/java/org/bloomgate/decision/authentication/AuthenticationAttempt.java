package org.bloomgate.decision.authentication;

import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bloomgate.core.key.MailAddress;
import org.bloomgate.core.url.DomainName;
import org.bloomgate.decision.authentication.AuthenticationOutcome.Covered;

/// The authentication of one message's names. Used once, by one thread.
final class AuthenticationAttempt {
    private static final String LOGIN = "login";
    private static final String RESULTS = "results";
    private static final String DKIM = "dkim";
    private static final String SPF = "spf";
    private static final String NONE = "none";
    private static final String NOT_ALIGNED = "not-aligned";
    private static final String NOT_COVERED = "not-covered";
    private static final String TIMEOUT = "timeout";
    private static final Coverage FROM_AND_BODY = Coverage.ofSigned(Set.of("from"), true);

    private final AuthenticationRequest request;
    private final Predicate<Covered> isDecided;
    private final DnsQueries dns;
    private final Optional<String> unavailable;
    private final Alignment alignment;
    private final Name from;
    private final Name mailFrom;
    private final Name brand;
    private final List<Name> names = new ArrayList<>();
    private final Map<String, String> reasons = new LinkedHashMap<>();
    private Optional<Pass> lastPass = Optional.empty();
    /// The first one that passes and does not say how the body is read.
    private Optional<DkimResult> openSignature = Optional.empty();
    private boolean unknown;

    /// A name, and the parts of the message for which it is authenticated so far.
    private static final class Name {
        private final String in;
        private final List<String> domains;
        private Coverage coverage = Coverage.NOTHING;

        Name(String in, Stream<String> domains) {
            this.in = in;
            this.domains = domains.filter(domain -> !domain.isEmpty()).toList();
        }

        static Name of(String in, String address) {
            return new Name(in, Stream.of(MailAddress.domainOf(address)));
        }
    }

    private record Pass(Name name, String mechanism, String domain) {}

    /// @param isDecided true if further proof would not change the decision
    /// @param unavailable why the DNS cannot be queried; empty if it can
    AuthenticationAttempt(
            AuthenticationRequest request, Predicate<Covered> isDecided, DnsQueries dns, Optional<String> unavailable) {
        this.request = request;
        this.unavailable = unavailable;
        this.isDecided = isDecided;
        this.dns = dns;
        this.alignment = new Alignment(request.suffixes(), dns);
        this.from = Name.of("header:From", request.names().from());
        this.mailFrom = Name.of("envelope", request.names().mailFrom());
        this.brand = new Name("brand", request.brandDomains().stream());
        for (Name name : List.of(from, mailFrom, brand)) {
            if (!name.domains.isEmpty()) {
                names.add(name);
            }
        }
    }

    /// @param queries returns the number of DNS queries so far
    AuthenticationOutcome run(Set<String> ownDomains, Set<String> authservIds, Instant now, IntSupplier queries)
            throws IOException {
        boolean proved =
                !names.isEmpty() && (proveByLogin(ownDomains) || proveByResults(authservIds) || proveByDns(now));
        String reason = names.isEmpty() ? "from-unusable" : unavailable.orElseGet(this::reason);
        Authentication.Result result = proved
                ? Authentication.Result.PASS
                : unknown ? Authentication.Result.UNKNOWN : Authentication.Result.FAIL;
        Name reported =
                proved && lastPass.isPresent() ? lastPass.get().name() : names.isEmpty() ? from : names.getFirst();
        Authentication authentication = new Authentication(
                reported.domains.isEmpty() ? "" : reported.domains.getFirst(),
                reported.in,
                result,
                proved ? lastPass.map(Pass::mechanism).orElse("") : "",
                proved ? lastPass.map(Pass::domain).orElse("") : "",
                proved ? "" : reason,
                queries.getAsInt());
        return new AuthenticationOutcome(authentication, covered());
    }

    private String reason() {
        return reasons.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining(","));
    }

    private boolean isEnough() {
        return isDecided.test(covered());
    }

    private Covered covered() {
        return new Covered(mailFrom.coverage, from.coverage, brand.coverage);
    }

    /// Whether the domain can vouch for a name. Queries nothing.
    private boolean isRelaxed(String domain) {
        return names.stream()
                .flatMap(name -> name.domains.stream())
                .anyMatch(claimed -> alignment.isRelaxed(domain, claimed));
    }

    private void pass(Name name, String mechanism, String domain, Coverage coverage) {
        name.coverage = name.coverage.and(coverage);
        lastPass = Optional.of(new Pass(name, mechanism, domain));
    }

    private boolean proveByLogin(Set<String> ownDomains) {
        if (!request.client().loggedIn()) {
            return false;
        }
        for (Name name : names) {
            name.domains.stream()
                    .filter(domain ->
                            ownDomains.stream().anyMatch(own -> domain.equals(own) || domain.endsWith("." + own)))
                    .findFirst()
                    .ifPresent(domain -> pass(name, LOGIN, domain, Coverage.EVERYTHING));
        }
        return isEnough();
    }

    private boolean proveByResults(Set<String> authservIds) throws IOException {
        int received = request.client().results().received();
        if (received == 0 || authservIds.isEmpty()) {
            return false;
        }
        List<String> fields;
        try (InputStream message = request.message().open()) {
            fields = DkimHeader.read(message).valuesAbove("authentication-results", "received", received);
        }
        reasons.put(RESULTS, NONE);
        for (AuthenticationResults.Claim claim : AuthenticationResults.claims(fields, authservIds)) {
            boolean bySpf = claim.method().equals(SPF);
            String tag = bySpf ? "aspf" : "adkim";
            if (!claim.passes()) {
                if (isRelaxed(claim.domain())) {
                    unknown = true;
                    reasons.put(RESULTS, SpfResult.Reason.TEMPERROR.label());
                }
            } else if (vouch(RESULTS, claim.domain(), tag, bySpf ? Coverage.EVERYTHING : FROM_AND_BODY) && isEnough()) {
                return true;
            }
        }
        return false;
    }

    private boolean proveByDns(Instant now) throws IOException {
        unknown |= unavailable.isPresent();
        return unavailable.isEmpty() && (proveByDkim(now) || proveBySpf() || proveByReadings());
    }

    private boolean proveByDkim(Instant now) throws IOException {
        reasons.put(DKIM, NONE);
        List<DkimResult> results =
                new DkimVerifier(dns, now).verify(request.message(), this::isRelaxed, this::addSignature);
        return !results.isEmpty() && isEnough();
    }

    /// Adds the result of a signature. True if no further one is needed.
    private boolean addSignature(DkimResult result) {
        if (result.reason() == DkimResult.Reason.PASS) {
            Coverage signed = Coverage.ofSigned(result.signedFields(), result.bodyFixed());
            openSignature = result.bodyFixed() ? openSignature : openSignature.or(() -> Optional.of(result));
            return vouch(DKIM, result.domain(), "adkim", signed) && isEnough();
        }
        unknown |= result.reason().result() == MechanismResult.UNKNOWN;
        reasons.put(DKIM, result.reason().label());
        return false;
    }

    /// Reads the body again if nothing else is missing, and covers what is in every reading.
    private boolean proveByReadings() throws IOException {
        if (openSignature.isEmpty()
                || !isDecided.test(new Covered(
                        mailFrom.coverage.and(Coverage.BODY), from.coverage.and(Coverage.BODY), brand.coverage))) {
            return false;
        }
        DkimResult signature = openSignature.get();
        List<MessageSource> readings = BodyReadings.list(request.message(), signature.signedFields());
        return !readings.isEmpty()
                && vouch(
                        DKIM,
                        signature.domain(),
                        "adkim",
                        Coverage.of(request.rereading().findInAll(readings)))
                && isEnough();
    }

    private boolean proveBySpf() {
        String path = request.mailFrom();
        Optional<String> domain = DomainName.parse(MailAddress.domainOf(path)).map(DomainName::text);
        if (path.isEmpty() || domain.isEmpty()) {
            reasons.put(SPF, NONE);
        } else if (request.client().address().isEmpty()) {
            reasons.put(SPF, SpfResult.Reason.NO_CLIENT.label());
        } else if (!isRelaxed(domain.get())) {
            reasons.put(SPF, NOT_ALIGNED);
        } else {
            SpfResult result = new SpfCheck(dns)
                    .check(
                            request.client().address().get(),
                            path,
                            request.client().helo());
            reasons.put(SPF, result.reason().label());
            switch (result.result()) {
                case PASS -> {
                    return vouch(SPF, result.domain(), "aspf", Coverage.EVERYTHING) && isEnough();
                }
                case UNKNOWN -> unknown = true;
                case FAIL -> {}
            }
        }
        return false;
    }

    /// The best result for the domains of a name.
    private Alignment.Result compare(String domain, Name name, String tag) {
        return name.domains.contains(domain)
                ? Alignment.Result.ALIGNED
                : name.domains.stream()
                        .map(claimed -> alignment.compare(domain, claimed, tag))
                        .reduce(Alignment.Result.NOT_ALIGNED, Alignment.Result::or);
    }

    /// An authenticated domain vouches for the names that it is aligned with.
    ///
    /// @return true if more is covered than before
    private boolean vouch(String mechanism, String domain, String tag, Coverage coverage) {
        boolean coversMore = false;
        reasons.put(mechanism, NOT_ALIGNED);
        for (Name name : names) {
            switch (compare(domain, name, tag)) {
                case ALIGNED -> {
                    coversMore |= !name.coverage.and(coverage).equals(name.coverage);
                    pass(name, mechanism, domain, coverage);
                    reasons.put(mechanism, NOT_COVERED);
                }
                case UNKNOWN -> {
                    unknown = true;
                    reasons.put(mechanism, TIMEOUT);
                }
                case NOT_ALIGNED -> {}
            }
        }
        return coversMore;
    }
}
