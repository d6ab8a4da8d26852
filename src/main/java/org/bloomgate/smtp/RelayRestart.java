package org.bloomgate.smtp;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What differs between two options of a relay and is read only when it starts.
record RelayRestart(RelayOptions before, RelayOptions after) {

    /// Keys of the configuration, each with what goes on meanwhile where that is not plain.
    List<String> settings() {
        List<String> settings = new ArrayList<>();
        add(settings, "smtp.listen", before.listen(), after.listen());
        add(settings, "smtp.hostname in the greeting", before.hostname(), after.hostname());
        add(settings, "smtp.maxSessions", before.maxSessions(), after.maxSessions());
        add(settings, "smtp.memoryBytesTotal", before.memoryBytesTotal(), after.memoryBytesTotal());
        add(settings, "smtp.virtualThreads", before.virtualThreads(), after.virtualThreads());
        Map<String, ListenerOptions> old = new TreeMap<>(before.listeners());
        new TreeMap<>(after.listeners()).forEach((name, options) -> {
            ListenerOptions known = old.remove(name);
            if (known == null) {
                settings.add(key(name) + " (not listening yet)");
            } else {
                add(settings, key(name) + ".listen", known.listen(), options.listen());
            }
        });
        old.keySet().forEach(name -> settings.add(key(name) + " (still listening)"));
        return settings;
    }

    private static String key(String name) {
        return "smtp.listeners." + name;
    }

    private static void add(List<String> settings, String key, Object before, Object after) {
        if (!before.equals(after)) {
            settings.add(key);
        }
    }
}
