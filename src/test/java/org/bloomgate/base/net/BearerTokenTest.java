package org.bloomgate.base.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BearerTokenTest {
    private static final String TOKEN = "sixteen-letters-";

    @ParameterizedTest
    @CsvSource({"Bearer a, a", "bearer  a , a", "Basic a, ''", "Bearer, ''"})
    void field_isRead(String field, String token) {
        assertEquals(Optional.of(token).filter(one -> !one.isEmpty()), BearerToken.extract(field));
    }

    @Test
    void digestInTheConfiguration_isThatOfTheToken() {
        String configured = BearerToken.toConfigured(TOKEN);
        assertTrue(configured.matches("sha256:[0-9a-f]{64}"), configured);
        assertTrue(BearerToken.isAcceptable(configured));
        assertEquals(BearerToken.digest(TOKEN), BearerToken.digest(configured));
        assertEquals(
                BearerToken.digest(TOKEN),
                BearerToken.digest("sha256:" + configured.substring(7).toUpperCase(Locale.ROOT)));
    }

    @ParameterizedTest
    @CsvSource({"sixteen-letters-, true", "fifteen-letters, false", "'fifteen-letters ', false", "sha256:12, false"})
    void server_acceptsLongTokens(String configured, boolean acceptable) {
        assertEquals(acceptable, BearerToken.isAcceptable(configured));
    }

    @ParameterizedTest
    @ValueSource(strings = {"fifteen-letters", "two words of a token", "sixteen-letters\n", "sha256:0123456789abcdef"})
    void client_sendsNothingElse(String token) {
        assertThrows(IllegalArgumentException.class, () -> BearerToken.requireSendable(token));
        BearerToken.requireSendable(TOKEN);
        BearerToken.requireSendable("");
    }
}
