package org.bloomgate.decision.memory;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.bloomgate.base.net.BearerToken;
import org.bloomgate.base.net.WebAddress;

/// An entry of `memory.groups`: gateways which exchange what they have seen.
///
/// @param name for messages
/// @param own whether all are gateways of one site; there is no other group
/// @param key file with the key of the group
/// @param peers addresses of the HTTP listeners of other gateways
/// @param token of the role fleet at the peers; empty to send none
public record GroupOptions(String name, boolean own, Optional<Path> key, List<String> peers, String token) {
    /// @throws IllegalArgumentException for an address of another form; the message names the key
    public GroupOptions {
        peers = List.copyOf(peers);
        BearerToken.requireSendable(token);
        if (!peers.stream().allMatch(GroupOptions::isAddress)) {
            throw new IllegalArgumentException("peers: write each as http://HOST:PORT or https://HOST:PORT");
        }
    }

    public static GroupOptions defaults() {
        return new GroupOptions("", false, Optional.empty(), List.of(), "");
    }

    /// Whether a peer can have this address.
    public static boolean isAddress(String peer) {
        return WebAddress.isValid(peer) && peer.indexOf('/', "https://".length()) < 0;
    }

    /// What the group lacks, beginning with the key.
    public List<String> problems() {
        if (!own) {
            return List.of("own: must be true: all gateways of a group belong to one site");
        }
        return key.isPresent() ? List.of() : List.of("key: a group needs one");
    }
}
