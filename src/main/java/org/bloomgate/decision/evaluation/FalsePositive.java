package org.bloomgate.decision.evaluation;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.bloomgate.base.io.Token;
import org.bloomgate.core.key.Key;
import org.bloomgate.decision.journal.Decision;
import org.bloomgate.decision.journal.Decision.Found;
import org.bloomgate.decision.journal.DecisionJournal;
import org.bloomgate.lookup.local.EntryRefusedException;
import org.bloomgate.lookup.local.EntryText;
import org.bloomgate.lookup.tier.Entry;

/// The exceptions that let mail like a decided one through: of the key that decided, for the feed that lists it and
/// for the domains of the recipients.
public final class FalsePositive {
    /// A mail to more domains than this is excepted for everybody.
    static final int MAX_DOMAINS = 10;

    private FalsePositive() {}

    /// The same by the token of a decision.
    ///
    /// @throws EntryRefusedException also when the journal has no such decision
    public static List<Entry> exceptions(String token, DecisionJournal journal, EntryText terms, Instant now)
            throws EntryRefusedException {
        Decision decision = Token.parse(token)
                .flatMap(journal::find)
                .orElseThrow(() -> new EntryRefusedException("no such decision in the journal"));
        return exceptions(decision, terms, now);
    }

    /// @param terms reason, expiry and author of the exceptions; its other fields are not used
    /// @throws EntryRefusedException when no listing decided the message
    public static List<Entry> exceptions(Decision decision, EntryText terms, Instant now) throws EntryRefusedException {
        Found found = decisive(decision)
                .orElseThrow(() -> new EntryRefusedException("no feed's listing stood against " + decision.token()));
        Key key = found.listed()
                .orElseThrow(() -> new EntryRefusedException(
                        "the key that stood against " + decision.token() + " is not known in full"));
        String reason = terms.reason().isEmpty() ? "false positive" : terms.reason();
        List<Entry> exceptions = new ArrayList<>();
        for (String domain : domains(decision)) {
            EntryText text = new EntryText(
                    key.kind().label(),
                    key.text(),
                    terms.match(),
                    found.feed(),
                    "",
                    domain,
                    reason + ", mail " + decision.token(),
                    terms.expires(),
                    terms.author());
            exceptions.add(text.entry(Entry.Type.EXCEPTION, now).takingBack(decision.token()));
        }
        return exceptions;
    }

    private static Optional<Found> decisive(Decision decision) {
        List<Found> listed = decision.content().lookup().found().stream()
                .filter(found ->
                        found.verdict().equals("listed") && !found.feed().isEmpty())
                .toList();
        return listed.stream()
                .filter(found -> found.feed().equals(decision.outcome().feed())
                        && found.value().equals(decision.outcome().value()))
                .findFirst()
                .or(() -> listed.stream().findFirst());
    }

    private static List<String> domains(Decision decision) {
        List<String> domains = decision.envelope().recipients().stream()
                .filter(path -> path.indexOf('@') >= 0)
                .map(path -> path.substring(path.lastIndexOf('@') + 1))
                .distinct()
                .toList();
        return domains.isEmpty() || domains.size() > MAX_DOMAINS ? Stream.of("").toList() : domains;
    }
}
