package org.bloomgate.app.gateway.options;

import java.nio.file.Path;
import org.bloomgate.base.config.NotASetting;
import org.bloomgate.base.config.RequiresRestart;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.decision.memory.GroupOptions;
import org.bloomgate.decision.memory.SiteMemory;

/// The `memory` section of the configuration.
///
/// @param links whether the domains of links in delivered messages are remembered
/// @param senders whether the senders of earlier mail are remembered for each recipient
/// @param group of gateways that exchange both
/// @param folder of both, as keyed digests
public record MemoryOptions(
        @RequiresRestart boolean links,
        @RequiresRestart boolean senders,
        @RequiresRestart GroupOptions group,
        @NotASetting Path folder) {

    /// @param state folder of all state
    public static MemoryOptions defaults(Path state) {
        return new MemoryOptions(false, false, GroupOptions.defaults(), state.resolve("memory"));
    }

    /// What is remembered, by a gateway of this name.
    public SiteMemory.Options use(String gateway) {
        return new SiteMemory.Options(links, senders, TextForms.lowerCase(gateway), group.key());
    }
}
