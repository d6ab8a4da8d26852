package org.bloomgate.decision.authentication;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 6376 3.4, the examples of 3.4.5 and 3.4.6 included. `C` is a CRLF, `_` a space, `t` a tab, `r` a lone
/// CR, `n` a lone LF.
class DkimCanonicalizationTest {
    private static byte[] bytes(String text) {
        return text.replace("C", "\r\n")
                .replace('_', ' ')
                .replace('t', '\t')
                .replace('r', '\r')
                .replace('n', '\n')
                .getBytes(ISO_8859_1);
    }

    @ParameterizedTest
    @CsvSource({
        "A:_X, a:X",
        "B_:_YtCtZ__, b:Y_Z",
        "A:, a:",
        "A:_t, a:",
        "A:_C_, a:",
        "A:X:_Y, a:X:_Y",
        "A:_:X, a::X",
        "At_:tX, a:X",
        "A:_\u00dc\u00a0_\u00ff, a:\u00dc\u00a0_\u00ff"
    })
    void field_relaxed_isUnfoldedAndReduced(String field, String relaxed) {
        assertEquals(
                new String(bytes(relaxed), ISO_8859_1),
                new String(DkimCanonicalization.RELAXED.field(bytes(field)), ISO_8859_1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"A:_X", "B_:_YtCtZ__", "A:_\u00dc"})
    void field_simple_isUnchanged(String field) {
        assertArrayEquals(bytes(field), DkimCanonicalization.SIMPLE.field(bytes(field)));
    }

    @ParameterizedTest
    @CsvSource({
        "'', ''",
        "C, ''",
        "CCC, ''",
        "_tC_C, ''",
        "_, ''",
        "_XCY_tZ__CCC, _XCY_ZC",
        "X, XC",
        "X_, XC",
        "X__, XC",
        "CCX, CCXC",
        "X_C_Y, XC_YC",
        "XCC_, XC",
        "Xr, XrC",
        "X_rC, X_rC",
        "XrrC, XrrC",
        "XrCC, XrC",
        "Xn, XnC",
        "X_n_, X_nC",
        "nn, nnC",
        "r, rC",
        "\u00a0_\u00a0, \u00a0_\u00a0C"
    })
    void body_relaxed_isReduced(String body, String canonical) {
        assertBody(DkimCanonicalization.RELAXED, body, canonical);
    }

    @ParameterizedTest
    @CsvSource({
        "'', C",
        "C, C",
        "CCC, C",
        "_XCY_tZ__CCC, _XCY_tZ__C",
        "X, XC",
        "X_, X_C",
        "_C, _C",
        "CCX, CCXC",
        "X_C_Y, X_C_YC",
        "Xr, XrC",
        "XrrC, XrrC",
        "Xn, XnC",
        "nn, nnC",
        "XCr, XCrC"
    })
    void body_simple_endsWithOneLineEnd(String body, String canonical) {
        assertBody(DkimCanonicalization.SIMPLE, body, canonical);
    }

    /// In one piece and byte by byte.
    private static void assertBody(DkimCanonicalization canonicalization, String body, String canonical) {
        byte[] bytes = bytes(body);
        DkimBody whole = new DkimBody(canonicalization);
        whole.update(bytes, bytes.length);
        whole.finish();
        DkimBody pieces = new DkimBody(canonicalization);
        for (byte b : bytes) {
            pieces.update(new byte[] {b}, 1);
        }
        pieces.finish();
        byte[] expected = bytes(canonical);
        assertEquals(expected.length, whole.length());
        assertArrayEquals(DkimBody.sha256().digest(expected), whole.hash());
        assertArrayEquals(whole.hash(), pieces.hash());
    }

    @ParameterizedTest
    @ValueSource(ints = {8189, 8190, 8191, 8192, 20_000, 100_000})
    void body_withLongLine_isHashedWhole(int length) {
        String line = "x".repeat(length);
        DkimBody body = new DkimBody(DkimCanonicalization.RELAXED);
        byte[] bytes = (line + "  \r\n\r\n").getBytes(ISO_8859_1);
        body.update(bytes, bytes.length);
        body.finish();
        assertArrayEquals(DkimBody.sha256().digest((line + "\r\n").getBytes(ISO_8859_1)), body.hash());
    }
}
