package org.bloomgate.app.gateway;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bloomgate.base.config.ConfigError;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.base.config.ConfigReader;
import org.bloomgate.lists.fetch.Feed;

/// Environment variables that were meant for a key and name none. One that the configuration or a feed names as
/// that of a secret has its use, whatever it looks like.
final class MisspeltVariables {
    private MisspeltVariables() {}

    /// One error each. The feeds are read only where there is a doubt.
    static List<ConfigError> in(Map<String, String> environment, Configuration configuration) {
        List<ConfigError> unknown = ConfigReader.unknownVariables(environment, configuration);
        if (unknown.isEmpty()) {
            return unknown;
        }
        Map<String, String> others = new HashMap<>(environment);
        try {
            for (Feed feed : FeedsFolder.of(configuration).all().feeds()) {
                others.remove(feed.transfer().auth().env());
                others.remove(feed.confirming().keyEnv());
            }
        } catch (ConfigException unreadable) {
            // a feed may use any of them; the reader of the feeds reports the error
            return List.of();
        }
        return ConfigReader.unknownVariables(others, configuration);
    }
}
