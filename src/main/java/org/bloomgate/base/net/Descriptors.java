package org.bloomgate.base.net;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Limits numbers of connections to the file descriptors that the process may have, so that these do not run
/// out however many clients connect.
public enum Descriptors {
    /// Each session may also need a temporary file and a share of the connections to the next hop.
    SMTP(45),
    HTTP(20);

    private static final Logger LOG = LoggerFactory.getLogger(Descriptors.class);

    private final int percent;

    Descriptors(int percent) {
        this.percent = percent;
    }

    /// @param key of the configuration, for the log
    /// @return the bound, or a lower one that fits
    public int fit(String key, int bound) {
        int fitting = fit(bound, readProcessLimit());
        if (fitting < bound) {
            LOG.warn(
                    "{}: {} instead of {}, as the process may have only {} file descriptors; raise LimitNOFILE or 'ulimit -n'",
                    key,
                    fitting,
                    bound,
                    readProcessLimit());
        }
        return fitting;
    }

    int fit(int bound, long descriptors) {
        return (int) Math.min(bound, Math.max(1, descriptors * percent / 100));
    }

    private static long readProcessLimit() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getMaxFileDescriptorCount()
                : Long.MAX_VALUE / 100;
    }
}
