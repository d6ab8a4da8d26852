package org.bloomgate.content.mime;

import java.util.function.Function;
import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.MessageLimits;

/// A reader in which something is thrown once, in the middle of a message, for the tests of other packages too.
public final class FailingReader {
    /// Units of work before it: those of some thousand words.
    private static final long UNITS = 1 << 18;

    private FailingReader() {}

    public static MessageReader once(Throwable fault) {
        return new MessageReader(MessageLimits.defaults(), limits -> new Allowance(limits) {
            private long left = UNITS;
            private boolean thrown;

            @Override
            public boolean spend(long units) {
                left -= units;
                if (left < 0 && !thrown) {
                    thrown = true;
                    fail(fault);
                }
                return super.spend(units);
            }
        });
    }

    /// A reader with allowances of a test.
    public static MessageReader with(Function<MessageLimits, Allowance> allowances) {
        return new MessageReader(MessageLimits.defaults(), allowances);
    }

    /// A reader that goes on for ever, and draws with each step.
    public static MessageReader drawing(Runnable step) {
        return endless(step, true);
    }

    /// A reader that goes on until the step throws, and never draws.
    public static MessageReader neverDrawing(Runnable step) {
        return endless(step, false);
    }

    private static MessageReader endless(Runnable step, boolean draws) {
        return new MessageReader(MessageLimits.defaults(), limits -> new Allowance(limits) {
            @Override
            public boolean spend(long units) {
                while (true) {
                    step.run();
                    if (draws && !super.spend(0)) {
                        throw new AssertionError("spent");
                    }
                }
            }
        });
    }

    private static void fail(Throwable fault) {
        switch (fault) {
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new AssertionError(fault);
        }
    }
}
