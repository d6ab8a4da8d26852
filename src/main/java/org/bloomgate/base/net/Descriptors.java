package org.bloomgate.base.net;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Fits bounds of connections to the file descriptors that the process may have, so that they do not run out however
/// many clients come.
public enum Descriptors {
    /// Each session may have a temporary file and a part of the next hop's connections.
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
        int fitting = fit(bound, mostOfProcess());
        if (fitting < bound) {
            LOG.warn(
                    "{}: {} instead of {}, as the process may have only {} file descriptors; raise LimitNOFILE or 'ulimit -n'",
                    key,
                    fitting,
                    bound,
                    mostOfProcess());
        }
        return fitting;
    }

    int fit(int bound, long descriptors) {
        return (int) Math.min(bound, Math.max(1, descriptors * percent / 100));
    }

    private static long mostOfProcess() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getMaxFileDescriptorCount()
                : Long.MAX_VALUE / 100;
    }
}
