package org.bloomgate.app.gateway.options;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.bloomgate.base.config.NotASetting;
import org.bloomgate.base.config.RequiresRestart;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.decision.memory.GroupOptions;
import org.bloomgate.decision.memory.SiteMemory;

/// The `memory` section of the configuration.
///
/// @param links whether the domains of links in delivered messages are remembered
/// @param senders whether the senders of earlier mail are remembered for each recipient
/// @param groups of gateways that exchange both; at most one
/// @param folder of both, as keyed digests
public record MemoryOptions(
        @RequiresRestart boolean links,
        @RequiresRestart boolean senders,
        @RequiresRestart List<GroupOptions> groups,
        @NotASetting Path folder) {
    public MemoryOptions {
        groups = List.copyOf(groups);
    }

    /// @param state folder of all state
    public static MemoryOptions defaults(Path state) {
        return new MemoryOptions(false, false, List.of(), state.resolve("memory"));
    }

    public List<String> problems() {
        return groups.size() > 1 ? List.of("groups: more than one group") : List.of();
    }

    /// The gateways of the site.
    public Optional<GroupOptions> group() {
        return groups.stream().findFirst();
    }

    /// What is remembered, by a gateway of this name.
    public SiteMemory.Options use(String gateway) {
        return new SiteMemory.Options(links, senders, TextForms.lowerCase(gateway), group().flatMap(GroupOptions::key));
    }
}
