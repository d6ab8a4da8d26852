package org.bloomgate.decision.evaluation;

import static java.util.stream.Collectors.toCollection;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Use;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.core.limit.MessageLimits;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.LayerSource;
import org.bloomgate.lookup.tier.Verdict;
import org.bloomgate.server.api.SmallLayer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every bound that cuts, as the evaluator has it: at it the mail is read whole and the lure at its end is
/// found; beyond it the limit is named and the mail is not clean, but what its action makes of it.
class LimitCasesTest {
    private static final Set<String> PASSED =
            Set.of("encrypted", "pictures", "pictureBytes", "picturePixels", "pictureFormat");

    /// What no message reaches by its bytes alone: a fault of the reader, and what the parser of MIME
    /// takes for one. Pictures, which no recipe makes, and lists in DNS have tests of their own.
    private static final Set<Limit> ELSEWHERE = EnumSet.of(
            Limit.DEFAULT,
            Limit.FAULT,
            Limit.MALFORMED,
            Limit.PICTURES,
            Limit.PICTURE_BYTES,
            Limit.PICTURE_PIXELS,
            Limit.QR_MARKS,
            Limit.TIME,
            Limit.ZONE_KEYS);

    private static final MessageScan LISTED = scanning(kinds(new SmallLayer()
                    .lists(KeyKind.DOMAIN, "evil.example")
                    .lists(KeyKind.DOMAIN, "evil.example", Use.HEADER, 0))
            .inForce());
    private static final MessageScan UNLISTED = scanning(kinds(new SmallLayer()).inForce());

    static MessageScan scanning(LayerSource layers) {
        return new MessageScan(layers, MessageScanTest.evaluator(MessageLimits.defaults()));
    }

    private static SmallLayer kinds(SmallLayer layer) {
        return layer.lists(KeyKind.KEYWORD, "casino").lists(KeyKind.PHONE, "+12025550123");
    }

    static Stream<LimitCase> cases() {
        return LimitCase.all().stream();
    }

    static Stream<LimitCase> bounds() {
        return cases().filter(LimitCase::isBound);
    }

    private static ScanResult scan(MessageScan scan, byte[] message) throws IOException {
        return scan.scan("mail.eml", () -> new ByteArrayInputStream(message), Envelope.NONE);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void messageAtTheBound_isReadCompletely(LimitCase bound) throws IOException {
        ScanResult scanned = scan(LISTED, bound.messageAt());
        assertEquals(List.of(), List.copyOf(scanned.limits()));
        assertEquals(Verdict.Kind.LISTED, scanned.verdict());
    }

    @ParameterizedTest
    @MethodSource("bounds")
    void messageBeyondTheBound_namesTheLimit(LimitCase bound) throws IOException {
        ScanResult scanned = scan(UNLISTED, bound.messageBeyond());
        assertEquals(List.of(bound.limit()), List.copyOf(scanned.limits()));
        assertEquals(PASSED.contains(bound.limit()) ? Action.PASS : Action.TAG, scanned.action());
    }

    @Test
    void everyLimit_hasACase() {
        Set<String> tried = bounds().map(LimitCase::limit).collect(toCollection(TreeSet::new));
        Set<String> known = Arrays.stream(Limit.values())
                .filter(limit -> !ELSEWHERE.contains(limit))
                .map(Limit::label)
                .collect(toCollection(TreeSet::new));
        assertEquals(known, tried);
    }
}
