package org.bloomgate.lookup.redis;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.util.List;

/// The scripts that write to a hash, each atomically: no hash is ever without an expiry, so that the remains of
/// a killed publisher expire; and a bucket gets its marker only together with all its fields.
final class BucketScripts {
    /// Seconds, then fields and values.
    private static final byte[] PUT = GenerationNames.bytes(
            "redis.call('HSET',KEYS[1],unpack(ARGV,2)) return redis.call('EXPIRE',KEYS[1],ARGV[1])");

    /// Seconds, marker and its value, number of fields. Gives the number there is; marks the bucket if that is it.
    private static final byte[] MARK = GenerationNames.bytes("""
            local there = redis.call('HLEN',KEYS[1]) - redis.call('HEXISTS',KEYS[1],ARGV[2])
            if there == tonumber(ARGV[4]) then
              redis.call('HSET',KEYS[1],ARGV[2],ARGV[3])
              redis.call('EXPIRE',KEYS[1],ARGV[1])
            end
            return there""");

    private final RedisClusterAsyncCommands<byte[], byte[]> commands;

    BucketScripts(RedisClusterAsyncCommands<byte[], byte[]> commands) {
        this.commands = commands;
    }

    /// Puts fields and values, alternately, and sets the expiry of the hash again.
    RedisFuture<Long> put(byte[] hash, Duration expiry, List<byte[]> fields) {
        byte[][] arguments = new byte[1 + fields.size()][];
        arguments[0] = seconds(expiry);
        for (int i = 0; i < fields.size(); i++) {
            arguments[1 + i] = fields.get(i);
        }
        return eval(PUT, hash, arguments);
    }

    /// Marks a bucket that holds this many fields, and sets its expiry again.
    ///
    /// @return the number it holds
    RedisFuture<Long> mark(byte[] bucket, Duration expiry, byte[] marker, int fields) {
        return eval(
                MARK,
                bucket,
                seconds(expiry),
                BucketField.MARKER,
                marker,
                GenerationNames.bytes(Integer.toString(fields)));
    }

    private RedisFuture<Long> eval(byte[] script, byte[] hash, byte[]... arguments) {
        return commands.eval(script, ScriptOutputType.INTEGER, new byte[][] {hash}, arguments);
    }

    private static byte[] seconds(Duration expiry) {
        return GenerationNames.bytes(Long.toString(expiry.toSeconds()));
    }
}
