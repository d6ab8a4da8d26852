package org.bloomgate.lookup.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import java.net.ConnectException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.bloomgate.lookup.tier.UnknownReason;

/// Classifies failed commands.
final class RedisFault {
    private RedisFault() {}

    /// A server known to be absent is not a fault for the breaker: it costs no waiting, and the others have
    /// their keys.
    static UnknownReason reason(Throwable fault) {
        if (isRefusedByUs(fault) || isClusterDown(fault)) {
            return UnknownReason.SERVER_AWAY;
        }
        return switch (unwrapped(fault)) {
            case TimeoutException _, RedisCommandTimeoutException _ -> UnknownReason.TIMEOUT;
            case RedisCommandExecutionException _ -> UnknownReason.BAD_STATUS;
            case CancellationException _ -> UnknownReason.CLOSED;
            case Throwable other -> isRefused(other) ? UnknownReason.REFUSED : UnknownReason.UNREACHABLE;
        };
    }

    /// The innermost message, of several the last: Lettuce wraps "Connection refused" twice, and lists all servers
    /// tried.
    static String inWords(Throwable fault) {
        if (isRefusedByUs(fault)) {
            return "a server of the cluster is away";
        }
        Throwable innermost = unwrapped(fault);
        while (innermost.getCause() != null) {
            innermost = innermost.getCause();
        }
        String message = innermost.getMessage();
        String words = message == null || message.isBlank()
                ? innermost.getClass().getSimpleName()
                : message.strip().lines().toList().getLast().replaceFirst("^\\s*\\[.*]: ", "");
        String outermost = String.valueOf(unwrapped(fault).getMessage());
        return outermost.startsWith("Unable to connect to") ? outermost + ": " + words : words;
    }

    /// True if the command was not sent because there is no connection to its server yet.
    static boolean isRefusedByUs(Throwable fault) {
        return String.valueOf(unwrapped(fault).getMessage()).contains("Commands are rejected");
    }

    private static boolean isClusterDown(Throwable fault) {
        return String.valueOf(unwrapped(fault).getMessage()).startsWith("CLUSTERDOWN");
    }

    private static boolean isRefused(Throwable fault) {
        for (Throwable cause = fault; cause != null; cause = cause.getCause()) {
            if (cause instanceof ConnectException) {
                return true;
            }
        }
        return false;
    }

    private static Throwable unwrapped(Throwable fault) {
        boolean wraps = fault instanceof ExecutionException || fault instanceof CompletionException;
        Throwable cause = fault.getCause();
        return wraps && cause != null ? cause : fault;
    }
}
