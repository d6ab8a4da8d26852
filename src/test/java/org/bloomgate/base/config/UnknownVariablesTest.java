package org.bloomgate.base.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.bloomgate.app.gateway.options.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnknownVariablesTest {
    private static List<String> errors(String variable, String value) {
        return UnknownVariables.in(Map.of(variable, value), Configuration.defaults()).stream()
                .map(ConfigError::toString)
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        "BLOOMGATE_SMTP_RELAYDOMAIN, BLOOMGATE_SMTP_RELAYDOMAINS",
        "BLOOMGATE_SMTP_LISTN, BLOOMGATE_SMTP_LISTEN",
        "BLOOMGATE_NEXT_HOP, BLOOMGATE_NEXTHOP",
        "BLOOMGATE_HTTP_ADMIN_TOKEN, BLOOMGATE_HTTP_ADMINTOKEN",
        "BLOOMGATE_SNAPSHOT, BLOOMGATE_SNAPSHOTS"
    })
    void misspeltVariable_isAnErrorWithItsKey(String variable, String meant) {
        assertEquals(List.of(variable + ": unknown variable; did you mean '" + meant + "'?"), errors(variable, "x"));
    }

    @Test
    void unknownVariableOfSection_isAnErrorWithItsKeys() {
        assertEquals(
                List.of("BLOOMGATE_LOG_DESTINATION: unknown variable; known here: BLOOMGATE_LOG_FORMAT,"
                        + " BLOOMGATE_LOG_LEVEL, BLOOMGATE_LOG_LIBRARIES"),
                errors("BLOOMGATE_LOG_DESTINATION", "x"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "BLOOMGATE_CONFIG",
                "BLOOMGATE_JAVA_OPTS",
                "BLOOMGATE_LOG_LEVEL",
                "BLOOMGATE_POLICY_LISTED",
                "BLOOMGATE_EXACT_ONUNKNOWN_PHISHING",
                "BLOOMGATE_SHARED",
                "BLOOMGATE_HOUR_MINUTES",
                "BLOOMGATE_VERSION",
                "BLOOMGATE_HOME",
                "SMTP_RELAYDOMAIN"
            })
    void keysAndUnrelatedVariables_areNoErrors(String variable) {
        assertEquals(List.of(), errors(variable, "x"));
    }

    @ParameterizedTest
    @CsvSource({
        "BLOOMGATE_PORT, tcp://192.0.2.1:25",
        "BLOOMGATE_SERVICE_HOST, 192.0.2.1",
        "BLOOMGATE_SERVICE_PORT_SMTP, 25",
        "BLOOMGATE_PORT_25_TCP, tcp://192.0.2.1:25",
        "BLOOMGATE_SMTP_SERVICE_HOST, 192.0.2.1",
        "BLOOMGATE_SMTP_SERVICE_PORT, 25",
        "BLOOMGATE_SMTP_PORT, tcp://192.0.2.1:25",
        "BLOOMGATE_DNS_PORT, udp://192.0.2.1:53",
        "BLOOMGATE_HTTP_PORT_8080_TCP_ADDR, 192.0.2.1"
    })
    void variableOfPlatform_isNoError(String variable, String value) {
        assertEquals(List.of(), errors(variable, value));
    }
}
