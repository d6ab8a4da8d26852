package org.bloomgate.decision.memory;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.bloomgate.base.net.BearerToken;

/// The `memory.group` section: gateways of one site, which exchange what they have seen.
///
/// @param key file with the key of the group; without one there is no group
/// @param peers addresses of the HTTP listeners of other gateways
/// @param token of the role fleet at the peers; empty to send none
public record GroupOptions(Optional<Path> key, List<String> peers, String token) {
    private static final Pattern ADDRESS = Pattern.compile("https?://[A-Za-z0-9.:\\[\\]-]+");

    /// @throws IllegalArgumentException for an address of another form; the message names the key
    public GroupOptions {
        peers = List.copyOf(peers);
        BearerToken.requireSendable(token);
        if (!peers.stream().allMatch(peer -> ADDRESS.matcher(peer).matches())) {
            throw new IllegalArgumentException("peers: write each as http://HOST:PORT or https://HOST:PORT");
        }
    }

    public static GroupOptions defaults() {
        return new GroupOptions(Optional.empty(), List.of(), "");
    }
}
