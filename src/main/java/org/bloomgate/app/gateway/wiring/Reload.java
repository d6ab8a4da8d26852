package org.bloomgate.app.gateway.wiring;

import java.io.IOException;
import java.util.List;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.app.gateway.options.ConfigurationSource;
import org.bloomgate.app.gateway.options.ZoneFeeds;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.lists.fetch.Feeds;
import org.jline.utils.Signals;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads the configuration of a running service again. The errors of an invalid one are logged, and the
/// previous one stays in use.
public record Reload(ConfigurationSource source, Running service) {
    private static final Logger LOG = LoggerFactory.getLogger(Reload.class);

    /// A service that can apply another configuration while it runs, completely or not at all.
    interface Running {
        /// @return the keys whose new value needs a restart
        /// @throws ConfigException if it cannot be used, with every reason
        /// @throws IOException if something that it names cannot be opened
        List<String> reload(Configuration next, ConfigurationSource source) throws ConfigException, IOException;

        /// Called after each attempt.
        ///
        /// @param applied whether the new configuration is in use
        void reloadEnded(boolean applied);
    }

    /// Reloads at every SIGHUP from now on. JLine registers the handler, as the JDK has no supported API for signals.
    public void onHangup() {
        Object _ = Signals.register("HUP", this::now);
    }

    public void now() {
        try {
            Configuration next = source.read();
            Feeds feeds = source.feedsOf(next);
            ZoneFeeds.check(source, next, feeds);
            Rebuilds.check(source, next, feeds);
            List<String> keysAwaitingRestart = service.reload(next, source);
            service.reloadEnded(true);
            LOG.info("{} read again and in force", source.file());
            if (!keysAwaitingRestart.isEmpty()) {
                LOG.warn("changed settings that need a restart: {}", String.join(", ", keysAwaitingRestart));
            }
        } catch (ConfigException e) {
            e.errors().forEach(error -> LOG.error("{}", error));
            service.reloadEnded(false);
            LOG.error("{} refused; the configuration read before stays in force", source.file());
        } catch (IOException | RuntimeException e) {
            service.reloadEnded(false);
            LOG.error("{} refused, the configuration read before stays in force: {}", source.file(), e.toString());
        }
    }
}
