package org.bloomgate.core.limit;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/// A heap for keys that is as small as a test wants it, for the tests of other packages too.
public final class SmallKeyHeap {
    private final AtomicLong keys;

    public SmallKeyHeap(long bytes) {
        this.keys = new AtomicLong(bytes);
    }

    public long left() {
        return keys.get();
    }

    public static long ordinaryBytes() {
        return Allowance.ORDINARY_KEY_BYTES;
    }

    /// An allowance that takes from it.
    public Allowance createAllowance(MessageLimits limits) {
        return createAllowance(limits, _ -> {});
    }

    /// An allowance that takes from it.
    ///
    /// @param afterKeys called each time that it took heap for more than ordinary keys
    public Allowance createAllowance(MessageLimits limits, Consumer<Allowance> afterKeys) {
        return new Observed(limits, keys, afterKeys);
    }

    /// The same, without an effect of [Allowance#stop].
    public Allowance createUnstoppable(MessageLimits limits, Consumer<Allowance> afterKeys) {
        return new Observed(limits, keys, afterKeys) {
            @Override
            public void stop() {
                // the reading ends by itself
            }
        };
    }

    private static class Observed extends Allowance {
        private final Consumer<Allowance> afterKeys;

        Observed(MessageLimits limits, AtomicLong keys, Consumer<Allowance> afterKeys) {
            super(limits, new SharedHeap(MAX_HEAP_BYTES, Duration.ofMillis(1)), keys);
            this.afterKeys = afterKeys;
        }

        @Override
        public boolean keepHeap(Limit reader, long bytes) {
            boolean isKept = super.keepHeap(reader, bytes);
            if (isKept) {
                afterKeys.accept(this);
            }
            return isKept;
        }
    }
}
