package org.bloomgate.app.gateway.options;

import org.bloomgate.base.config.RequiresRestart;

/// The `gateway` section of the configuration.
///
/// @param rebuild whether the gateway starts due rebuilds in a child process
public record GatewayOptions(@RequiresRestart boolean rebuild) {
    public static GatewayOptions defaults() {
        return new GatewayOptions(false);
    }
}
