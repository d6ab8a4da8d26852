package org.bloomgate.app.gateway.options;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bloomgate.base.config.ConfigError;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.base.config.ConfigReader;
import org.bloomgate.lists.fetch.Feed;

/// Environment variables that look like a configuration key and match none. A variable that the configuration
/// or a feed names for a secret is not reported.
final class MisspeltVariables {
    private MisspeltVariables() {}

    /// One error for each variable. The feeds are read only if there is an unknown variable.
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
        } catch (ConfigException e) {
            // a feed may use any of them; the reader of the feeds reports the error
            return List.of();
        }
        return ConfigReader.unknownVariables(others, configuration);
    }
}
