package org.bloomgate.base.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.bloomgate.app.gateway.options.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Which keys of the configuration wait for a restart; all others are in force once the file was read again.
class RestartKeysTest {
    private static final Pattern WAITING = Pattern.compile("state|snapshots|snapshotKey"
            + "|smtp\\.(listen|hostname|maxSessions)"
            + "|dns\\.listen|gateway\\.rebuild"
            + "|http\\.(listen|hosts|maxMessageBytes|checksPerSecond|tls\\..*)"
            + "|(mirror|publisher|journal|local|log|memory|milter)\\..*"
            + "|exact\\.(store|(http|redis|dns|storage)\\..*)");

    @TempDir
    private Path folder;

    @Test
    void keysThatRequireRestart_areTheListedOnes() {
        Set<String> expected = new TreeSet<>();
        for (String key : OptionRecords.collectOptions(Configuration.defaults()).keySet()) {
            if (WAITING.matcher(key).matches()) {
                expected.add(key);
            }
        }
        assertEquals(expected, RestartKeys.collect(Configuration.defaults()));
        assertEquals(49, expected.size());
    }

    @Test
    void changedKey_awaitsRestart() throws Exception {
        Configuration running = read("smtp: { maxSessions: 7, maxRecipients: 7 }\nhttp: { checksPerSecond: 7 }");
        Configuration next =
                read("smtp: { maxSessions: 8, maxRecipients: 8, hostname: b }\nhttp: { checksPerSecond: 7 }");
        assertEquals(
                List.of("smtp.hostname in the greeting", "smtp.maxSessions"),
                ConfigReader.keysAwaitingRestart(running, next));
        assertEquals(List.of(), ConfigReader.keysAwaitingRestart(running, running));
    }

    @Test
    void addedOrChangedListener_awaitsRestart() throws Exception {
        Configuration running =
                read("smtp: { listeners: { a: { listen: \"127.0.0.1:1\" }, b: { listen: \"[::1]:1\" } } }");
        Configuration next = read(
                "smtp: { listeners: { b: { listen: \"[::1]:2\", relayDomains: [] }, c: { listen: \"127.0.0.1:3\" } }"
                        + " }");
        assertEquals(
                List.of("smtp.listeners.a", "smtp.listeners.b.listen", "smtp.listeners.c"),
                ConfigReader.keysAwaitingRestart(running, next));
    }

    private Configuration read(String text) throws Exception {
        Path file = Files.writeString(folder.resolve("bloomgate.yaml"), text);
        return ConfigReader.read(file, Map.of(), Map.of(), Configuration.defaults());
    }
}
