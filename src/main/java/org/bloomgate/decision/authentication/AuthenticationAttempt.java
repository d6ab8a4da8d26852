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
import java.util.function.BiPredicate;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import org.bloomgate.core.url.DomainName;

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
    private final BiPredicate<Coverage, Coverage> enough;
    private final DnsQueries dns;
    private final Optional<String> unavailable;
    private final Alignment alignment;
    private final Name from;
    private final Name mailFrom;
    private final List<Name> names = new ArrayList<>();
    private final Map<String, String> reasons = new LinkedHashMap<>();
    private Optional<Passed> last = Optional.empty();
    private boolean unknown;

    /// A name with what it is authenticated for so far.
    private static final class Name {
        private final String in;
        private final String domain;
        private Coverage coverage = Coverage.NOTHING;

        Name(String in, String address) {
            this.in = in;
            this.domain = address.substring(address.lastIndexOf('@') + 1);
        }
    }

    private record Passed(Name name, String mechanism, String domain) {}

    /// @param enough whether the decision no longer depends on more proof
    /// @param unavailable why the DNS cannot be queried; empty if it can
    AuthenticationAttempt(
            AuthenticationRequest request,
            BiPredicate<Coverage, Coverage> enough,
            DnsQueries dns,
            Optional<String> unavailable) {
        this.request = request;
        this.unavailable = unavailable;
        this.enough = enough;
        this.dns = dns;
        this.alignment = new Alignment(request.suffixes(), dns);
        this.from = new Name("header:From", request.names().from());
        this.mailFrom = new Name("envelope", request.names().mailFrom());
        for (Name name : List.of(from, mailFrom)) {
            if (!name.domain.isEmpty()) {
                names.add(name);
            }
        }
    }

    /// @param queries counts those that were made
    AuthenticationOutcome run(Set<String> ownDomains, Set<String> authservIds, Instant now, IntSupplier queries)
            throws IOException {
        boolean proved = !names.isEmpty() && (byLogin(ownDomains) || byResults(authservIds) || byDns(now));
        String reason = names.isEmpty() ? "from-unusable" : unavailable.orElseGet(this::reason);
        Authentication.Result result = proved
                ? Authentication.Result.PASS
                : unknown ? Authentication.Result.UNKNOWN : Authentication.Result.FAIL;
        Name shown = proved && last.isPresent() ? last.get().name() : names.isEmpty() ? from : names.getFirst();
        Authentication authentication = new Authentication(
                shown.domain,
                shown.in,
                result,
                proved ? last.map(Passed::mechanism).orElse("") : "",
                proved ? last.map(Passed::domain).orElse("") : "",
                proved ? "" : reason,
                queries.getAsInt());
        return new AuthenticationOutcome(authentication, mailFrom.coverage, from.coverage);
    }

    private String reason() {
        return reasons.entrySet().stream()
                .map(one -> one.getKey() + "=" + one.getValue())
                .collect(Collectors.joining(","));
    }

    private boolean isEnough() {
        return enough.test(mailFrom.coverage, from.coverage);
    }

    private void pass(Name name, String mechanism, String domain, Coverage coverage) {
        name.coverage = name.coverage.and(coverage);
        last = Optional.of(new Passed(name, mechanism, domain));
    }

    private boolean byLogin(Set<String> ownDomains) {
        if (!request.client().loggedIn()) {
            return false;
        }
        for (Name name : names) {
            if (ownDomains.stream().anyMatch(own -> name.domain.equals(own) || name.domain.endsWith("." + own))) {
                pass(name, LOGIN, name.domain, Coverage.EVERYTHING);
            }
        }
        return isEnough();
    }

    private boolean byResults(Set<String> authservIds) throws IOException {
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
                if (names.stream().anyMatch(name -> alignment.relaxed(claim.domain(), name.domain))) {
                    unknown = true;
                    reasons.put(RESULTS, SpfResult.Reason.TEMPERROR.label());
                }
            } else if (vouch(RESULTS, claim.domain(), tag, bySpf ? Coverage.EVERYTHING : FROM_AND_BODY) && isEnough()) {
                return true;
            }
        }
        return false;
    }

    private boolean byDns(Instant now) throws IOException {
        unknown |= unavailable.isPresent();
        return unavailable.isEmpty() && (byDkim(now) || bySpf());
    }

    private boolean byDkim(Instant now) throws IOException {
        reasons.put(DKIM, NONE);
        List<DkimResult> results = new DkimVerifier(dns, now)
                .verify(
                        request.message(),
                        domain -> names.stream().anyMatch(name -> alignment.relaxed(domain, name.domain)),
                        this::takeSignature);
        return !results.isEmpty() && isEnough();
    }

    /// Returns whether no further signature is needed.
    private boolean takeSignature(DkimResult result) {
        if (result.reason() == DkimResult.Reason.PASS) {
            Coverage signed = Coverage.ofSigned(result.signedFields(), result.bodyFixed());
            return vouch(DKIM, result.domain(), "adkim", signed) && isEnough();
        }
        unknown |= result.reason().result() == MechanismResult.UNKNOWN;
        reasons.put(DKIM, result.reason().label());
        return false;
    }

    private boolean bySpf() {
        String path = request.mailFrom();
        Optional<String> domain =
                DomainName.parse(path.substring(path.lastIndexOf('@') + 1)).map(DomainName::text);
        if (path.isEmpty() || domain.isEmpty()) {
            reasons.put(SPF, NONE);
        } else if (request.client().address().isEmpty()) {
            reasons.put(SPF, SpfResult.Reason.NO_CLIENT.label());
        } else if (names.stream().noneMatch(name -> alignment.relaxed(domain.get(), name.domain))) {
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

    /// An authenticated domain vouches for the names that it is aligned with.
    ///
    /// @return whether more is covered than before
    private boolean vouch(String mechanism, String domain, String tag, Coverage coverage) {
        boolean more = false;
        reasons.put(mechanism, NOT_ALIGNED);
        for (Name name : names) {
            switch (alignment.of(domain, name.domain, tag)) {
                case ALIGNED -> {
                    more |= !name.coverage.and(coverage).equals(name.coverage);
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
        return more;
    }
}
