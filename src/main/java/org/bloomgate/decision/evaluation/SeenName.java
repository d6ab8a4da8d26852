package org.bloomgate.decision.evaluation;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.MailAddress;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.decision.memory.NewLink;
import org.bloomgate.decision.memory.OtherGateways;
import org.bloomgate.decision.memory.SiteMemory;

/// What is remembered of one name; as JSON, the answer of `GET /v1/seen/NAME`.
///
/// @param name canonical: a mail address, a registrable domain or an IP address
/// @param known whether there is evidence for it as the domain of links; also for popular and allowed names
/// @param link absent if it was never seen in links
/// @param sender first day of the slot in which the site first received mail from it or wrote to it; absent if never
/// @param uncertain the parts of the memory, `links` or `senders`, that are off or still learning
/// @param gateways other ones that know the name
/// @param unanswered other gateways that did not answer
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record SeenName(
        String name,
        boolean known,
        Optional<NewLink> link,
        Optional<LocalDate> sender,
        List<String> uncertain,
        List<OtherGateways.Answer> gateways,
        List<String> unanswered) {

    /// Looks up a name in the memory of this gateway, and asks other gateways.
    ///
    /// @param text a mail address, a domain or an IP address
    /// @return empty if it is none of these, or a public suffix
    public static Optional<SeenName> find(
            String text, MessageEvaluator.History history, PublicSuffixes suffixes, OtherGateways others) {
        SiteMemory memory = history.memory();
        return MailAddress.parse(text)
                .map(MailAddress::text)
                .or(() -> findDomain(text, suffixes))
                .map(name -> {
                    OtherGateways.Answers answers = others.ask(name);
                    return new SeenName(
                            name,
                            history.popular().contains(name)
                                    || memory.links()
                                            .filter(links -> links.isKnown(name))
                                            .isPresent(),
                            memory.links().flatMap(links -> links.findSeen(name)),
                            memory.senders().flatMap(senders -> senders.findFirstSeen(name)),
                            memory.listUncertain(),
                            answers.gateways(),
                            answers.unanswered());
                });
    }

    /// The shortest key of a domain is its registrable domain.
    private static Optional<String> findDomain(String text, PublicSuffixes suffixes) {
        KeyBatch batch = new KeyBatch();
        boolean _ = new ValueKeys(suffixes, batch).add(KeyKind.DOMAIN, text);
        for (int key = batch.size() - 1; key >= 0; key--) {
            if (batch.kindCode(key) == KeyKind.DOMAIN.wireCode()) {
                return Optional.of(batch.key(key).text());
            }
        }
        return Optional.empty();
    }
}
