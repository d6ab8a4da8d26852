package org.bloomgate.decision.evaluation;

import java.util.List;
import java.util.Optional;
import org.bloomgate.base.io.Token;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.MailAddress;
import org.bloomgate.decision.journal.Decision;
import org.bloomgate.decision.journal.Decision.RecordedFinding;
import org.bloomgate.decision.journal.DecisionJournal;
import org.bloomgate.lookup.local.EntryRefusedException;
import org.bloomgate.lookup.local.EntryService.WrongListing;

/// Finds the listing that decided a message wrongly: the key that decided, the feed that lists it and the domains of
/// the recipients.
public final class FalsePositive {
    /// The most recipient domains of an exception; for a message to more domains it is for all recipients.
    static final int MAX_DOMAINS = 10;

    private FalsePositive() {}

    /// @param token of the decision
    /// @throws EntryRefusedException when the journal has no such decision, or no listing decided the message
    public static WrongListing find(String token, DecisionJournal journal) throws EntryRefusedException {
        Decision decision = Token.parse(token)
                .flatMap(journal::find)
                .orElseThrow(() -> new EntryRefusedException("no such decision in the journal"));
        return findIn(decision);
    }

    /// @throws EntryRefusedException when no listing decided the message
    public static WrongListing findIn(Decision decision) throws EntryRefusedException {
        RecordedFinding decisive = findDecisive(decision)
                .orElseThrow(
                        () -> new EntryRefusedException("no listing of a feed decided message " + decision.token()));
        Key key = decisive.listed()
                .orElseThrow(() -> new EntryRefusedException(
                        "the key that decided message " + decision.token() + " is not known in full"));
        return new WrongListing(decision.token(), key, decisive.feed(), findDomains(decision));
    }

    private static Optional<RecordedFinding> findDecisive(Decision decision) {
        List<RecordedFinding> listed = decision.content().lookup().found().stream()
                .filter(found ->
                        found.verdict().equals("listed") && !found.feed().isEmpty())
                .toList();
        return listed.stream()
                .filter(found -> found.feed().equals(decision.outcome().feed())
                        && found.value().equals(decision.outcome().value()))
                .findFirst()
                .or(() -> listed.stream().findFirst());
    }

    private static List<String> findDomains(Decision decision) {
        List<String> domains = decision.envelope().recipients().stream()
                .filter(path -> path.indexOf('@') >= 0)
                .map(MailAddress::domainOf)
                .distinct()
                .toList();
        return domains.size() > MAX_DOMAINS ? List.of() : domains;
    }
}
