package org.bloomgate.app.gateway.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SystemdNotifierTest {
    private static final Map<String, String> UNIT = Map.of("NOTIFY_SOCKET", "/run/systemd/notify");

    private final List<List<String>> commands = new ArrayList<>();
    private Optional<String> notReady = Optional.empty();

    private SystemdNotifier notifier(Map<String, String> environment) {
        return new SystemdNotifier(environment, () -> notReady, command -> {
            commands.add(command);
            return 0;
        });
    }

    @Test
    void readiness_isSentAtTheStartAndWhenItChanges() throws Exception {
        notReady = Optional.of("no snapshot is in force");
        try (SystemdNotifier notifier = notifier(UNIT)) {
            notifier.start();
            notifier.round();
            notReady = Optional.of("nextHop: /mail:\nREADY=0");
            notifier.round();
            notReady = Optional.empty();
            notifier.round();
        }
        assertEquals(
                List.of(
                        List.of("systemd-notify", "--ready", "--status=not ready: no snapshot is in force"),
                        List.of("systemd-notify", "--ready", "--status=not ready: nextHop: /mail: READY=0"),
                        List.of("systemd-notify", "--ready", "--status=ready")),
                commands);
    }

    @Test
    void withoutSystemd_nothingIsSent() throws Exception {
        try (SystemdNotifier notifier = notifier(Map.of())) {
            notifier.start();
        }
        assertEquals(List.of(), commands);
    }

    @Test
    void withoutTheProgram_theGatewayGoesOn() throws Exception {
        SystemdNotifier.Runner none = _ -> {
            throw new IOException("Cannot run program");
        };
        try (SystemdNotifier notifier = new SystemdNotifier(UNIT, Optional::empty, none)) {
            notifier.start();
        }
    }
}
