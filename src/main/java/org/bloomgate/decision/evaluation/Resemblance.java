package org.bloomgate.decision.evaluation;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.content.mime.Mailbox;
import org.bloomgate.core.key.Identifier;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.MailAddress;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.lookalike.Brands;
import org.bloomgate.core.lookalike.LookAlike;
import org.bloomgate.core.lookalike.LookAlikes;
import org.bloomgate.core.lookalike.People;
import org.bloomgate.core.lookalike.Trick;
import org.bloomgate.decision.policy.PolicyResult;
import org.bloomgate.lookup.tier.Action;

/// An identifier in a message that imitates a protected name. Alone it has no effect: together with a first
/// contact the message is tagged.
///
/// @param value the host, or the display name
/// @param where the place for a reader
/// @param of the protected domain or person
/// @param trick label of the kind of imitation
@JsonPropertyOrder({"value", "where", "of", "trick"})
public record Resemblance(String value, String where, String of, String trick) {
    /// The place of a display name.
    static final String FROM = "header:From";

    /// The most resemblances reported for one message.
    static final int MAX_RESEMBLANCES = 10;

    /// The places where people see the author or a link.
    private static final Set<Place> VISIBLE_PLACES =
            Set.of(Place.ORIGINATOR, Place.LINK, Place.TEXT, Place.PDF, Place.QR);

    /// The resemblances in one message, in order.
    ///
    /// @param batch of the message, its header included
    /// @param from its From field
    static List<Resemblance> find(KeyBatch batch, String from, LookAlikes lookAlikes, PublicSuffixes suffixes) {
        List<Resemblance> all = new ArrayList<>();
        if (!lookAlikes.people().isEmpty()) {
            addPeople(from, lookAlikes, all);
        }
        if (!lookAlikes.isEmpty()) {
            addHosts(batch.identifiers(), lookAlikes, suffixes, all);
        }
        return List.copyOf(all);
    }

    private static void addPeople(String from, LookAlikes lookAlikes, List<Resemblance> all) {
        for (Mailbox mailbox : Mailbox.parseAll(from)) {
            String address =
                    MailAddress.parse(mailbox.address()).map(MailAddress::text).orElse(mailbox.address());
            lookAlikes
                    .people()
                    .find(mailbox.name(), address)
                    .ifPresent(like -> add(cutName(mailbox.name()), FROM, like, all));
        }
    }

    /// The resemblance of a From field that names a brand.
    static Resemblance of(String shownText, Brands.Brand brand) {
        return new Resemblance(cutName(shownText), FROM, brand.name(), Trick.BRAND.label());
    }

    /// A display name, cut to its bound.
    private static String cutName(String name) {
        return name.length() <= People.MAX_NAME_CHARS ? name : name.substring(0, People.MAX_NAME_CHARS);
    }

    private static void addHosts(
            List<Identifier> identifiers, LookAlikes lookAlikes, PublicSuffixes suffixes, List<Resemblance> all) {
        Set<String> checkedHosts = new HashSet<>();
        for (Identifier identifier : identifiers) {
            if (all.size() == MAX_RESEMBLANCES) {
                return;
            }
            if (VISIBLE_PLACES.contains(identifier.place())) {
                findHost(identifier)
                        .filter(checkedHosts::add)
                        .ifPresent(host -> lookAlikes
                                .find(host, suffixes)
                                .ifPresent(like -> add(host, identifier.where(), like, all)));
            }
        }
    }

    private static void add(String value, String where, LookAlike like, List<Resemblance> all) {
        if (all.size() < MAX_RESEMBLANCES) {
            all.add(new Resemblance(value, where, like.of(), like.trick().label()));
        }
    }

    /// Returns the host name of an identifier; empty if it has none.
    private static Optional<String> findHost(Identifier identifier) {
        String value = identifier.value();
        String host = switch (identifier.kind()) {
            case ADDRESS -> MailAddress.domainOf(value);
            case URL -> findHostOfUrl(value);
            case DOMAIN -> value;
            default -> "";
        };
        return host.isEmpty() || host.startsWith("[") ? Optional.empty() : Optional.of(host);
    }

    /// The host of a URL in canonical form, which has no userinfo.
    private static String findHostOfUrl(String url) {
        int from = url.indexOf("://") + "://".length();
        int to = from;
        while (to < url.length() && url.charAt(to) != '/' && (url.charAt(to) != ':' || url.charAt(from) == '[')) {
            to++;
        }
        return url.substring(from, to);
    }

    /// Returns the policy result of this resemblance on a first contact.
    PolicyResult onFirstContact() {
        return new PolicyResult(Action.TAG, List.of(), "looks like " + of + " (" + trick + ") on first contact");
    }

    /// Returns the resemblance as one line.
    String text() {
        return value + " at " + where + " looks like " + of + " (" + trick + ")";
    }
}
