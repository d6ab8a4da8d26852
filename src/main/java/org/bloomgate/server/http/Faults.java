package org.bloomgate.server.http;

import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bloomgate.base.io.OncePerMinute;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Logs internal faults: type and stack trace of all causes, but no messages, as a message may quote the
/// request, which may contain a password.
public final class Faults {
    private static final Logger LOG = LoggerFactory.getLogger(Faults.class);
    private static final OncePerMinute TRACES = new OncePerMinute();
    private static final int MAX_CAUSES = 8;
    private static final int MAX_FRAMES = 24;

    private Faults() {}

    public static void log(String path, Throwable fault) {
        StackTraceElement[] frames = fault.getStackTrace();
        String place = path + fault.getClass().getName() + (frames.length == 0 ? "" : frames[0]);
        if (!TRACES.isDue(place, System.currentTimeMillis())) {
            LOG.error(
                    "{} failed: {} (as within the last minute)",
                    path,
                    fault.getClass().getName());
            return;
        }
        LOG.error(
                "{} failed: {}",
                path,
                Stream.iterate(fault, Faults::isPresent, Throwable::getCause)
                        .limit(MAX_CAUSES)
                        .map(Faults::places)
                        .collect(Collectors.joining("\ncaused by ")));
    }

    private static String places(Throwable fault) {
        return Stream.of(fault.getStackTrace())
                .limit(MAX_FRAMES)
                .map(frame -> "\n    at " + frame)
                .collect(Collectors.joining("", fault.getClass().getName(), ""));
    }

    private static boolean isPresent(@Nullable Throwable fault) {
        return fault != null;
    }
}
