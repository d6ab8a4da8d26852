package org.bloomgate.decision.evaluation;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.bloomgate.content.mime.Mailbox;
import org.bloomgate.core.key.MailAddress;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.lookalike.Brands;
import org.bloomgate.core.lookalike.Trick;
import org.bloomgate.core.url.DomainName;
import org.bloomgate.decision.policy.PolicyResult;
import org.bloomgate.lookup.tier.Action;

/// The check of brands in From.
///
/// @param action for a message that names a brand and is not authenticated as it; [Action#PASS] only reports it
public record BrandCheck(Brands brands, Action action) {
    public static final BrandCheck NONE = new BrandCheck(Brands.NONE, Action.PASS);

    /// A brand that From names, though its addresses are not the brand's.
    ///
    /// @param brand with the domains that prove the sender
    record Naming(Resemblance resemblance, Brands.Brand brand) {}

    /// @param from the field, undecoded
    /// @param recipients mailboxes, whose domains count as brands
    Optional<Naming> find(String from, List<String> recipients, PublicSuffixes suffixes) {
        if (brands.isEmpty()) {
            return Optional.empty();
        }
        List<Mailbox> mailboxes = Mailbox.parseAll(from);
        String text = Mailbox.shownText(from, mailboxes);
        return brands.find(
                        text,
                        mailboxes.stream()
                                .map(mailbox -> domain(mailbox.address()))
                                .collect(Collectors.toSet()),
                        recipients.stream()
                                .map(BrandCheck::domain)
                                .distinct()
                                .limit(Brands.MAX_RECIPIENTS)
                                .toList(),
                        suffixes)
                .map(brand -> new Naming(Resemblance.of(text, brand), brand));
    }

    private static String domain(String address) {
        String domain = MailAddress.domainOf(address);
        return DomainName.parse(domain).map(DomainName::text).orElse(domain);
    }

    /// The result on a brand: at most a tag if nobody knows whether the sender is it.
    ///
    /// @param isUnknown whether a query for the proof of the sender failed
    PolicyResult rule(Naming naming, boolean isUnknown) {
        String reason = "looks like " + naming.brand().name() + " (" + Trick.BRAND.label() + ")";
        return isUnknown
                ? new PolicyResult(action.atMost(Action.TAG), List.of(), reason + ", sender unknown")
                : new PolicyResult(action, List.of(), reason);
    }
}
