package org.bloomgate.lookup.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import java.net.ConnectException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.bloomgate.lookup.tier.UnknownReason;
import org.junit.jupiter.api.Test;

class RedisFaultTest {
    private static Throwable refused() {
        return new RedisConnectionException(
                "Unable to connect to 192.0.2.1/<unresolved>:6379", new ConnectException("Connection refused"));
    }

    private static UnknownReason reason(Throwable cause) {
        assertEquals(RedisFault.reason(cause), RedisFault.reason(new ExecutionException(cause)));
        return RedisFault.reason(cause);
    }

    @Test
    void everyFaultHasItsReason() {
        assertEquals(UnknownReason.REFUSED, reason(refused()));
        assertEquals(UnknownReason.TIMEOUT, reason(new TimeoutException()));
        assertEquals(UnknownReason.CLOSED, reason(new CancellationException()));
        assertEquals(UnknownReason.BAD_STATUS, reason(new RedisCommandExecutionException("WRONGTYPE no hash")));
        assertEquals(UnknownReason.UNREACHABLE, reason(new RedisException("Connection closed")));
    }

    @Test
    void serverThatIsKnownToBeAwayIsNoFault() {
        assertEquals(
                UnknownReason.SERVER_AWAY,
                reason(new RedisException("Currently not connected. Commands are rejected.")));
        assertEquals(
                UnknownReason.SERVER_AWAY,
                reason(new RedisCommandExecutionException("CLUSTERDOWN Hash slot not served")));
    }

    @Test
    void wordsNameTheServerAndTheReason() {
        assertEquals(
                "Unable to connect to 192.0.2.1/<unresolved>:6379: Connection refused", RedisFault.inWords(refused()));
        assertEquals(
                "Connection refused: /192.0.2.2:1",
                RedisFault.inWords(
                        new RedisException(
                                "Cannot retrieve partitions\n\nDetails:\n\t[redis://192.0.2.2]: Connection refused: /192.0.2.2:1\n")));
        assertEquals("TimeoutException", RedisFault.inWords(new ExecutionException(new TimeoutException())));
    }
}
