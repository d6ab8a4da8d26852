package org.bloomgate.app.gateway.wiring;

import java.util.List;
import java.util.Set;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.app.gateway.options.ConfigurationSource;
import org.bloomgate.app.gateway.options.ProtectOptions;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.core.lookalike.Brands;
import org.bloomgate.core.lookalike.LookAlikes;
import org.bloomgate.core.lookalike.People;
import org.bloomgate.decision.evaluation.BrandCheck;
import org.bloomgate.lists.format.AllowList;
import org.bloomgate.lookup.tier.Action;

/// Reads the names that senders must not imitate. Popular sites and allowed names are never reported as
/// look-alikes.
public final class ProtectedNames {
    private ProtectedNames() {}

    /// Reads no file while nothing is protected.
    ///
    /// @throws ConfigException when the file of feeds, or one that it names, cannot be used
    public static LookAlikes read(Configuration configuration) throws ConfigException {
        ProtectOptions options = configuration.protect();
        People people = new People(options.people());
        return options.names().isEmpty()
                ? new LookAlikes(List.of(), people, List.of())
                : new LookAlikes(options.names(), people, allowed(configuration).names());
    }

    /// The brands to be searched; none if they are off.
    public static BrandCheck brands(ProtectOptions options) {
        return switch (options.brands()) {
            case OFF -> BrandCheck.NONE;
            case REPORT -> brands(options, Action.PASS);
            case TAG -> brands(options, Action.TAG);
            case QUARANTINE -> brands(options, Action.QUARANTINE);
        };
    }

    private static BrandCheck brands(ProtectOptions options, Action action) {
        return new BrandCheck(Brands.shippedWith(options.names()), action);
    }

    /// Popular sites and allowed names, which are never new; empty if no links are remembered.
    ///
    /// @throws ConfigException as of [#read]
    static Set<String> popular(Configuration configuration) throws ConfigException {
        return configuration.memory().links() ? allowed(configuration).names() : Set.of();
    }

    private static AllowList allowed(Configuration configuration) throws ConfigException {
        return Rebuilding.allowList(ConfigurationSource.feedsIfThere(configuration), configuration.feeds());
    }
}
