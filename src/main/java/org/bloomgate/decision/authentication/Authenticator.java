package org.bloomgate.decision.authentication;

import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import org.bloomgate.core.key.MailAddress;
import org.bloomgate.decision.authentication.AuthenticationDns.OfMessage;
import org.bloomgate.decision.authentication.AuthenticationOutcome.Covered;
import org.bloomgate.lookup.dns.DnsReply;

/// Authenticates the sender that a message names. The mechanisms are tried in this order until the decision no longer
/// depends on the sender: a login, the results of a trusted hop, DKIM, SPF. Thread-safe.
public final class Authenticator {
    private final AuthenticationOptions options;
    private final Set<String> ownDomains;
    private final Optional<AuthenticationDns> dns;
    private final InstantSource clock;

    /// @param ownDomains lower-case, whose users log in here, with all names below them
    public Authenticator(
            AuthenticationOptions options, Set<String> ownDomains, AuthenticationDns dns, InstantSource clock) {
        this(options, ownDomains, Optional.of(dns), clock);
    }

    private Authenticator(
            AuthenticationOptions options,
            Set<String> ownDomains,
            Optional<AuthenticationDns> dns,
            InstantSource clock) {
        this.options = options;
        this.ownDomains = Set.copyOf(ownDomains);
        this.dns = dns;
        this.clock = clock;
    }

    /// The same without DNS queries: a mechanism that needs them is unknown, with the reason `no-dns`.
    public Authenticator offline() {
        return new Authenticator(options, ownDomains, Optional.empty(), clock);
    }

    /// An authenticator without a configuration that queries nothing.
    public static Authenticator withoutDns() {
        return new Authenticator(AuthenticationOptions.defaults(), Set.of(), Optional.empty(), InstantSource.system());
    }

    /// True if an unknown result turns a permanent rejection into a temporary one.
    public boolean defersUnknown() {
        return options.onUnknown() == AuthenticationOptions.OnUnknown.DEFER;
    }

    /// Authenticates the names of a message. Waits for the DNS, at most for the configured time.
    ///
    /// @param isDecided true if further proof would not change the decision
    /// @throws IOException only when the message cannot be read
    public AuthenticationOutcome authenticate(AuthenticationRequest request, Predicate<Covered> isDecided)
            throws IOException {
        Optional<OfMessage> queries =
                dns.flatMap(shared -> shared.open(request.suffixes(), domain(request), options.deadline()));
        if (queries.isEmpty()) {
            String why = dns.isEmpty() ? "no-dns" : "bound";
            DnsQueries none = (_, _) -> new DnsReply.Failed(DnsReply.Cause.BOUND, why);
            return run(new AuthenticationAttempt(request, isDecided, none, Optional.of(why)), () -> 0);
        }
        try (OfMessage open = queries.get()) {
            return run(new AuthenticationAttempt(request, isDecided, open, Optional.empty()), open::queries);
        }
    }

    private static String domain(AuthenticationRequest request) {
        String from = request.names().from();
        String address = from.isEmpty() ? request.mailFrom() : from;
        return MailAddress.domainOf(address);
    }

    private AuthenticationOutcome run(AuthenticationAttempt attempt, IntSupplier queries) throws IOException {
        return attempt.run(ownDomains, Set.copyOf(options.authservIds()), clock.instant(), queries);
    }
}
