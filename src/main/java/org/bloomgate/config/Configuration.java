package org.bloomgate.config;

import java.nio.file.Path;
import org.bloomgate.message.MessageLimits;
import org.bloomgate.policy.PolicyOptions;

/// Everything `bloomgate.yaml` says, one component a section. Relative paths are relative to the working folder.
///
/// @param snapshots root of the snapshot directories
/// @param feeds the file that lists the feeds
public record Configuration(
        Path snapshots, ExactOptions exact, PolicyOptions policy, MessageLimits message, Path feeds) {

    public static Configuration defaults() {
        return new Configuration(
                Path.of("var/snapshots"),
                ExactOptions.defaults(),
                PolicyOptions.defaults(),
                MessageLimits.defaults(),
                Path.of("config/feeds.yaml"));
    }
}
