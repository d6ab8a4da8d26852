package org.bloomgate.server.milter;

import java.util.List;
import java.util.Optional;
import org.bloomgate.base.config.RequiresRestart;
import org.bloomgate.base.net.Network;

/// The `milter` section of the configuration.
///
/// @param listen the address of the milter; empty disables it
public record MilterOptions(@RequiresRestart Optional<MilterAddress> listen) {

    /// @throws IllegalArgumentException if everybody could connect
    public void check(List<Network> clientNetworks) {
        try {
            listen.ifPresent(address -> address.check(clientNetworks));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("milter." + e.getMessage(), e);
        }
    }

    public static MilterOptions defaults() {
        return new MilterOptions(Optional.empty());
    }
}
