package org.bloomgate.lookup.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.lettuce.core.KeyValue;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lookup.store.FeedDictionary;
import org.bloomgate.lookup.tier.ExactAnswer;
import org.bloomgate.lookup.tier.UnknownReason;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.stubbing.OngoingStubbing;

/// A client whose commands fail, are late or cannot be sent: what a real server shows once in a thousand runs.
@SuppressWarnings({"unchecked", "FutureReturnValueIgnored"})
class RedisFailureTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String GENERATION = "20260102T030405Z-1";
    private static final long ENTRIES = 7;
    private static final Key ONE = new Key(KeyKind.DOMAIN, "one.example");
    private static final Key OTHER = new Key(KeyKind.DOMAIN, "other.example");
    private static final ExactAnswer NOT_LISTED = new ExactAnswer.NotListed();

    private final RedisClusterAsyncCommands<byte[], byte[]> commands = mock();
    private final RedisConnection connection = mock();
    private RedisExactLookup lookup;

    @BeforeEach
    void connect() throws Exception {
        RedisFuture<byte[]> header = done(header(ENTRIES));
        RedisFuture<List<KeyValue<byte[], byte[]>>> absent = absent();
        RedisFuture<Long> fields = done(1L);
        when(commands.hlen(any())).thenReturn(fields);
        when(connection.commands()).thenReturn(Optional.of(commands));
        when(connection.prefix()).thenReturn("test");
        when(commands.get(any())).thenReturn(header);
        whenFieldsAreRead().thenReturn(absent);
        lookup = new RedisExactLookup(connection, "nightly", GENERATION, ENTRIES);
    }

    private OngoingStubbing<RedisFuture<List<KeyValue<byte[], byte[]>>>> whenFieldsAreRead() {
        return when(commands.hmget(any(byte[].class), any(byte[].class), any(byte[].class)));
    }

    @Test
    void commandThatTimesOut_affectsItsKeyOnly() throws Exception {
        RedisFuture<List<KeyValue<byte[], byte[]>>> never = failing(new TimeoutException());
        RedisFuture<List<KeyValue<byte[], byte[]>>> absent = absent();
        whenFieldsAreRead().thenReturn(never, absent);
        assertEquals(List.of(UnknownReason.TIMEOUT.answer(), NOT_LISTED), lookup.lookup(List.of(ONE, OTHER), LONG));
        verify(never).cancel(true);
    }

    @Test
    void absentField_inABucketWithAWrongCount_isUnknown() throws Exception {
        for (long there : new long[] {0, 2}) {
            RedisFuture<Long> fields = done(there);
            when(commands.hlen(any())).thenReturn(fields);
            assertEquals(List.of(UnknownReason.NO_DATA.answer()), lookup.lookup(List.of(ONE), LONG));
        }
        RedisFuture<Long> late = failing(new TimeoutException());
        when(commands.hlen(any())).thenReturn(late);
        assertEquals(List.of(UnknownReason.TIMEOUT.answer()), lookup.lookup(List.of(ONE), LONG));
    }

    @Test
    void bucketWithMarkerOnly_isNotListed() throws Exception {
        RedisFuture<List<KeyValue<byte[], byte[]>>> old =
                done(List.of(KeyValue.just(BucketField.MARKER, bytes(GENERATION)), KeyValue.empty(bytes("k"))));
        RedisFuture<Long> fields = done(0L);
        when(commands.hlen(any())).thenReturn(fields);
        whenFieldsAreRead().thenReturn(old);
        assertEquals(List.of(NOT_LISTED), lookup.lookup(List.of(ONE), LONG));
    }

    @Test
    void errorOfTheServer_affectsItsKeyOnly() throws Exception {
        RedisFuture<List<KeyValue<byte[], byte[]>>> refused =
                failing(new ExecutionException(new RedisCommandExecutionException("LOADING dataset in memory")));
        RedisFuture<List<KeyValue<byte[], byte[]>>> absent = absent();
        whenFieldsAreRead().thenReturn(refused, absent);
        assertEquals(List.of(UnknownReason.BAD_STATUS.answer(), NOT_LISTED), lookup.lookup(List.of(ONE, OTHER), LONG));
    }

    @Test
    void commandThatCannotBeSent_affectsItsKeyOnly() throws Exception {
        RedisFuture<List<KeyValue<byte[], byte[]>>> absent = absent();
        whenFieldsAreRead().thenThrow(new RedisException("Connection closed")).thenReturn(absent);
        assertEquals(List.of(UnknownReason.UNREACHABLE.answer(), NOT_LISTED), lookup.lookup(List.of(ONE, OTHER), LONG));
    }

    @Test
    void interruptedWait_isUnknownAndStaysInterrupted() throws Exception {
        RedisFuture<List<KeyValue<byte[], byte[]>>> waited = failing(new InterruptedException());
        whenFieldsAreRead().thenReturn(waited);
        assertEquals(List.of(UnknownReason.CLOSED.answer()), lookup.lookup(List.of(ONE), LONG));
        assertTrue(Thread.interrupted());
    }

    @Test
    void absentFieldWithoutMarker_isUnknown() throws Exception {
        RedisFuture<List<KeyValue<byte[], byte[]>>> half = done(List.of(KeyValue.empty(bytes("k"))));
        whenFieldsAreRead().thenReturn(half);
        assertEquals(List.of(UnknownReason.BAD_ANSWER.answer()), lookup.lookup(List.of(ONE), LONG));
    }

    @Test
    void lateOrForeignHeaderCopy_isSkipped() throws Exception {
        RedisFuture<byte[]> never = failing(new TimeoutException());
        RedisFuture<byte[]> foreign = done(header(ENTRIES + 1));
        RedisFuture<byte[]> whole = done(header(ENTRIES));
        when(commands.get(any())).thenReturn(never, foreign, whole);
        assertEquals(List.of(NOT_LISTED), lookup.lookup(List.of(ONE), LONG));
    }

    @Test
    void noIntactHeaderCopy_isUnknownWithoutQueries() throws Exception {
        RedisFuture<byte[]> never = failing(new TimeoutException());
        RedisFuture<byte[]> foreign = done(header(ENTRIES + 1));
        when(commands.get(any())).thenReturn(never, never, foreign);
        assertEquals(List.of(UnknownReason.BAD_ANSWER.answer()), lookup.lookup(List.of(ONE), LONG));
        verify(commands, times(0)).hmget(any(byte[].class), any(byte[].class), any(byte[].class));
    }

    /// Two lookups read the header at once; while one waits for its copy, the other has finished.
    @Test
    void damagedHeaderCopy_doesNotAffectAnotherCall() throws Exception {
        RedisFuture<byte[]> whole = done(header(ENTRIES));
        RedisFuture<byte[]> damaged = mock();
        when(damaged.get(anyLong(), any())).thenAnswer(waiting -> {
            assertEquals(List.of(NOT_LISTED), lookup.lookup(List.of(OTHER), LONG));
            return bytes("damaged");
        });
        when(commands.get(any())).thenReturn(damaged, damaged, damaged, whole);
        lookup.lookup(List.of(ONE), LONG);
        verify(commands, times(2 * GenerationNames.HEADER_COPIES)).get(any());
        assertEquals(List.of(NOT_LISTED), lookup.lookup(List.of(ONE), LONG));
        verify(commands, times(2 * GenerationNames.HEADER_COPIES)).get(any());
    }

    @Test
    void firstFailureOfAWindow_endsIt() throws Exception {
        RedisFuture<String> late = failing(new TimeoutException());
        RedisFuture<String> refused =
                failing(new ExecutionException(new RedisCommandExecutionException("OOM command not allowed")));
        CommandWindow window = new CommandWindow(LONG);
        window.send(() -> late);
        window.send(() -> refused);
        assertEquals(
                "no reply in time",
                assertThrows(IOException.class, window::drain).getMessage());
        verify(refused, times(0)).get(anyLong(), any());
        assertEquals(
                "OOM command not allowed",
                assertThrows(IOException.class, window::drain).getMessage());
    }

    private static byte[] header(long entries) {
        return new GenerationHeader(1, entries, new FeedDictionary(SmallStore.FEEDS)).encode();
    }

    private static RedisFuture<List<KeyValue<byte[], byte[]>>> absent() throws Exception {
        return done(List.of(
                KeyValue.just(BucketField.MARKER, GenerationNames.bytes(GENERATION + ":0")),
                KeyValue.empty(bytes("k"))));
    }

    private static byte[] bytes(String text) {
        return GenerationNames.bytes(text);
    }

    private static <T> RedisFuture<T> done(T value) throws Exception {
        RedisFuture<T> future = mock();
        when(future.get(anyLong(), any())).thenReturn(value);
        return future;
    }

    private static <T> RedisFuture<T> failing(Exception fault) throws Exception {
        RedisFuture<T> future = mock();
        when(future.get(anyLong(), any())).thenThrow(fault);
        return future;
    }
}
