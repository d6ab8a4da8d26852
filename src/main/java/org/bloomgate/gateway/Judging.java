package org.bloomgate.gateway;

import org.bloomgate.lookup.LookupCounts;
import org.bloomgate.lookup.TwoTierLookup;
import org.bloomgate.message.MessageReader;
import org.bloomgate.policy.Policy;
import org.bloomgate.snapshot.UnreadableFilterLog;

/// What a configuration says of judging, made up to be used.
record Judging(TwoTierLookup lookup, Policy policy, MessageReader reader) {

    static Judging of(Configuration configuration, LookupCounts counts) {
        return new Judging(
                new TwoTierLookup(configuration.exact().deadline(), counts, new UnreadableFilterLog()),
                new Policy(configuration.policy(), configuration.exact().onUnknown()),
                new MessageReader(configuration.message()));
    }
}
