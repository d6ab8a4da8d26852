package org.bloomgate.content.mime;

import java.time.Instant;
import java.time.InstantSource;
import org.bloomgate.content.links.MessageLimits;

/// A reader in which something is thrown once, at the first reading of the clock after the one at the
/// beginning, for the tests of other packages too.
public final class FailingReader {
    private FailingReader() {}

    public static MessageReader once(Throwable fault) {
        return new MessageReader(MessageLimits.defaults(), new InstantSource() {
            private int readings;

            @Override
            public Instant instant() {
                if (++readings == 2) {
                    fail(fault);
                }
                return Instant.EPOCH;
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
